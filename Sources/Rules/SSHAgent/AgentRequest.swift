/// What a peer asks of the agent (draft-miller-ssh-agent): one frame's body, without its length.
public enum AgentRequest: Sendable, Hashable {
    case identities
    case sign(key: [UInt8], data: [UInt8], flags: UInt32)
    /// OpenSSH's `session-bind@openssh.com`.
    case bind(SessionBinding)
    /// Everything else. `thumbturn ssh-key` adds and removes keys, and a passphrase that locks the agent would protect less than the
    /// owner's finger does.
    case other(UInt8)

    private static let identitiesKind: UInt8 = 11
    private static let signKind: UInt8 = 13
    private static let extensionKind: UInt8 = 27

    /// - Throws: `.malformed` if a request that is known here ends early or has bytes left over.
    public static func read(_ body: [UInt8]) throws(AgentRefusal) -> AgentRequest {
        var reader = SSHReader(body)
        let kind = try reader.byte()
        switch kind {
        case identitiesKind:
            try reader.end()
            return .identities
        case signKind:
            let (key, data, flags) = (try reader.string(), try reader.string(), try reader.number())
            try reader.end()
            return .sign(key: key, data: data, flags: flags)
        case extensionKind:
            guard try reader.string() == Array(SessionBinding.name.utf8) else { return .other(kind) }
            return .bind(try SessionBinding(&reader))
        default: return .other(kind)
        }
    }
}

/// An answer of the agent, as a whole frame.
public enum AgentReply: Sendable, Hashable {
    case failure
    case success
    case identities([SSHIdentity])
    /// The signature in SSH's own form.
    case signature([UInt8])

    public var frame: [UInt8] {
        var body = SSHWriter()
        switch self {
        case .failure: body.byte(5)
        case .success: body.byte(6)
        case .identities(let identities):
            body.byte(12)
            body.number(min(identities.count, AgentLimit.identities))
            for identity in identities.prefix(AgentLimit.identities) {
                body.string(identity.blob)
                body.text(identity.comment)
            }
        case .signature(let signature):
            body.byte(14)
            body.string(signature)
        }
        var frame = SSHWriter()
        frame.string(body.bytes)
        return frame.bytes
    }
}

/// A key in the form in which the agent offers it.
public struct SSHIdentity: Sendable, Hashable {
    public let blob: [UInt8]
    public let comment: String

    public init(blob: [UInt8], comment: String) {
        self.blob = blob
        self.comment = comment
    }
}
