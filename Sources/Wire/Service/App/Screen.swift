import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSecrets

/// The owner's screen while one call has it: what is shown, and what the owner does there.
@OnLoop final class Screen {
    private enum Event {
        case begun
        case lost(EvaluationFailure)
        case answer(PromptAnswer)
        /// The call's connection is gone.
        case takenBack
    }

    private let call: RunningCall
    private var turn: PromptTurns.Turn?
    private var events: [Event] = []
    private var waiter: CheckedContinuation<Event, Never>?

    /// Waits for the screen. Fails with an `EvaluationFailure` if it never comes.
    init(for call: RunningCall) async throws {
        self.call = call
        let app = call.app
        let turn = turns.enter(
            app.caller, ObjectIdentifier(app), replaces: false,
            offer: { [weak app, number = call.number] in app?.offer($0, number) },
            begin: { [weak self] turn in
                turn.heard = { [weak self] in self?.put(.answer($0)) }
                self?.put(.begun)
            },
            lose: { [weak self] in self?.put(.lost($0)) })
        self.turn = turn
        switch await next() {
        case .begun, .answer: break
        case .lost(let failure):
            self.turn = nil
            throw failure
        case .takenBack: throw CancellationError()
        }
    }

    private var turns: PromptTurns { call.app.device.desk.turns }

    func show(_ purpose: PromptPurpose, _ words: PromptWords, _ notice: PromptNotice?) {
        turn?.show(
            PromptContent(purpose: purpose, program: call.app.caller.program, words: words, acceptsPasscode: true, notice: notice)
        )
    }

    /// Waits for what the owner types. Fails with a `KeychainFailure` if they cancel or the prompt ends.
    func typed() async throws -> SecretBytes {
        while true {
            switch await next() {
            case .answer(.typed(let typed)): return typed
            case .answer(.cancel):
                close(.cancelled)
                throw KeychainFailure.userCanceled
            case .answer(.interrupted):
                close(.cancelled)
                throw KeychainFailure.authenticationFailed
            case .answer(.unavailable):
                close(.cancelled)
                throw KeychainFailure.interactionNotAllowed
            case .takenBack: throw CancellationError()
            case .answer(.fallback), .answer(.shown), .answer(.stands), .answer(.acts), .answer(.dismissProgram), .begun, .lost:
                break
            }
        }
    }

    /// The owner has typed and now waits for the daemon. It is too late to cancel.
    func looks() {
        guard let turn else { return }
        turn.heard = { _ in }
        turns.looks(turn)
    }

    /// Gives the screen up.
    func close(_ ending: PromptEnding) {
        guard let turn else { return }
        self.turn = nil
        turns.leave(turn, ending)
    }

    // MARK: What comes

    private func put(_ event: Event) {
        guard let waiter else { return events.append(event) }
        self.waiter = nil
        waiter.resume(returning: event)
    }

    private func next() async -> Event {
        if Task.isCancelled { return takenBack() }
        if !events.isEmpty { return events.removeFirst() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter = $0 }
        } onCancel: {
            // Only a closing connection cancels, and connections are closed on the loop.
            OnLoop.assumed { put(takenBack()) }
        }
    }

    private func takenBack() -> Event {
        close(.cancelled)
        return .takenBack
    }
}
