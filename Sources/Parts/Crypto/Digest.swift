import CThumbOpenSSL
public import ThumbSecrets

/// A digest in progress: one libcrypto context, used for several digests one after another.
///
/// A context is made for each call from outside: keeping it from one call to the next would keep what it digested.
@unsafe internal struct Digest: ~Copyable {
    private let context: OpaquePointer
    private let algorithm: OpaquePointer

    init(_ algorithm: OpaquePointer) throws(CryptoError) {
        unsafe self.algorithm = algorithm
        unsafe context = try OpenSSL.require(EVP_MD_CTX_new(), "making a digest context")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    func start() throws(CryptoError) {
        try unsafe OpenSSL.check(EVP_DigestInit_ex2(context, algorithm, nil), "starting a digest")
    }

    func add(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard let base = bytes.baseAddress else { return }
        try unsafe OpenSSL.check(EVP_DigestUpdate(context, base, bytes.count), "digesting")
    }

    /// Writes the digest to the beginning of `output`, which has room for it.
    func finish(into output: UnsafeMutableRawPointer) throws(CryptoError) {
        try unsafe OpenSSL.check(
            EVP_DigestFinal_ex(context, output.assumingMemoryBound(to: UInt8.self), nil), "finishing a digest")
    }
}

/// The hashes of the house.
public enum HashAlgorithm: Sendable, Equatable, CaseIterable {
    /// SHA-1: for labels that others defined, never for a signature.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// How many bytes a hash has.
    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    @unsafe internal func fetched() throws(CryptoError) -> OpaquePointer {
        let library = try OpenSSL.shared()
        return switch self {
        case .sha1: unsafe library.sha1
        case .sha256: unsafe library.sha256
        case .sha384: unsafe library.sha384
        case .sha512: unsafe library.sha512
        }
    }

    /// The hash of `message`; fails with `library` where libcrypto does.
    public func hash(_ message: [UInt8]) throws -> [UInt8] {
        try unsafe message.withUnsafeBytes { try unsafe hash($0) }
    }

    /// The hash of a secret, which is public from then on; fails with `library` where libcrypto does.
    public func hash(_ message: SecretBytes) throws -> [UInt8] {
        try unsafe message.withUnsafeBytes { try unsafe hash($0) }
    }

    /// The hash of the bytes in `message`; fails with `library` where libcrypto does.
    public func hash(_ message: UnsafeRawBufferPointer) throws -> [UInt8] {
        let digest = try unsafe Digest(fetched())
        try unsafe digest.start()
        try unsafe digest.add(message)
        return try unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            guard let base = output.baseAddress else { return }
            try unsafe digest.finish(into: base)
            count = byteCount
        }
    }
}

/// SHA-1, for labels that others defined.
public enum SHA1 {
    /// The 20-byte hash of `message`; fails with `library` where libcrypto does.
    public static func hash(_ message: [UInt8]) throws -> [UInt8] { try HashAlgorithm.sha1.hash(message) }
}

/// SHA-256.
public enum SHA256 {
    /// The 32-byte hash of `message`; fails with `library` where libcrypto does.
    public static func hash(_ message: [UInt8]) throws -> [UInt8] { try HashAlgorithm.sha256.hash(message) }

    /// The 32-byte hash of a secret, which is public from then on; fails with `library` where libcrypto does.
    public static func hash(_ message: SecretBytes) throws -> [UInt8] { try HashAlgorithm.sha256.hash(message) }
}

/// SHA-384.
public enum SHA384 {
    /// The 48-byte hash of `message`; fails with `library` where libcrypto does.
    public static func hash(_ message: [UInt8]) throws -> [UInt8] { try HashAlgorithm.sha384.hash(message) }
}

/// SHA-512.
public enum SHA512 {
    /// The 64-byte hash of `message`; fails with `library` where libcrypto does.
    public static func hash(_ message: [UInt8]) throws -> [UInt8] { try HashAlgorithm.sha512.hash(message) }
}
