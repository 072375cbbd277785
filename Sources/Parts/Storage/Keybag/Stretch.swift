import ThumbAccess
import ThumbCrypto
public import ThumbSecrets

/// How a passcode becomes a key: Argon2id's parameters and salt. A value, so that the slow part can run on another thread.
public struct Stretch: Sendable, Hashable {
    /// What one guess costs.
    public struct Cost: Sendable, Hashable {
        public let memoryKiB: Int
        public let iterations: Int
        public let lanes: Int

        /// Makes a cost. Values beyond Argon2id's limits are refused when it is used.
        public init(memoryKiB: Int, iterations: Int, lanes: Int) {
            self.memoryKiB = memoryKiB
            self.iterations = iterations
            self.lanes = lanes
        }

        /// 64 MiB, three passes, one lane: some hundred milliseconds here, and as much for every guess elsewhere.
        public static let standard = Cost(memoryKiB: 64 << 10, iterations: 3, lanes: 1)
        /// As little as the algorithm takes. Only for tests and simulated devices.
        public static let least = Cost(memoryKiB: 8, iterations: 1, lanes: 1)
    }

    /// How many bytes come out: enough for an AES-256 key.
    static let count = 32
    static let saltBytes = 16

    public let cost: Cost
    public let salt: [UInt8]

    init(cost: Cost, salt: [UInt8]) {
        self.cost = cost
        self.salt = salt
    }

    /// A stretch with a salt of its own, for a passcode that is being set. Fails with `failed` without random bytes.
    public init(cost: Cost = .standard) throws(StorageError) {
        self.cost = cost
        salt = try storing { try Random.bytes(count: Self.saltBytes) }
    }

    /// A stretch for the passwords of apps. Its salt belongs to the store, so that each password is stretched once, and not once for each
    /// item. Fails with `failed` if it can't be derived.
    public init(forPasswordsUnder keybag: Keybag, cost: Cost) throws(StorageError) {
        self.cost = cost
        salt = try storing {
            let key = try HKDF.expand(
                key: keybag.device.root, info: Array("thumbturn application passwords".utf8), count: Self.saltBytes)
            return key.plainBytes(in: 0..<key.count)
        }
    }

    /// The key from an app's password. Takes as long as the cost says.
    ///
    /// Fails with `limit` beyond `CredentialLimit.bytes`, and with `failed` if there isn't enough memory.
    public func stretch(password: SecretBytes) throws(StorageError) -> SecretBytes {
        guard password.count <= CredentialLimit.bytes else { throw StorageError(.limit, "the length of a password") }
        return try derive(password)
    }

    /// The key from a backup's passphrase. Takes as long as the cost says.
    ///
    /// Fails with `limit` beyond `BackupLimit.passphrase`, and with `failed` if there isn't enough memory.
    public func stretch(passphrase: SecretBytes) throws(StorageError) -> SecretBytes {
        guard BackupLimit.passphrase.contains(passphrase.count) else {
            throw StorageError(.limit, "the length of a passphrase")
        }
        return try derive(passphrase)
    }

    /// The stretched passcode. Takes as long as the cost says.
    ///
    /// Fails with `limit` for a passcode whose length isn't within `PasscodeLimit` (such a passcode is never the right one), or for a cost
    /// out of range, and with `failed` if there isn't enough memory.
    public func stretch(_ passcode: SecretBytes) throws(StorageError) -> SecretBytes {
        try stretch(passcode, count: Self.count)
    }

    /// The same, with any length.
    func stretch(_ passcode: SecretBytes, count: Int) throws(StorageError) -> SecretBytes {
        guard (PasscodeLimit.least...PasscodeLimit.most).contains(passcode.count) else {
            throw StorageError(.limit, "the length of a passcode")
        }
        return try derive(passcode, count: count)
    }

    private func derive(_ words: SecretBytes, count: Int = count) throws(StorageError) -> SecretBytes {
        try storing {
            try Argon2id.derive(
                passcode: words, salt: salt, memoryKiB: cost.memoryKiB, iterations: cost.iterations, lanes: cost.lanes,
                count: count)
        }
    }
}
