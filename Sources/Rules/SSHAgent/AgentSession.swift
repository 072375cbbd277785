/// OpenSSH's `session-bind@openssh.com`: this connection serves that session with that host, and the host has signed this.
public struct SessionBinding: Sendable, Hashable {
    static let name = "session-bind@openssh.com"

    public let host: [UInt8]
    public let session: [UInt8]
    public let signature: [UInt8]
    /// Whether the agent is forwarded to the host; otherwise the session signs in to it.
    public let isForwarding: Bool

    init(_ reader: inout SSHReader) throws(AgentRefusal) {
        host = try reader.string()
        session = try reader.string()
        signature = try reader.string()
        isForwarding = try reader.flag()
        try reader.end()
    }
}

/// One connection to the agent: the sessions that it serves, and so what it may have signed.
public struct AgentSession: Sendable {
    private var bindings: [SessionBinding] = []
    /// Whether a binding was false, so that nobody knows where the connection leads.
    private var isBroken = false

    public init() {}

    /// Whether another machine is at the other end.
    public var isForwarded: Bool { bindings.contains { $0.isForwarding } }

    /// Takes a binding, if its host signed for the session.
    /// - Throws: `.badBinding`, `.boundAlready` or `.tooManyBindings`. From then on the connection signs nothing any more.
    public mutating func bind(_ binding: SessionBinding, isGenuine: (HostProof) -> Bool) throws(AgentRefusal) {
        do throws(AgentRefusal) {
            try add(binding, isGenuine)
        } catch {
            isBroken = true
            throw error
        }
    }

    private mutating func add(_ binding: SessionBinding, _ isGenuine: (HostProof) -> Bool) throws(AgentRefusal) {
        guard !binding.session.isEmpty, binding.session.count <= AgentLimit.sessionBytes,
            let key = try? HostKey(binding.host),
            let proof = try? HostProof(key, message: binding.session, signature: binding.signature), isGenuine(proof)
        else { throw .badBinding }
        for known in bindings {
            // A connection that is bound to a sign-in serves only that.
            guard known.isForwarding else { throw .boundAlready }
            guard known.session == binding.session else { continue }
            guard known.host == binding.host else { throw .boundAlready }
            // This was said before, and may be repeated.
            if known.isForwarding == binding.isForwarding { return }
            throw .boundAlready
        }
        guard bindings.count < AgentLimit.bindings else { throw .tooManyBindings }
        bindings.append(binding)
    }

    /// What a signature with that key over that data would be for.
    ///
    /// - Throws: Why it is refused. A connection that is bound to a sign-in signs only that one. A forwarded connection uses only keys
    ///   whose owner is asked.
    public func purpose(of data: [UInt8], with key: [UInt8], asksForOwner: Bool) throws(AgentRefusal) -> SigningPurpose {
        if isBroken { throw .badBinding }
        if isForwarded && !asksForOwner { throw .unattended }
        let hops = bindings.filter(\.isForwarding)
        let bound = bindings.last { !$0.isForwarding }
        switch try SignedData.read(data) {
        case .message(let namespace):
            if bound != nil { throw .notASignIn }
            return SigningPurpose(what: .message(namespace: namespace), hops: hops.map(\.host))
        case .signIn(let signIn):
            guard signIn.key == key else { throw .otherKey }
            if let bound {
                guard signIn.session == bound.session else { throw .otherSession }
                guard signIn.host == nil || signIn.host == bound.host else { throw .otherHost }
            } else if hops.contains(where: { $0.session == signIn.session }) {
                throw .otherSession
            }
            return SigningPurpose(
                what: .signIn(user: signIn.user, host: bound?.host ?? signIn.host), hops: hops.map(\.host))
        }
    }
}
