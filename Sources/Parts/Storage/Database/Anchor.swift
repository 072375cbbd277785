import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets

/// A store's counter in a chip. It shows whether the total is the latest (docs/STORE.md, *The anchor*).
struct Anchor: Sendable {
    /// The total's value while its counter is being made.
    static let isBeingMade = UInt64.max

    private let chip: any SlotCustodian
    private let name: [UInt8]
    private let authorization: SecretBytes

    init(_ chip: any SlotCustodian, keybag: [UInt8], device: SecretBytes) throws {
        self.chip = chip
        name = keybag
        authorization = try HKDF.expand(key: device, info: Array("thumbturn anchor".utf8), count: 32)
    }

    /// The counter's value; nil if the chip has no counter of ours.
    func count() throws(StorageError) -> UInt64? {
        do throws(StorageError) {
            return try asking { () throws(KeychainFailure) in try chip.count(name, under: authorization) }
        } catch  where error.code == .custodianRefused {
            // Something else has that name.
            return nil
        }
    }

    /// Raises the counter by one and returns its value.
    func countUp() throws(StorageError) -> UInt64 {
        try asking { () throws(KeychainFailure) in try chip.countUp(name, under: authorization) }
    }
}
