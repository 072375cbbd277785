import ThumbAccess

/// What a signature is for, in words for its owner.
public struct SigningPurpose: Sendable, Hashable {
    public enum What: Sendable, Hashable {
        /// nil: a program that doesn't know OpenSSH's session-bind didn't name the host.
        case signIn(user: String, host: [UInt8]?)
        case message(namespace: String)
    }

    public let what: What
    /// The hosts through which the agent is forwarded, the nearest first.
    public let hops: [[UInt8]]

    /// The prompt's reason. The most important part comes first, because a prompt cuts off what is too long.
    /// - Parameters:
    ///   - label: The key's name.
    ///   - program: The program on this machine that asks.
    ///   - name: Returns the name of a host with that key, or the key's fingerprint.
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
