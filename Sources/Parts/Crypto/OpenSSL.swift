import CThumbOpenSSL
import ThumbAccess
import ThumbSecrets

/// libcrypto, for a process that is entirely ours.
public enum CryptoProcess {
    /// Keeps libcrypto from loading its error texts, half a MiB that nobody reads. This holds for the whole process and for good, so don't
    /// call it in an app's process. Call it before anything else of this room.
    public static func needsNoErrorTexts() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS), nil)
    }

    /// Sets libcrypto up on a thread of its own, while the process waits for a TPM. A call that needs libcrypto before that is done waits for
    /// it. If libcrypto can't be set up, each such call fails with that error.
    public static func prepare() { NamedThread("libcrypto") { OpenSSL.prepare() }.detach() }
}

/// libcrypto in a library context of our own, made once for the process, with every algorithm fetched once.
///
/// The context is made without a configuration and gets the built-in default provider by name, so that no other provider can stand in front
/// of a key. For OpenSSL 3.0 that isn't enough: its digests, ciphers and keys still ask the process for a default engine, and the first
/// such question loads openssl.cnf, or whatever OPENSSL_CONF names. So this process is told, before anything else is asked, not to load one
/// by itself. If other code loaded it first, it stays loaded. If other code wants it later, it must load it by name
/// (`CONF_modules_load_file`).
@safe internal final class OpenSSL: @unchecked Sendable {
    // Everything here is constant after init, and libcrypto shares fetched algorithms and groups between threads.
    let context: OpaquePointer
    let sha1: OpaquePointer
    let sha224: OpaquePointer
    let sha256: OpaquePointer
    let sha384: OpaquePointer
    let sha512: OpaquePointer
    let aes128GCM: OpaquePointer
    let aes192GCM: OpaquePointer
    let aes256GCM: OpaquePointer
    let aes128CBC: OpaquePointer
    let chaCha20Poly1305: OpaquePointer
    let p256: CurveGroup
    let p384: CurveGroup
    let p521: CurveGroup
    private let provider: OpaquePointer

    private static let made = Result { () throws(CryptoError) in try OpenSSL() }

    /// The one context; fails with `library` if libcrypto couldn't be set up.
    static func shared() throws(CryptoError) -> OpenSSL { try made.get() }

    /// Makes the one context if there is none yet.
    static func prepare() { _ = made }

    private init() throws(CryptoError) {
        // A failure leaks what was made until then. It happens once, and nothing works after it.
        try Self.check(
            OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil), "turning the configuration off")
        unsafe context = try unsafe Self.require(OSSL_LIB_CTX_new(), "making a library context")
        unsafe provider = try unsafe Self.require(OSSL_PROVIDER_load(context, "default"), "loading the default provider")
        let context = unsafe self.context
        func digest(_ name: String) throws(CryptoError) -> OpaquePointer {
            try unsafe Self.require(EVP_MD_fetch(context, name, nil), "fetching a digest")
        }
        func cipher(_ name: String) throws(CryptoError) -> OpaquePointer {
            try unsafe Self.require(EVP_CIPHER_fetch(context, name, nil), "fetching a cipher")
        }
        unsafe sha1 = try unsafe digest("SHA1")
        unsafe sha224 = try unsafe digest("SHA224")
        unsafe sha256 = try unsafe digest("SHA256")
        unsafe sha384 = try unsafe digest("SHA384")
        unsafe sha512 = try unsafe digest("SHA512")
        unsafe aes128GCM = try unsafe cipher("AES-128-GCM")
        unsafe aes192GCM = try unsafe cipher("AES-192-GCM")
        unsafe aes256GCM = try unsafe cipher("AES-256-GCM")
        unsafe aes128CBC = try unsafe cipher("AES-128-CBC")
        unsafe chaCha20Poly1305 = try unsafe cipher("ChaCha20-Poly1305")
        p256 = try unsafe CurveGroup(.p256, NID_X9_62_prime256v1, context)
        p384 = try unsafe CurveGroup(.p384, NID_secp384r1, context)
        p521 = try unsafe CurveGroup(.p521, NID_secp521r1, context)
    }

    func group(of curve: Curve) -> CurveGroup {
        switch curve {
        case .p256: p256
        case .p384: p384
        case .p521: p521
        }
    }

    /// The pointer that a libcrypto call made, or the library's error.
    @unsafe static func require(_ pointer: OpaquePointer?, _ text: StaticString) throws(CryptoError) -> OpaquePointer {
        if let pointer = unsafe pointer { return unsafe pointer }
        let error = failure(text)
        // If there was no room even for the reason, memory was what was missing.
        throw error.code == .library(0) ? CryptoError(.outOfMemory, text) : error
    }

    /// Turns a status that isn't 1 into the library's error.
    static func check(_ status: Int32, _ text: StaticString) throws(CryptoError) {
        if status != 1 { throw failure(text) }
    }

    /// The error that libcrypto queued on this thread, leaving the queue empty for whoever uses it next.
    static func failure(_ text: StaticString) -> CryptoError {
        refusal(.library(UInt(ERR_peek_error())), text)
    }

    /// An error of ours, for a case in which libcrypto was expected to fail. The error that it queued is dropped, unless that says that
    /// there was no memory: then nothing is known about libcrypto's input.
    static func refusal(_ code: CryptoError.Code, _ text: StaticString) -> CryptoError {
        CryptoError(thumb_openssl_forget_errors() != 0 ? .outOfMemory : code, text)
    }

    /// Returns false, as libcrypto did. Fails with `outOfMemory` if it said so for want of memory.
    static func no(_ text: StaticString) throws(CryptoError) -> Bool {
        if thumb_openssl_forget_errors() != 0 { throw CryptoError(.outOfMemory, text) }
        return false
    }
}
