import ThumbAccess

/// What a signature is for, as its owner reads it.
public struct SigningPurpose: Sendable, Hashable {
    public enum What: Sendable, Hashable {
        /// nil: the host wasn't named, by a program that doesn't know OpenSSH's session-bind.
        case signIn(user: String, host: [UInt8]?)
        case message(namespace: String)
    }

    public let what: What
    /// The hosts that the agent is forwarded through, the nearest first.
    public let hops: [[UInt8]]

    /// The prompt's reason. What matters most stands first: a prompt cuts off what is too long.
    /// - Parameters:
    ///   - label: What the key is called.
    ///   - program: Who asks on this machine.
    ///   - name: What a host with that key is called, or its fingerprint.
    public func reason(label: String, program: String, name: ([UInt8]) -> String) -> String {
        var text =
            switch what {
            case .signIn(let user, let host?): "sign in to \(Self.shown(name(host), 50)) as \(Self.shown(user, 24))"
            case .signIn(let user, nil): "sign in as \(Self.shown(user, 24)) to a host that wasn't named"
            case .message(let namespace): "give a signature for '\(Self.shown(namespace, 24))'"
            }
        if let last = hops.last {
            text += ", asked from \(Self.shown(name(last), 40)) through a forwarded agent"
            if hops.count > 1 { text += " (\(hops.count) machines away)" }
        }
        return text + ", with the SSH key '\(Self.shown(label, 24))', for \(Self.shown(program, 40))"
    }

    private static func shown(_ text: String, _ limit: Int) -> String { SafeText(text, limit: limit).description }
}
