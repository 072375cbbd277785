import ThumbAccess
import ThumbClient
import ThumbLoop
import ThumbSecretService
import ThumbSecrets

/// One thing that the owner is asked, on a thread and a connection of its own. It can be taken back.
final class OwnersYes: Sendable {
    private let client = DaemonDoor.client()
    private let context: UInt64
    private let isWithdrawn = Locked(false)

    init() { context = client.makeContext() }

    /// Has items released to a reader, after the owner's yes. `then` is called once, on the loop.
    func release(
        _ references: [[UInt8]], for reader: Reader,
        then: @escaping @OnLoop @Sendable (Result<[FoundItem], ReleaseFailure>) -> Void
    ) {
        NamedThread("question") { [self] in
            let result = Result { () throws(ReleaseFailure) in
                guard stands() else { throw .owner(.appCancel) }
                return try client.release(references, for: reader, AskingTerms(context: context))
            }
            EventLoop.shared.post { then(result) }
        }.detach()
    }

    /// Asks whether it is the owner, with words of ours. `then` is called once, on the loop.
    func evaluate(_ reason: String, then: @escaping @OnLoop @Sendable (Result<Factor, EvaluationFailure>) -> Void) {
        let request = EvaluationRequest(
            context: context, subject: .policy(.deviceOwner), words: PromptWords(reason: reason))
        NamedThread("question") { [self] in
            guard stands() else { return EventLoop.shared.post { then(.failure(.appCancel)) } }
            client.evaluate(request) { reply in EventLoop.shared.post { then(reply.result) } }
        }.detach()
    }

    /// Connects, because a question can only be taken back from the daemon over its connection. Returns whether it is still to be asked.
    private func stands() -> Bool {
        // Without a daemon the question itself fails, and says why.
        _ = try? client.mode()
        return !isWithdrawn.withLock { $0 }
    }

    /// Takes the question back. What it asked for fails.
    func withdraw() {
        isWithdrawn.withLock { $0 = true }
        let (client, context) = (client, context)
        NamedThread("withdrawal") { client.invalidate(context: context) }.detach()
    }
}
