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
        ask(then) { [self] () throws(ReleaseFailure) in
            try client.release(references, for: reader, AskingTerms(context: context))
        }
    }

    /// Asks for a reader whether it is the owner, with words of ours. `then` is called once, on the loop.
    func evaluate(
        _ reason: String, for reader: Reader, then: @escaping @OnLoop @Sendable (Result<Void, ReleaseFailure>) -> Void
    ) {
        ask(then) { [self] () throws(ReleaseFailure) in
            try client.evaluate(for: reader, AskingTerms(context: context, words: PromptWords(reason: reason)))
        }
    }

    private func ask<Value: Sendable>(
        _ then: @escaping @OnLoop @Sendable (Result<Value, ReleaseFailure>) -> Void,
        _ question: @escaping @Sendable () throws(ReleaseFailure) -> Value
    ) {
        NamedThread("question") { [self] in
            let result = Result { () throws(ReleaseFailure) in
                // A question can only be taken back from the daemon over its connection, so that comes first. Without a daemon the question
                // itself fails, and says why.
                _ = try? client.mode()
                if isWithdrawn.withLock({ $0 }) { throw .owner(.appCancel) }
                return try question()
            }
            EventLoop.shared.post { then(result) }
        }.detach()
    }

    /// Takes the question back. What it asked for fails.
    func withdraw() {
        isWithdrawn.withLock { $0 = true }
        let (client, context) = (client, context)
        NamedThread("withdrawal") { client.invalidate(context: context) }.detach()
    }
}
