import ThumbAccess
public import ThumbKeychain
public import ThumbSecrets

/// How a passcode becomes the key of the passcode slot: it is stretched and, if the device slot is in a TPM, that has to open its part too.
///
/// A value, so that the slow part can run on another thread.
public struct PasscodeWay: Sendable {
    /// The cost of a guess, and the salt.
    public let stretch: Stretch
    /// The chip's half, which the chip sealed under the first half of the stretched passcode.
    let seal: [UInt8]?
    /// Whether a chip counts the guesses.
    public var usesChip: Bool { seal != nil }

    /// A way without a chip.
    public init(_ stretch: Stretch) { self.init(stretch, seal: nil) }

    init(_ stretch: Stretch, seal: [UInt8]?) {
        self.stretch = stretch
        self.seal = seal
    }

    /// Makes a new way for a passcode that is being set, and the key that it opens the slot with. Takes as long as the cost says.
    ///
    /// Fails as stretching does, and with a custodian's code if the chip doesn't seal.
    public static func make(
        for passcode: SecretBytes, cost: Stretch.Cost, chip: (any SlotCustodian)?
    ) throws(StorageError) -> (way: PasscodeWay, key: SecretBytes) {
        let stretch = try Stretch(cost: cost)
        guard let chip else { return (PasscodeWay(stretch), try stretch.stretch(passcode)) }
        let halves = try Halves(stretch.stretch(passcode, count: Halves.count))
        let half = try ChipHalf.random()
        let seal = try asking { () throws(KeychainFailure) in
            try chip.seal(half, under: halves.authorization, guardedBy: .guesses)
        }
        return (PasscodeWay(stretch, seal: seal), try halves.joined(half))
    }

    /// The key that this passcode opens the slot with; nil if the chip says that it is another passcode.
    ///
    /// Fails as stretching does, and with a custodian's code: `custodianLocked` after too many wrong ones.
    public func key(of passcode: SecretBytes, chip: (any SlotCustodian)?) throws(StorageError) -> SecretBytes? {
        guard let seal else { return try stretch.stretch(passcode) }
        guard let chip else { throw StorageError(.custodianAbsent, "opening a passcode slot in a TPM") }
        let halves = try Halves(stretch.stretch(passcode, count: Halves.count))
        let half = try asking { () throws(KeychainFailure) in
            try chip.unseal(seal, under: halves.authorization, guardedBy: .guesses)
        }
        return try half.map { (half) throws(StorageError) in try halves.joined(half) }
    }

    /// A passcode stretched into two halves: one for the chip, one for the slot itself.
    private struct Halves {
        static let count = 2 * Stretch.count
        let authorization: SecretBytes
        private let own: SecretBytes

        init(_ stretched: SecretBytes) throws(StorageError) {
            (authorization, own) = try storing {
                (try stretched.slice(0..<Stretch.count), try stretched.slice(Stretch.count..<Self.count))
            }
        }

        func joined(_ half: SecretBytes) throws(StorageError) -> SecretBytes {
            try storing {
                var writer = SecretWriter()
                writer.secret(half)
                writer.secret(own)
                return try writer.finished()
            }
        }
    }
}

/// The half of a slot's key that a chip keeps.
enum ChipHalf {
    static let count = 32
    static func random() throws(StorageError) -> SecretBytes { try storing { try SecretBytes.random(count: count) } }
}

/// Asks a chip, and turns its failure into an error of this room.
func asking<Answer>(_ question: () throws(KeychainFailure) -> Answer) throws(StorageError) -> Answer {
    do throws(KeychainFailure) {
        return try question()
    } catch {
        let code: StorageError.Code =
            switch error {
            case .custodianAbsent: .custodianAbsent
            case .custodianLost: .custodianLost
            case .custodianLocked: .custodianLocked
            case .custodianForeign: .custodianForeign
            case .damaged: .custodianRefused
            case .outOfMemory: .outOfMemory
            default: .failed
            }
        throw StorageError(code, raw: Int32(error.rawValue), "asking the TPM for a slot of the keybag")
    }
}
