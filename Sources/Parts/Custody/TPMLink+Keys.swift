import CThumbTSS
import ThumbAccess
import ThumbSecrets

// Operations with a TPM's keys.
extension TPMLink {
    /// Makes a key under the first parent. Its authorization is sent encrypted.
    func makeKey() throws(TPMError) -> TPMKeyMaterial {
        let authorization = try TPMError.holding { try SecretBytes.random(count: TPMKeyMaterial.authorizationBytes) }
        let key = try create(TPMTemplate.key + TPMTemplate.empty, authorization)
        _ = try TPMTemplate.point(of: key.area)
        return key
    }

    /// Makes an object under the first parent, around `content` if given. Both secrets are sent encrypted.
    func create(
        _ template: [UInt8], _ authorization: SecretBytes, content: SecretBytes? = nil
    ) throws(TPMError) -> TPMKeyMaterial {
        let parent = parents[0]
        var template = try Self.publicArea(template)
        var outside = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        var wrapped: UnsafeMutablePointer<TPM2B_PRIVATE>?
        var area: UnsafeMutablePointer<TPM2B_PUBLIC>?
        try use(session, encrypting: Encrypting.command)
        defer {
            unsafe thumb_tss_forget(context)
            forgetCopies(of: authorization)
            if let content { forgetCopies(of: content) }
            thumb_tss_forget_stack()
        }
        let result = try unsafe withStructure(TPM2B_SENSITIVE_CREATE.self) { sensitive in
            unsafe sensitive.pointee.sensitive.userAuth.size = UInt16(authorization.count)
            unsafe authorization.withUnsafeBytes { secret in
                unsafe withUnsafeMutableBytes(of: &sensitive.pointee.sensitive.userAuth.buffer) {
                    unsafe $0.copyMemory(from: secret)
                }
            }
            if let content {
                unsafe sensitive.pointee.sensitive.data.size = UInt16(content.count)
                unsafe content.withUnsafeBytes { secret in
                    unsafe withUnsafeMutableBytes(of: &sensitive.pointee.sensitive.data.buffer) {
                        unsafe $0.copyMemory(from: secret)
                    }
                }
            }
            return unsafe Esys_Create(
                context, parent.handle, session, ESYS_TR_NONE, ESYS_TR_NONE, sensitive, &template, &outside, &registers,
                &wrapped, &area, nil, nil, nil)
        }
        try check(result, "making an object")
        guard let wrapped = unsafe wrapped, let area = unsafe area else { throw TPMError(.refused, "making an object") }
        defer {
            unsafe Esys_Free(wrapped)
            unsafe Esys_Free(area)
        }
        let size = unsafe min(Int(wrapped.pointee.size), TPMKeyMaterial.mostBytes)
        return TPMKeyMaterial(
            parent: parent.name, authorization: authorization, area: try unsafe Self.bytes(area),
            wrapped: unsafe withUnsafeBytes(of: &wrapped.pointee.buffer) { unsafe Array($0.prefix(size)) })
    }

    /// Signs 32 bytes with ECDSA: r and s side by side.
    func sign(_ digest: [UInt8], with key: TPMKeyMaterial) throws(TPMError) -> [UInt8] {
        var input = TPM2B_DIGEST()
        input.size = UInt16(digest.count)
        unsafe withUnsafeMutableBytes(of: &input.buffer) { unsafe $0.copyBytes(from: digest) }
        var scheme = TPMT_SIG_SCHEME()
        scheme.scheme = 0x0018
        unsafe scheme.details.ecdsa.hashAlg = 0x000B
        // The key isn't restricted, so there is no need to prove that the TPM itself made the hash.
        var ticket = TPMT_TK_HASHCHECK()
        ticket.tag = 0x8024
        ticket.hierarchy = 0x4000_0007
        var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
        let handle = try handle(of: key)
        try use(session, encrypting: 0)
        try authorized(handle, by: key.authorization) { () throws(TPMError) in
            try check(
                unsafe Esys_Sign(
                    context, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, &input, &scheme, &ticket, &signature), "signing")
        }
        guard let signature = unsafe signature else { throw TPMError(.refused, "signing") }
        defer { unsafe Esys_Free(signature) }
        guard unsafe signature.pointee.sigAlg == 0x0018 else { throw TPMError(.refused, "reading a signature") }
        return try unsafe Self.number(&signature.pointee.signature.ecdsa.signatureR)
            + Self.number(&signature.pointee.signature.ecdsa.signatureS)
    }

    /// The x coordinate that a key and a peer's point share, sent encrypted. The X9.63 point is known to be on the curve.
    func agree(with peer: [UInt8], _ key: TPMKeyMaterial) throws(TPMError) -> SecretBytes {
        let size = Curve.p256.fieldBytes
        var point = TPM2B_ECC_POINT()
        Self.set(&point.point.x, Array(peer[1...size]))
        Self.set(&point.point.y, Array(peer[(1 + size)...]))
        var shared: UnsafeMutablePointer<TPM2B_ECC_POINT>?
        let handle = try handle(of: key)
        try use(session, encrypting: Encrypting.response)
        defer {
            // The stack leaves what it decrypted in its buffer, and below us on the call stack.
            unsafe thumb_tss_forget(context)
            thumb_tss_forget_stack()
        }
        try authorized(handle, by: key.authorization) { () throws(TPMError) in
            try check(
                unsafe Esys_ECDH_ZGen(context, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, &point, &shared), "agreeing")
        }
        guard let shared = unsafe shared else { throw TPMError(.refused, "agreeing") }
        defer {
            unsafe explicit_bzero(shared, MemoryLayout<TPM2B_ECC_POINT>.size)
            unsafe Esys_Free(shared)
        }
        let count = unsafe Int(shared.pointee.point.x.size)
        guard count <= size else { throw TPMError(.refused, "reading what is shared") }
        return try TPMError.holding {
            try unsafe SecretBytes(count: size) { output in
                unsafe withUnsafeBytes(of: &shared.pointee.point.x.buffer) { x in
                    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: output[(size - count)...])
                    unsafe place.copyMemory(from: UnsafeRawBufferPointer(rebasing: x[..<count]))
                }
            }
        }
    }

    /// Runs a command with an object's authorization. The stack knows it only meanwhile.
    func authorized(
        _ handle: ESYS_TR, by authorization: SecretBytes, _ command: () throws(TPMError) -> Void
    ) throws(TPMError) {
        func give(_ authorization: SecretBytes?) throws(TPMError) {
            let result = try unsafe withAuthorization(authorization) { unsafe Esys_TR_SetAuth(context, handle, $0) }
            try check(result, "giving an authorization")
        }
        try give(authorization)
        defer {
            // If even this fails, the authorization disappears with the link.
            try? give(nil)
        }
        try command()
    }

    /// Zeroes what the stack itself keeps of a secret that a command had: its context has the last command's input.
    func forgetCopies(of secret: SecretBytes) {
        unsafe secret.withUnsafeBytes { unsafe thumb_tss_forget_copies(context, $0.baseAddress, $0.count) }
    }

    /// Lends an authorization in the stack's form; without one, as many zeros.
    @unsafe func withAuthorization(
        _ authorization: SecretBytes?, _ body: (UnsafeMutablePointer<TPM2B_AUTH>) -> UInt32
    ) throws(TPMError) -> UInt32 {
        try unsafe withStructure(TPM2B_AUTH.self) { value in
            if let authorization {
                unsafe authorization.withUnsafeBytes { bytes in
                    unsafe withUnsafeMutableBytes(of: &value.pointee.buffer) { unsafe $0.copyMemory(from: bytes) }
                }
            }
            unsafe value.pointee.size = UInt16(TPMKeyMaterial.authorizationBytes)
            return unsafe body(value)
        }
    }

    /// Lends a zeroed C structure in secret memory. Fails with `outOfMemory` before anything is asked, if no memory is left.
    @unsafe private func withStructure<Structure>(
        _ type: Structure.Type, _ body: (UnsafeMutablePointer<Structure>) -> UInt32
    ) throws(TPMError) -> UInt32 {
        var result: UInt32?
        // The structure is used while the secret is being filled: then it is zeroed, and nobody else has it.
        _ = try TPMError.holding {
            try unsafe SecretBytes(count: MemoryLayout<Structure>.stride) { buffer in
                if let base = buffer.baseAddress { result = unsafe body(base.bindMemory(to: type, capacity: 1)) }
            }
        }
        guard let result else { throw TPMError(.outOfMemory, "finding secret memory") }
        return result
    }

    /// A number padded to the field's length, because some TPMs leave leading zeros out.
    private static func number(_ number: inout TPM2B_ECC_PARAMETER) throws(TPMError) -> [UInt8] {
        let size = Curve.p256.fieldBytes
        let count = Int(number.size)
        guard count <= size else { throw TPMError(.refused, "reading a number") }
        return unsafe withUnsafeBytes(of: &number.buffer) {
            unsafe [UInt8](repeating: 0, count: size - count) + Array($0.prefix(count))
        }
    }

    private static func set(_ number: inout TPM2B_ECC_PARAMETER, _ bytes: [UInt8]) {
        number.size = UInt16(bytes.count)
        unsafe withUnsafeMutableBytes(of: &number.buffer) { unsafe $0.copyBytes(from: bytes) }
    }
}
