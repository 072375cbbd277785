import ThumbAccess
import ThumbClient
import ThumbLoop
import ThumbSecretService
import ThumbSecrets

/// One thing that the owner is asked, on a thread and a connection of its own. It can be taken back.
final class OwnersYes: Sendable {
    private let client = DaemonDoor.client()
    private let context: UInt64

    init() { context = client.makeContext() }

    /// Has items released to a reader, after the owner's yes. `then` is called once, on the loop.
    func release(
        _ references: [[UInt8]], for reader: Reader,
        then: @escaping @OnLoop @Sendable (Result<[FoundItem], ReleaseFailure>) -> Void
    ) {
        let (client, asking) = (client, AskingTerms(context: context))
        NamedThread("question") {
            let result = Result { () throws(ReleaseFailure) in try client.release(references, for: reader, asking) }
            EventLoop.shared.post { then(result) }
        }.detach()
    }

    /// Asks whether it is the owner, with words of ours. `then` is called once, on the loop.
    func evaluate(_ reason: String, then: @escaping @OnLoop @Sendable (Result<Factor, EvaluationFailure>) -> Void) {
        let client = client
        let request = EvaluationRequest(
            context: context, subject: .policy(.deviceOwner), words: PromptWords(reason: reason))
        NamedThread("question") {
            client.evaluate(request) { reply in EventLoop.shared.post { then(reply.result) } }
        }.detach()
    }

    /// Takes the question back. What it asked for fails.
    func withdraw() {
        let (client, context) = (client, context)
        NamedThread("withdrawal") { client.invalidate(context: context) }.detach()
    }
}
