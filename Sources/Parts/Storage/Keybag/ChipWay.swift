public import ThumbAccess
public import ThumbKeychain
public import ThumbSecrets

/// How a slot's key comes out of a chip without a passcode: only in this machine and, if it is guarded by the machine's start and that is
/// measured, only after a start like this one.
///
/// A value, so that the slow part can run on another thread.
public struct ChipWay: Sendable, Equatable {
    private static let authorizationBytes = 32
    private let authorization: [UInt8]
    private let seal: [UInt8]
    private let guarding: SealGuard

    /// As a slot's body has it: the authorization and the chip's seal.
    var bytes: [UInt8] { authorization + Sized.write(seal) }

    init(_ reader: inout SecretReader, guardedBy guarding: SealGuard) throws {
        self.init(try reader.raw(Self.authorizationBytes), try Sized.read(&reader), guarding)
    }

    private init(_ authorization: [UInt8], _ seal: [UInt8], _ guarding: SealGuard) {
        (self.authorization, self.seal, self.guarding) = (authorization, seal, guarding)
    }

    /// Makes a new way, and the chip's half that it brings out. Fails with a custodian's code if the chip doesn't seal.
    public static func make(
        guardedBy guarding: SealGuard, chip: any SlotCustodian
    ) throws(StorageError) -> (way: ChipWay, half: SecretBytes) {
        let half = try ChipHalf.random()
        let authorization = try storing { try SecretBytes.random(count: authorizationBytes) }
        let seal = try asking { () throws(KeychainFailure) in try chip.seal(half, under: authorization, guardedBy: guarding) }
        return (ChipWay(authorization.plainBytes(in: 0..<authorizationBytes), seal, guarding), half)
    }

    /// The chip's half; nil if the chip doesn't give it for this authorization, or after this start. Fails with a custodian's code, and as
    /// for damage if it isn't a half.
    public func half(chip: any SlotCustodian) throws(StorageError) -> SecretBytes? {
        let secret = try storing { try SecretBytes(copying: authorization) }
        let half = try asking { () throws(KeychainFailure) in try chip.unseal(seal, under: secret, guardedBy: guarding) }
        guard let half else { return nil }
        guard half.count == ChipHalf.count else { throw StorageError(.keybagDamaged, "opening a slot of the keybag") }
        return half
    }
}
