public import ThumbAccess
import ThumbConversation
import ThumbLoop
public import ThumbSecrets

// Asking for the owner: preflights block for a moment, evaluations answer later.
extension DeviceClient {
    /// What the device can do for a policy now. Without a device: no biometry, and a failure that says so.
    public func capability(of policy: Policy, context: UInt64) -> Capability {
        capability(ofPolicy: policy.rawValue, context: context)
    }

    func capability(ofPolicy number: UInt8, context: UInt64) -> Capability {
        do {
            return try call(GetCapability(number, context: context))
        } catch {
            return Capability(failure: error.evaluationFailure, kind: .none, domainState: nil)
        }
    }

    /// Asks the owner. `reply` is called exactly once, never on this thread before this returns, and mostly on the loop. Switch to a queue
    /// of your own before you call any of the app's code.
    public func evaluate(_ request: EvaluationRequest, reply: @escaping @Sendable (EvaluationReply) -> Void) {
        // Connecting may start a daemon and wait for it. The caller's thread may wait; the loop must not.
        do {
            try begin(request, reply)
        } catch  where error.nothingWasSent {
            do {
                try begin(request, reply)
            } catch {
                answer(reply, error)
            }
        } catch {
            answer(reply, error)
        }
    }

    private func begin(
        _ request: EvaluationRequest, _ reply: @escaping @Sendable (EvaluationReply) -> Void
    ) throws(ClientError) {
        let connection = try connected()
        let pending = PendingEvaluation(self, connection, reply)
        try connection.start(Evaluate(request)) { pending.handle($0) }
    }

    private func answer(_ reply: @escaping @Sendable (EvaluationReply) -> Void, _ error: ClientError) {
        let failure = error.evaluationFailure
        EventLoop.shared.post { reply(EvaluationReply(result: .failure(failure), kind: .none)) }
    }

    /// Ends the context: its pending evaluations fail with `.appCancel`, later ones with `.invalidContext`.
    public func invalidate(context: UInt64) {
        guard let connection = existing() else { return }
        do {
            try connection.call(Invalidate(context: context)) { frame in frame.kind == Done.wireKind ? () : nil }
        } catch {
            // A daemon that is gone has forgotten the context anyway.
        }
    }

    /// Forgets the context at the end of its life, and cancels what is pending on it.
    public func release(context: UInt64) {
        guard let connection = existing() else { return }
        do {
            try connection.tell(Release(context: context), call: 0)
        } catch {
            // As above: the daemon is gone, and the context with it.
        }
    }
}

// What an app leaves with a context.
extension DeviceClient {
    /// Leaves a credential with a context, or removes it with nil. Returns false if it can't be kept.
    public func setCredential(_ secret: SecretBytes?, kind: UInt8, context: UInt64) -> Bool {
        isYes(SetCredential(kind, secret, context: context))
    }

    /// Whether the context holds a credential of that kind.
    public func isCredentialSet(kind: UInt8, context: UInt64) -> Bool { isYes(IsCredentialSet(kind, context: context)) }

    private func isYes<Asked: Call>(_ asked: Asked) -> Bool where Asked.Reply == Flag, Asked.Failure == Never {
        do {
            return try call(asked).value
        } catch {
            // Without a device nothing is kept, so false is correct.
            return false
        }
    }
}

/// An evaluation on its way, from the request to its one reply.
final class PendingEvaluation: @unchecked Sendable {
    // @unchecked: `isFinished` and `prompt` are touched under `lock`.
    private let client: DeviceClient
    private let connection: DeviceConnection
    private let reply: @Sendable (EvaluationReply) -> Void
    private let lock = Lock()
    private var isFinished = false
    private var prompt: PromptStarter?

    init(
        _ client: DeviceClient, _ connection: DeviceConnection, _ reply: @escaping @Sendable (EvaluationReply) -> Void
    ) {
        self.client = client
        self.connection = connection
        self.reply = reply
    }

    func handle(_ answer: Result<Frame, ClientError>) -> DeviceConnection.Progress {
        do throws(ClientError) {
            let frame = try answer.get()
            if let wanted = try connection.read({ () throws(Refusal) in try WantedPrompt(frame) }) {
                start(wanted)
                return .more
            }
            let reply = try connection.read { () throws(Refusal) in try frame.word(EvaluationReply.self) }
            finish(reply.result, kind: reply.kind, domainState: reply.domainState)
        } catch {
            finish(.failure(error.evaluationFailure), kind: .none, domainState: nil)
        }
        return .finished
    }

    private func start(_ wanted: WantedPrompt) {
        // Spawning takes a millisecond or two, too long for the loop.
        _ = Worker.shared.run {
            let prompt = try? self.client.startPrompt(wanted, on: self.connection, call: 0)
            let isLate = self.lock.withLock {
                self.prompt = prompt
                return self.isFinished
            }
            guard isLate, let prompt else { return }
            // The evaluation ended before it knew of the prompt, so nobody else ends it.
            prompt.end()
            prompt.wait()
        } then: {
        }
    }

    func finish(_ result: Result<Factor, EvaluationFailure>, kind: BiometryKind, domainState: [UInt8]?) {
        let prompt: PromptStarter?? = lock.withLock {
            if isFinished { return nil }
            isFinished = true
            return .some(self.prompt)
        }
        guard let prompt else { return }
        let reply = EvaluationReply(result: result, kind: kind, domainState: domainState)
        guard let prompt else { return self.reply(reply) }
        if !connection.isUsable { prompt.end() }
        // The terminal belongs to the prompt until it has ended.
        let waits = Worker.shared.run {
            prompt.wait()
        } then: {
            self.reply(reply)
        }
        if !waits { self.reply(reply) }
    }
}
