import ThumbAccess
import ThumbLoop
import ThumbSecretService

/// Questions to the owner that aren't about items. `ReaderTurns` decides whose is put.
@OnLoop final class OwnersLine {
    private var line = ReaderTurns<CheckedContinuation<Void, Never>>()

    /// Asks once it is the reader's turn. Fails as too much if the reader has too many questions waiting.
    func run<Value>(for reader: ExactName, _ ask: @OnLoop () async -> Value) async throws(ServiceFailure) -> Value {
        var isTaken = true
        await withCheckedContinuation { turn in
            do throws(ServiceFailure) {
                try line.add(turn, of: reader)
                put()
            } catch {
                isTaken = false
                turn.resume()
            }
        }
        guard isTaken else { throw .tooMuch }
        defer {
            line.end(reader)
            put()
        }
        return await ask()
    }

    private func put() { while let turn = line.next() { turn.resume() } }
}
