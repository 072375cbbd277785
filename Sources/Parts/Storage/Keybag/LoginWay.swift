import ThumbAccess
public import ThumbKeychain
public import ThumbSecrets

/// How the login slot's key comes out of a chip: only in this machine and, if its start is measured, only after a start like this one.
///
/// A value, so that the slow part can run on another thread.
public struct LoginWay: Sendable {
    static let authorizationBytes = 32
    let authorization: [UInt8]
    let seal: [UInt8]

    /// Makes a new way, and the chip's half that it brings out. Fails with a custodian's code if the chip doesn't seal.
    public static func make(chip: any SlotCustodian) throws(StorageError) -> (way: LoginWay, half: SecretBytes) {
        let half = try ChipHalf.random()
        let authorization = try storing { try SecretBytes.random(count: authorizationBytes) }
        let seal = try asking { () throws(KeychainFailure) in try chip.seal(half, under: authorization, guardedBy: .start) }
        return (LoginWay(authorization: authorization.plainBytes(in: 0..<authorizationBytes), seal: seal), half)
    }

    /// The chip's half; nil if the machine was started in another way. Fails with a custodian's code.
    public func half(chip: any SlotCustodian) throws(StorageError) -> SecretBytes? {
        let secret = try storing { try SecretBytes(copying: authorization) }
        return try asking { () throws(KeychainFailure) in try chip.unseal(seal, under: secret, guardedBy: .start) }
    }
}
