import CThumbArgon2
public import ThumbSecrets

/// Argon2id (RFC 9106): derives a key from a passcode, at a price.
public enum Argon2id {
    /// The memory it may take, in KiB. The lower end is the algorithm's for one lane. The upper end keeps a forged parameter from taking
    /// the machine's memory. How much a passcode needs is the keybag's decision.
    public static let memoryKiBRange = 8...1_048_576
    /// The passes over the memory. With more, a derivation would block its caller for minutes.
    public static let iterationsRange = 1...64
    /// The lanes, and the threads that run them.
    public static let lanesRange = 1...16
    /// The salt's length: RFC 9106 asks for 16 bytes, 8 are the algorithm's least.
    public static let saltRange = 8...64
    /// The output's length.
    public static let countRange = 4...1024
    /// The passcode's length, and that of the secret and the associated data.
    public static let maximumInput = 4096

    /// Derives `count` bytes from `passcode`, with `memoryKiB` of memory, `iterations` passes and `lanes` threads.
    ///
    /// `secret` (a pepper kept elsewhere) and `associatedData` (a context) are mixed in if given. Fails with `limit` for a parameter
    /// outside its range or less than 8 KiB a lane, with `outOfMemory` if libargon2 finds no memory or gets no thread, with `library` and
    /// libargon2's own number if it fails otherwise, and if no secret memory is left.
    public static func derive(
        passcode: SecretBytes, salt: [UInt8], memoryKiB: Int, iterations: Int, lanes: Int, count: Int,
        secret: SecretBytes? = nil, associatedData: [UInt8] = []
    ) throws -> SecretBytes {
        guard memoryKiBRange.contains(memoryKiB), iterationsRange.contains(iterations), lanesRange.contains(lanes),
            saltRange.contains(salt.count), countRange.contains(count), memoryKiB >= 8 * lanes,
            passcode.count <= maximumInput, (secret?.count ?? 0) <= maximumInput, associatedData.count <= maximumInput
        else { throw CryptoError(.limit, "an Argon2id parameter") }
        // The context's pointers aren't const, but libargon2 writes through them only if told to clear its inputs.
        var salt = salt
        var associatedData = associatedData
        return try unsafe SecretBytes(count: count) { output in
            try unsafe salt.withUnsafeMutableBytes { salt in
                try unsafe associatedData.withUnsafeMutableBytes { associatedData in
                    try unsafe passcode.withUnsafeBytes { passcode in
                        var context = unsafe argon2_context()
                        unsafe (context.out, context.outlen) = bytes(UnsafeRawBufferPointer(output))
                        unsafe (context.pwd, context.pwdlen) = bytes(passcode)
                        unsafe (context.salt, context.saltlen) = bytes(UnsafeRawBufferPointer(salt))
                        unsafe (context.ad, context.adlen) = bytes(UnsafeRawBufferPointer(associatedData))
                        unsafe context.m_cost = UInt32(memoryKiB)
                        unsafe context.t_cost = UInt32(iterations)
                        unsafe context.lanes = UInt32(lanes)
                        unsafe context.threads = UInt32(lanes)
                        unsafe context.version = ARGON2_VERSION_13.rawValue
                        guard let secret else { return try unsafe run(&context) }
                        try unsafe secret.withUnsafeBytes { secret in
                            unsafe (context.secret, context.secretlen) = bytes(secret)
                            try unsafe run(&context)
                        }
                    }
                }
            }
        }
    }

    /// The buffer as libargon2 takes it; an empty one has no pointer.
    @unsafe private static func bytes(_ buffer: UnsafeRawBufferPointer) -> (UnsafeMutablePointer<UInt8>?, UInt32) {
        guard let base = buffer.baseAddress, buffer.count > 0 else { return (nil, 0) }
        return unsafe (UnsafeMutableRawPointer(mutating: base).assumingMemoryBound(to: UInt8.self), UInt32(buffer.count))
    }

    private static func run(_ context: inout argon2_context) throws {
        let status = unsafe argon2id_ctx(&context)
        guard status != ARGON2_MEMORY_ALLOCATION_ERROR.rawValue, status != ARGON2_THREAD_FAIL.rawValue else {
            throw CryptoError(.outOfMemory, "deriving a key with Argon2id")
        }
        guard status == Int32(ARGON2_OK.rawValue) else {
            throw CryptoError(.library(UInt(bitPattern: Int(status))), "deriving a key with Argon2id")
        }
    }
}
