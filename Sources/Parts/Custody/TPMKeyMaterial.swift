import ThumbAccess
import ThumbSecrets

/// The stored form of a TPM's key: docs/STORE.md, *A key's material*.
public struct TPMKeyMaterial: Sendable {
    /// The longest TPM2B_AUTH under SHA-256.
    static let authorizationBytes = 32
    /// More than a wrapped P-256 key takes in any TPM, and less than the stack has room for.
    static let mostBytes = 1024
    private static let format: UInt8 = 1

    let parent: [UInt8]
    let authorization: SecretBytes
    /// TPMT_PUBLIC.
    let area: [UInt8]
    /// Wrapped by the TPM: not secret.
    let wrapped: [UInt8]

    init(parent: [UInt8], authorization: SecretBytes, area: [UInt8], wrapped: [UInt8]) {
        self.parent = parent
        self.authorization = authorization
        self.area = area
        self.wrapped = wrapped
    }

    /// Reads it; fails with `damaged` for anything but exactly this form, `outOfMemory` if no secret memory is left.
    init(_ bytes: SecretBytes) throws(TPMError) {
        let broken = TPMError(.damaged, "reading a key's material")
        guard bytes.count >= 2, bytes[0] == Self.format, bytes[1] == Custodian.tpm.rawValue else { throw broken }
        var place = 2
        func next() throws(TPMError) -> Range<Int> {
            guard bytes.count - place >= 2 else { throw broken }
            let count = Int(bytes.plainNumber(in: place..<place + 2))
            place += 2
            guard count <= Self.mostBytes, bytes.count - place >= count else { throw broken }
            defer { place += count }
            return place..<place + count
        }
        parent = bytes.plainBytes(in: try next())
        let secret = try next()
        area = bytes.plainBytes(in: try next())
        wrapped = bytes.plainBytes(in: try next())
        guard place == bytes.count, secret.count == Self.authorizationBytes else { throw broken }
        authorization = try TPMError.holding { try bytes.slice(secret) }
    }

    /// The same as bytes to keep; fails if no secret memory is left.
    func encoded() throws -> SecretBytes {
        func sized(_ count: Int) -> [UInt8] { [UInt8(count >> 8), UInt8(count & 0xFF)] }
        let head = [Self.format, Custodian.tpm.rawValue] + sized(parent.count) + parent + sized(authorization.count)
        let tail = sized(area.count) + area + sized(wrapped.count) + wrapped
        return try unsafe SecretBytes(count: head.count + authorization.count + tail.count) { output in
            unsafe output.copyBytes(from: head)
            unsafe authorization.withUnsafeBytes { secret in
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count...]).copyMemory(from: secret)
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[(head.count + authorization.count)...]).copyBytes(from: tail)
        }
    }
}
