public import ThumbAccess
public import ThumbSecrets

// Asking whether this is the owner, and the contexts that remember the answer.

/// Asks what the device can do for a policy now. A number that isn't a policy's gets an answer too; it isn't refused.
public struct GetCapability: Call {
    public static let wireKind = WordKind.getCapability
    public typealias Reply = Capability
    public typealias Failure = Never

    public let context: UInt64
    public let policy: UInt8

    public init(_ policy: UInt8, context: UInt64) { (self.context, self.policy) = (context, policy) }
    public func encode(to encoder: inout Encoder) { encoder.put(context, policy) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        context = try decoder.value()
        policy = try decoder.value()
    }
}

extension Capability: Word {
    public static let wireKind = WordKind.capability

    public func encode(to encoder: inout Encoder) { encoder.put(failure, kind, domainState) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(failure: try decoder.value(), kind: try decoder.value(), domainState: try decoder.value())
    }
}

/// Has the owner asked.
public struct Evaluate: Call {
    public static let wireKind = WordKind.evaluate
    public typealias Reply = EvaluationReply
    public typealias Failure = Never

    public let request: EvaluationRequest

    public init(_ request: EvaluationRequest) { self.request = request }
    public func encode(to encoder: inout Encoder) { encoder.put(request) }
    public init(from decoder: inout Decoder) throws(Refusal) { request = try decoder.value() }
}

extension EvaluationRequest: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(context, subject, words, interactionNotAllowed, reuseSeconds) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            context: try decoder.value(), subject: try decoder.value(), words: try decoder.value(),
            interactionNotAllowed: try decoder.value(), reuseSeconds: try decoder.value())
    }
}

extension EvaluationSubject: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .policy(let policy): encoder.put(UInt8(1), policy)
        case .rule(let rule, let operation): encoder.put(UInt8(2), rule, operation)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .policy(try decoder.value())
        case 2: self = .rule(try decoder.value(), try decoder.value())
        default: throw .malformed
        }
    }
}

extension EvaluationReply: Word {
    public static let wireKind = WordKind.evaluated

    public func encode(to encoder: inout Encoder) {
        switch result {
        case .success(let factor): encoder.put(false, factor)
        case .failure(let failure): encoder.put(true, failure)
        }
        encoder.put(kind, domainState)
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        let isFailure = try decoder.value(Bool.self)
        self.init(
            result: isFailure ? .failure(try decoder.value()) : .success(try decoder.value()), kind: try decoder.value(),
            domainState: try decoder.value())
    }
}

/// Ends a context: evaluations under it fail from now on.
public struct Invalidate: Call {
    public static let wireKind = WordKind.invalidate
    public typealias Reply = Done
    public typealias Failure = Never

    public let context: UInt64

    public init(context: UInt64) { self.context = context }
    public func encode(to encoder: inout Encoder) { encoder.put(context) }
    public init(from decoder: inout Decoder) throws(Refusal) { context = try decoder.value() }
}

/// The app forgets a context, and needs no answer.
public struct Release: Word {
    public static let wireKind = WordKind.release

    public let context: UInt64

    public init(context: UInt64) { self.context = context }
    public func encode(to encoder: inout Encoder) { encoder.put(context) }
    public init(from decoder: inout Decoder) throws(Refusal) { context = try decoder.value() }
}

/// Leaves a credential with a context, or removes it. The answer says whether it is kept.
public struct SetCredential: Call {
    public static let wireKind = WordKind.setCredential
    public typealias Reply = Flag
    public typealias Failure = Never

    public let context: UInt64
    public let credential: UInt8
    public let secret: SecretBytes?

    public init(_ credential: UInt8, _ secret: SecretBytes?, context: UInt64) {
        (self.context, self.credential, self.secret) = (context, credential, secret)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(context, credential, secret) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        context = try decoder.value()
        credential = try decoder.value()
        secret = try decoder.value()
    }
}

/// Asks whether a context holds a credential.
public struct IsCredentialSet: Call {
    public static let wireKind = WordKind.isCredentialSet
    public typealias Reply = Flag
    public typealias Failure = Never

    public let context: UInt64
    public let credential: UInt8

    public init(_ credential: UInt8, context: UInt64) { (self.context, self.credential) = (context, credential) }
    public func encode(to encoder: inout Encoder) { encoder.put(context, credential) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        context = try decoder.value()
        credential = try decoder.value()
    }
}
