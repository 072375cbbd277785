import ThumbAccess

/// SSH's forms of ECDSA on P-256 (RFC 5656), the only kind of key that this agent holds.
public enum SSHForms {
    public static let algorithm = "ecdsa-sha2-nistp256"
    private static let curve = "nistp256"
    static let pointBytes = 65

    /// A public key from its uncompressed point; nil if it has another length or form.
    public static func publicKey(_ point: [UInt8]) -> [UInt8]? {
        guard point.count == pointBytes, point[0] == 4 else { return nil }
        var blob = SSHWriter()
        blob.text(algorithm)
        blob.text(curve)
        blob.string(point)
        return blob.bytes
    }

    /// A signature from its DER; nil if no P-256 key makes such a signature.
    public static func signature(_ der: [UInt8]) -> [UInt8]? {
        guard let (r, s) = DER.pair(der), (1...32).contains(r.count), (1...32).contains(s.count) else { return nil }
        var numbers = SSHWriter()
        numbers.positive(r)
        numbers.positive(s)
        var blob = SSHWriter()
        blob.text(algorithm)
        blob.string(numbers.bytes)
        return blob.bytes
    }

    /// The line that `authorized_keys` and `allowed_signers` take.
    public static func line(_ blob: [UInt8], comment: String) -> String {
        algorithm + " " + Base64.padded.encoded(blob) + (comment.isEmpty ? "" : " " + comment)
    }

    /// The fingerprint that people compare: SHA-256 of a public key, as OpenSSH writes it.
    public static func fingerprint(sha256: [UInt8]) -> String {
        "SHA256:" + String(Base64.padded.encoded(sha256).prefix { $0 != "=" })
    }
}

/// The part of DER that a signature needs: a sequence of two numbers, each in its one form.
enum DER {
    static func pair(_ der: [UInt8]) -> (r: [UInt8], s: [UInt8])? {
        var rest = der[...]
        guard rest.popFirst() == 0x30, var inner = contents(&rest), rest.isEmpty, let r = number(&inner), let s = number(&inner),
            inner.isEmpty
        else { return nil }
        return (r, s)
    }

    static func pair(r: [UInt8], s: [UInt8]) -> [UInt8] { tagged(0x30, number(r) + number(s)) }

    static func number(_ number: [UInt8]) -> [UInt8] {
        let short = Array(number.drop { $0 == 0 })
        return tagged(2, short.first.map { $0 & 0x80 == 0 } == true ? short : [0] + short)
    }

    static func tagged(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
            }
        return [tag] + length + contents
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == 2, let bytes = contents(&rest), let first = bytes.first, first & 0x80 == 0 else { return nil }
        // A zero comes first only in place of the sign bit; otherwise one number would have two forms.
        if first == 0, bytes.count > 1, bytes[bytes.startIndex + 1] & 0x80 == 0 { return nil }
        return Array(bytes.drop { $0 == 0 })
    }

    private static func contents(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = rest.popFirst(), count < 0x80, Int(count) <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
