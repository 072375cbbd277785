import CThumbOpenSSL
public import ThumbAccess
public import ThumbSecrets

/// A digest in progress, of a message that comes in pieces or is too long to be in one place.
@safe public struct Digest: ~Copyable {
    // Each call from outside makes its own context. A context that is kept from one call to the next would keep what it digested.
    private let context: OpaquePointer
    private let function: HashFunction
    private let algorithm: OpaquePointer

    /// Begins a digest; fails with `library` if libcrypto does.
    public init(_ function: HashFunction) throws(CryptoError) { try self.init(function, isBegun: true) }

    /// Makes a digest. Pass false for `isBegun` if `start()` will begin it.
    internal init(_ function: HashFunction, isBegun: Bool) throws(CryptoError) {
        let algorithm = try unsafe function.fetched()
        let context = try unsafe OpenSSL.require(EVP_MD_CTX_new(), "making a digest context")
        if isBegun, unsafe EVP_DigestInit_ex2(context, algorithm, nil) != 1 {
            unsafe EVP_MD_CTX_free(context)
            throw OpenSSL.failure("starting a digest")
        }
        self.function = function
        unsafe (self.algorithm, self.context) = (algorithm, context)
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds the next piece of the message; fails with `library` if libcrypto does.
    public mutating func add(_ bytes: [UInt8]) throws {
        try unsafe bytes.withUnsafeBytes { try unsafe add($0) }
    }

    /// Adds the next piece of the message; fails with `library` if libcrypto does.
    public func add(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard let base = bytes.baseAddress else { return }
        try unsafe OpenSSL.check(EVP_DigestUpdate(context, base, bytes.count), "digesting")
    }

    /// The digest of all that was added; fails with `library` if libcrypto does.
    public consuming func finish() throws -> [UInt8] {
        var result = [UInt8](repeating: 0, count: function.byteCount)
        try unsafe result.withUnsafeMutableBytes { output in
            if let base = output.baseAddress { try unsafe finish(into: base) }
        }
        return result
    }

    /// Begins, or begins anew with the same context.
    internal func start() throws(CryptoError) {
        try unsafe OpenSSL.check(EVP_DigestInit_ex2(context, algorithm, nil), "starting a digest")
    }

    /// Writes the digest to the beginning of `output`, which has room for it.
    @unsafe internal func finish(into output: UnsafeMutableRawPointer) throws(CryptoError) {
        try unsafe OpenSSL.check(
            EVP_DigestFinal_ex(context, output.assumingMemoryBound(to: UInt8.self), nil), "finishing a digest")
    }
}

extension HashFunction {
    @unsafe internal func fetched() throws(CryptoError) -> OpaquePointer {
        let library = try OpenSSL.shared()
        return switch self {
        case .sha1: unsafe library.sha1
        case .sha224: unsafe library.sha224
        case .sha256: unsafe library.sha256
        case .sha384: unsafe library.sha384
        case .sha512: unsafe library.sha512
        }
    }

    /// The hash of `message`; fails with `library` if libcrypto does.
    public func hash(_ message: [UInt8]) throws -> [UInt8] {
        try unsafe message.withUnsafeBytes { try unsafe hash($0) }
    }

    /// The hash of a secret, which is public from then on; fails with `library` if libcrypto does.
    public func hash(_ message: SecretBytes) throws -> [UInt8] {
        try unsafe message.withUnsafeBytes { try unsafe hash($0) }
    }

    /// The hash of the bytes in `message`; fails with `library` if libcrypto does.
    public func hash(_ message: UnsafeRawBufferPointer) throws -> [UInt8] {
        let digest = try Digest(self)
        try unsafe digest.add(message)
        return try digest.finish()
    }
}
