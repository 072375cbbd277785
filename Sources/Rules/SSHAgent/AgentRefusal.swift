/// Why an agent refuses a request. The peer only learns that it does; the reason is for the agent's own log.
public enum AgentRefusal: UInt8, Error, Sendable, Hashable, CaseIterable {
    case malformed
    case unsupported
    case unknownKey
    case unknownForm
    case otherKey
    case otherSession
    case otherHost
    case notASignIn
    case badBinding
    case boundAlready
    case tooManyBindings
    case unattended

    public var reason: String {
        switch self {
        case .malformed: "the request isn't formed as the protocol says"
        case .unsupported: "this agent doesn't do what was asked"
        case .unknownKey: "there is no such key here"
        case .unknownForm: "what was to be signed is neither a sign-in nor a signature with a namespace"
        case .otherKey: "what was to be signed names another key"
        case .otherSession: "the sign-in is for another session than the connection is bound to"
        case .otherHost: "the sign-in is for another host than the connection is bound to"
        case .notASignIn: "the connection is bound to a sign-in, and this is none"
        case .badBinding: "the connection could not be bound: the host didn't sign for its session"
        case .boundAlready: "the connection is bound to a sign-in already, or to that session with another host"
        case .tooManyBindings: "the connection is bound to too many sessions"
        case .unattended: "nobody is asked about that key, so no other machine may use it"
        }
    }
}
