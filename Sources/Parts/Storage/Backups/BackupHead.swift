public import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// What comes before a backup's chunks (docs/STORE.md): how its passphrase is stretched, and how to check one.
public struct BackupHead: Sendable, Hashable {
    private static let magic = Array("THUMBBAK".utf8)
    private static let format: UInt16 = 1
    /// Argon2id, as in the keybag.
    private static let kind: UInt8 = 2
    private static let checkBytes = 32
    private static let sumBytes = 16
    /// Everything before the check.
    private static let openBytes = BackupLimit.headBytes - checkBytes - sumBytes

    /// What opening a file may cost: a few seconds, and as much memory as this program's own backups take. The daemon would pay for more,
    /// and anybody can write such a head.
    static let memoryLimitKiB = 64 << 10
    static let iterationsLimit = 16
    static let lanesLimit = 4

    /// The bytes in the file.
    public let bytes: [UInt8]
    public let stretch: Stretch

    /// A new backup's head; fails with `failed` if its keys can't be derived.
    init(_ stretch: Stretch, keys: BackupKeys) throws(StorageError) {
        self.stretch = stretch
        bytes = try storing {
            var writer = ByteWriter(reserving: BackupLimit.headBytes)
            writer.raw(Self.magic)
            writer.integer(Self.format)
            writer.byte(Self.kind)
            for number in [stretch.cost.memoryKiB, stretch.cost.iterations, stretch.cost.lanes] {
                writer.integer(UInt32(number))
            }
            writer.raw(stretch.salt)
            writer.raw(try HMAC256.authenticate(writer.bytes, key: keys.check))
            writer.raw(try Self.sum(writer.bytes))
            return writer.bytes
        }
    }

    /// Reads a file's beginning, without trusting it yet.
    ///
    /// Fails with `notABackup`, `newer`, `tooCostly`, and with `damaged` if it ends too soon or the checksum is wrong. Fails with a
    /// keychain failure if this can't be determined just now.
    public init(reading bytes: [UInt8]) throws(BackupError) {
        guard bytes.starts(with: Self.magic) else { throw .backup(.notABackup) }
        guard bytes.count >= Self.magic.count + 3 else { throw .backup(.damaged) }
        var place = Self.magic.count
        func number(_ count: Int) -> Int {
            defer { place += count }
            return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2) == Self.format, number(1) == Self.kind else { throw .backup(.newer) }
        guard bytes.count == BackupLimit.headBytes else { throw .backup(.damaged) }
        let cost = Stretch.Cost(memoryKiB: number(4), iterations: number(4), lanes: number(4))
        let sum: [UInt8]
        do throws(KeychainFailure) {
            sum = try keeping { try Self.sum(Array(bytes.dropLast(Self.sumBytes))) }
        } catch {
            throw .keychain(error)
        }
        guard sum == Array(bytes.suffix(Self.sumBytes)) else { throw .backup(.damaged) }
        guard (Argon2id.memoryKiBRange.lowerBound...Self.memoryLimitKiB).contains(cost.memoryKiB),
            (1...Self.iterationsLimit).contains(cost.iterations), (1...Self.lanesLimit).contains(cost.lanes),
            cost.memoryKiB >= 8 * cost.lanes
        else { throw .backup(.tooCostly) }
        stretch = Stretch(cost: cost, salt: Array(bytes[place..<Self.openBytes]))
        self.bytes = bytes
    }

    /// Whether these are the file's keys.
    func isOpened(by keys: BackupKeys) throws -> Bool {
        let check = Array(bytes[Self.openBytes..<Self.openBytes + Self.checkBytes])
        return try HMAC256.verify(check, message: Array(bytes[..<Self.openBytes]), key: keys.check)
    }

    private static func sum(_ bytes: [UInt8]) throws -> [UInt8] { Array(try HashFunction.sha256.hash(bytes).prefix(sumBytes)) }
}

/// The two keys of one backup.
struct BackupKeys {
    let check: SecretBytes
    let chunks: SecretBytes

    init(stretched: SecretBytes) throws {
        check = try HKDF.expand(key: stretched, info: Array("thumbturn backup check".utf8), count: 32)
        chunks = try HKDF.expand(key: stretched, info: Array("thumbturn backup chunks".utf8), count: 32)
    }
}
