import CThumbOpenSSL
import ThumbSecrets

/// A libcrypto key with one owner. Its numbers are cleared with it. It is made for one operation, or kept by a `VerifyingKey`.
@unsafe internal struct EVPKey: ~Copyable {
    /// One of the values that make a key. Numbers are big-endian.
    @unsafe struct Part {
        enum Form { case text, octets, number }

        let name: StaticString
        let form: Form
        let bytes: UnsafeRawBufferPointer

        init(_ name: StaticString, _ form: Form, _ bytes: UnsafeRawBufferPointer) {
            unsafe (self.name, self.form, self.bytes) = (name, form, bytes)
        }

        /// A word with the zero that ends it, because libcrypto doesn't look at its length.
        init(_ name: StaticString, text: StaticString) {
            unsafe self.init(
                name, .text, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount + 1))
        }
    }

    private let pointer: OpaquePointer

    /// Makes a key from parts that are known to be valid; fails as libcrypto does.
    init(_ algorithm: StaticString, _ parts: [Part], isPrivate: Bool) throws {
        // Copies, because libcrypto's parameters aren't const and its numbers have the machine's order of bytes.
        let size = unsafe parts.reduce(0) { unsafe $0 + $1.bytes.count }
        unsafe pointer = try unsafe Self.withScratch(size, isPrivate: isPrivate) { scratch in
            var position = 0
            var parameters = unsafe parts.map { part in
                let place = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[position..<position + part.bytes.count])
                position += place.count
                return unsafe Self.parameter(part, at: place)
            }
            unsafe parameters.append(OSSL_PARAM_construct_end())
            return try unsafe Self.make(
                algorithm, &parameters, isPrivate ? thumb_evp_pkey_keypair : thumb_evp_pkey_public_key)
        }
    }

    /// Makes a new RSA key.
    init(newRSA bits: Int) throws {
        let maker = try unsafe OpenSSL.require(
            EVP_PKEY_CTX_new_from_name(OpenSSL.shared().context, "RSA", nil), "making a key context")
        defer { unsafe EVP_PKEY_CTX_free(maker) }
        try unsafe OpenSSL.check(EVP_PKEY_keygen_init(maker), "starting a key")
        try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_keygen_bits(maker, Int32(bits)), "setting a key's size")
        var made: OpaquePointer?
        try unsafe OpenSSL.check(EVP_PKEY_generate(maker, &made), "making an RSA key")
        unsafe pointer = try unsafe OpenSSL.require(made, "making an RSA key")
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Runs `body` with an operation context for this key.
    borrowing func withOperation<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        let operation = try unsafe makeOperation()
        defer { unsafe EVP_PKEY_CTX_free(operation) }
        return try unsafe body(operation)
    }

    /// Makes an operation context for this key, which lives as long as the context does.
    borrowing func makeOperation() throws -> OpaquePointer {
        try unsafe OpenSSL.require(
            EVP_PKEY_CTX_new_from_pkey(OpenSSL.shared().context, pointer, nil), "making a key operation")
    }

    /// Makes this key the other side of a key agreement.
    borrowing func setPeer(of operation: OpaquePointer) throws {
        // No second check: the point was checked when the public key was made, and the curves have no cofactor.
        try unsafe OpenSSL.check(EVP_PKEY_derive_set_peer_ex(operation, pointer, 0), "setting a peer")
    }

    /// The key's numbers of these names, big-endian, each in `size` bytes, one after another.
    borrowing func numbers(_ names: [StaticString], size: Int) throws -> SecretBytes {
        try unsafe SecretBytes(count: names.count * size) { output in
            var places: [UnsafeMutableRawBufferPointer] = unsafe []
            for index in names.indices {
                unsafe places.append(UnsafeMutableRawBufferPointer(rebasing: output[index * size..<(index + 1) * size]))
            }
            var parameters = unsafe zip(names, places).map { name, place in
                unsafe OSSL_PARAM_construct_BN(
                    Self.text(name), place.baseAddress?.assumingMemoryBound(to: UInt8.self), place.count)
            }
            unsafe parameters.append(OSSL_PARAM_construct_end())
            try unsafe OpenSSL.check(EVP_PKEY_get_params(pointer, &parameters), "reading a key's numbers")
            for index in unsafe places.indices {
                guard unsafe OSSL_PARAM_modified(&parameters[index]) == 1 else { throw OpenSSL.failure("reading a key's number") }
                unsafe places[index].reverse()
            }
        }
    }

    private static func make(
        _ algorithm: StaticString, _ parameters: inout [OSSL_PARAM], _ selection: Int32
    ) throws -> OpaquePointer {
        let maker = try unsafe OpenSSL.require(
            EVP_PKEY_CTX_new_from_name(OpenSSL.shared().context, text(algorithm), nil), "making a key context")
        defer { unsafe EVP_PKEY_CTX_free(maker) }
        try unsafe OpenSSL.check(EVP_PKEY_fromdata_init(maker), "making a key")
        var key: OpaquePointer?
        let status = unsafe EVP_PKEY_fromdata(maker, &key, selection, &parameters)
        if status == 1, let key = unsafe key { return unsafe key }
        // Points, scalars and forms are checked before they come here, so what remains are the library's own failures, mostly for want of
        // memory.
        throw OpenSSL.failure("making a key")
    }

    private static func parameter(_ part: Part, at place: UnsafeMutableRawBufferPointer) -> OSSL_PARAM {
        var place = unsafe place
        unsafe place.copyMemory(from: part.bytes)
        switch unsafe part.form {
        case .text:
            return unsafe OSSL_PARAM_construct_utf8_string(
                text(part.name), place.baseAddress?.assumingMemoryBound(to: CChar.self), place.count - 1)
        case .octets: return unsafe OSSL_PARAM_construct_octet_string(text(part.name), place.baseAddress, place.count)
        case .number:
            // Little-endian here as on every machine that Swift runs on under Linux.
            unsafe place.reverse()
            return unsafe OSSL_PARAM_construct_BN(
                text(part.name), place.baseAddress?.assumingMemoryBound(to: UInt8.self), place.count)
        }
    }

    /// libcrypto keeps a pointer to a parameter's name. A static string never moves.
    private static func text(_ string: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Room for a key's parts. A private key gets secret memory; a public one doesn't, so an app that only verifies locks none.
    private static func withScratch(
        _ size: Int, isPrivate: Bool, _ body: (UnsafeMutableRawBufferPointer) throws -> OpaquePointer
    ) throws -> OpaquePointer {
        guard isPrivate else {
            return try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { try unsafe body($0) }
        }
        var made: OpaquePointer?
        _ = try unsafe SecretBytes(count: size) { unsafe made = try unsafe body($0) }
        return try unsafe OpenSSL.require(made, "making a key")
    }
}
