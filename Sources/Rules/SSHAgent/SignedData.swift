/// The data to sign, if it has one of the two forms that say what they are for. Anything else could mean anything: a sign-in that doesn't
/// say so, or a document that nobody was shown.
public enum SignedData: Sendable, Hashable {
    case signIn(SSHSignIn)
    /// OpenSSH's `SSHSIG`: a hash, and the namespace that it is valid in.
    case message(namespace: String)

    private static let messageMark = Array("SSHSIG".utf8)

    /// - Throws: `.unknownForm` for everything else.
    public static func read(_ data: [UInt8]) throws(AgentRefusal) -> SignedData {
        do throws(AgentRefusal) {
            if data.starts(with: messageMark) { return try message(Array(data.dropFirst(messageMark.count))) }
            return .signIn(try SSHSignIn(data))
        } catch {
            throw .unknownForm
        }
    }

    private static func message(_ data: [UInt8]) throws(AgentRefusal) -> SignedData {
        var reader = SSHReader(data)
        let namespace = try reader.text()
        // Reserved; its contents have no meaning yet.
        _ = try reader.string()
        let (hash, digest) = (try reader.text(), try reader.string())
        try reader.end()
        guard !namespace.isEmpty, digest.count == ["sha256": 32, "sha512": 64][hash] else { throw .malformed }
        return .message(namespace: namespace)
    }
}

/// A sign-in by public key (RFC 4252, section 7), or OpenSSH's form of it that names the host as well.
public struct SSHSignIn: Sendable, Hashable {
    public let session: [UInt8]
    public let user: String
    public let key: [UInt8]
    /// The host's key. Whoever checks the signature accepts it only for that host.
    public let host: [UInt8]?

    private static let requestKind: UInt8 = 50

    init(_ data: [UInt8]) throws(AgentRefusal) {
        var reader = SSHReader(data)
        session = try reader.string()
        guard !session.isEmpty, session.count <= AgentLimit.sessionBytes, try reader.byte() == Self.requestKind else {
            throw .malformed
        }
        user = try reader.text()
        guard try reader.text() == "ssh-connection" else { throw .malformed }
        let method = try reader.text()
        guard try reader.flag(), try reader.text() == SSHForms.algorithm else { throw .malformed }
        key = try reader.string()
        switch method {
        case "publickey": host = nil
        case "publickey-hostbound-v00@openssh.com": host = try reader.string()
        default: throw .malformed
        }
        try reader.end()
    }
}
