import ThumbAccess
import ThumbLoop
import ThumbSecretService

// Waiting for the owner.
extension SecretProvider {
    /// What became of a reader's wish for items; empty if it was taken back, or if nobody answered in time.
    func outcomes(
        of places: [ItemPlace], for reader: Reader, _ client: String, within seconds: Double? = nil, plan: PromptPlan? = nil
    ) async -> [ItemPlace: Questions.Outcome] {
        let wait = OwnerWait<[ItemPlace: Questions.Outcome]>(otherwise: [:])
        let outcomes = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait.begin(continuation)
                do throws(ServiceFailure) {
                    let wish = try questions.ask(places, of: reader, for: client) { wait.end($0) }
                    wait.giveUp = { [weak self] in self?.questions.withdraw(wish) }
                } catch {
                    wait.end([:])
                }
                if let seconds { wait.timer = EventLoop.shared.after(seconds) { wait.cancel() } }
                plan?.wait = { wait.cancel() }
            }
        } onCancel: {
            EventLoop.shared.post { wait.cancel() }
        }
        for (place, outcome) in outcomes { if case .refused = outcome { refusals.refuse(place, to: client) } }
        return outcomes
    }

    /// Whether the owner says yes to something that isn't an item's release.
    func ownerAgrees(_ reason: String, plan: PromptPlan) async -> Bool {
        // A line that is full is no yes.
        let answer = try? await evaluations.run(for: plan.reader.identity) {
            if plan.isWithdrawn { return false }
            let wait = OwnerWait<Bool>(otherwise: false)
            return await withCheckedContinuation { continuation in
                wait.begin(continuation)
                let yes = OwnersYes()
                wait.giveUp = { yes.withdraw() }
                yes.evaluate(reason, for: plan.reader) { result in
                    if case .success = result { wait.end(true) } else { wait.end(false) }
                }
                plan.wait = { wait.cancel() }
            }
        }
        return answer ?? false
    }
}

/// A task that waits for an answer, once.
@OnLoop final class OwnerWait<Value: Sendable> {
    private var continuation: CheckedContinuation<Value, Never>?
    private let otherwise: Value
    private var isOver = false
    /// Ends the waiting when its time is over.
    var timer: LoopTimer?
    /// Takes the question back.
    var giveUp: (() -> Void)?

    nonisolated init(otherwise: Value) { self.otherwise = otherwise }

    func begin(_ continuation: CheckedContinuation<Value, Never>) {
        if isOver { return continuation.resume(returning: otherwise) }
        self.continuation = continuation
    }

    func end(_ value: Value) {
        isOver = true
        timer?.cancel()
        giveUp = nil
        continuation?.resume(returning: value)
        continuation = nil
    }

    /// Nobody waits any longer.
    func cancel() {
        if isOver { return }
        giveUp?()
        end(otherwise)
    }
}
