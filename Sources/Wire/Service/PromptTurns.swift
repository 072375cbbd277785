import ThumbAccess
import ThumbAuthentication
import ThumbLoop

/// The owner's one screen: who has it, who waits for it, and when a turn ends by itself.
///
/// It carries out what `PromptLine` decides. Evaluations and the choice of a passcode take turns here in the same way.
@OnLoop final class PromptTurns {
    /// One request to show the owner something.
    final class Turn {
        let caller: Caller
        /// The connection that asks.
        let client: ObjectIdentifier
        /// The program that asks through the caller, if the caller is a provider.
        fileprivate let reader: Reader?
        fileprivate let number: UInt64
        fileprivate let prompt: any Prompt
        fileprivate var state = State.waits
        /// Whether it was on the screen, so that a touch could have been meant for it.
        fileprivate var wasSeen = false
        fileprivate var actedAt = 0.0
        fileprivate var beganAt = 0.0
        /// When the check of what the owner typed began; nil if none runs.
        fileprivate var judgedSince: Double?
        private(set) var spot = PromptSpot.elsewhere
        /// Called when its prompt is up and has the screen. From then on `heard` gets what the prompt says.
        fileprivate let begin: (Turn) -> Void
        /// Called when the turn fails and nobody was asked.
        fileprivate let lose: (EvaluationFailure) -> Void
        /// Gets what the prompt says, from `begin` on.
        var heard: (PromptAnswer) -> Void = { _ in }

        fileprivate enum State { case waits, shown, over }

        fileprivate init(
            _ number: UInt64, _ caller: Caller, _ client: ObjectIdentifier, _ reader: Reader?, _ prompt: any Prompt,
            begin: @escaping (Turn) -> Void, lose: @escaping (EvaluationFailure) -> Void
        ) {
            self.number = number
            self.caller = caller
            self.client = client
            self.reader = reader
            self.prompt = prompt
            self.begin = begin
            self.lose = lose
        }

        /// When it ends by itself.
        fileprivate var due: Double {
            judgedSince == nil
                ? min(actedAt + PromptLimit.secondsWithoutAct, beganAt + PromptLimit.secondsAtMost) : .infinity
        }

        /// What the line counts as one program.
        fileprivate var program: ExactName { reader?.identity ?? caller.line }

        /// What the line counts as one connection. The readers of a provider share its connection, and none of them may hold up the others.
        fileprivate var place: UInt64 {
            guard let reader else { return UInt64(UInt(bitPattern: client)) }
            var hasher = Hasher()
            hasher.combine(client)
            hasher.combine(reader.identity)
            return UInt64(UInt(bitPattern: hasher.finalize()))
        }

        fileprivate func stand(at spot: PromptSpot) { self.spot = spot }
        func show(_ content: PromptContent) { prompt.show(content) }
    }

    private let prompts: any PromptSource
    private let clock: any HouseClock
    /// Called when a prompt that was seen leaves the screen.
    var onGone: () -> Void = {}
    private var line = PromptLine()
    private var turns: [UInt64: Turn] = [:]
    /// Those whose prompts were called for: few, however many calls wait.
    private var summoned: [UInt64: Turn] = [:]
    private var last: UInt64 = 0
    private var isMoving = false
    /// Whether a timer is set that checks whether the turn on the screen is over. One timer serves all turns.
    private var isAlarmSet = false
    /// Programs whose prompts the owner doesn't want for a while, and until when.
    private var dismissed: [ExactName: Double] = [:]

    init(_ prompts: any PromptSource, _ clock: any HouseClock) {
        self.prompts = prompts
        self.clock = clock
    }

    /// How many programs wait.
    var waiting: Int { line.waiting }

    // MARK: Coming and going

    /// Takes a request in. `begin` is called when the owner can be asked, `lose` if that never happens; each at most once.
    @discardableResult
    func enter(
        _ caller: Caller, _ client: ObjectIdentifier, for reader: Reader? = nil, replaces: Bool,
        offer: @escaping ([UInt8]) -> Void,
        begin: @escaping (Turn) -> Void, lose: @escaping (EvaluationFailure) -> Void
    ) -> Turn {
        last += 1
        let turn = Turn(
            last, caller, client, reader, prompts.makePrompt(for: caller, offer: offer), begin: begin, lose: lose)
        let program = turn.program
        if isDismissed(program) {
            turn.state = .over
            lose(.userCancel)
            return turn
        }
        if replaces { interrupt(whatIsInTheWayOf: turn) }
        turns[turn.number] = turn
        guard line.enter(turn.number, of: program, client: turn.place, isFirst: replaces) else {
            leave(turn, .failure) { lose(.systemCancel) }
            return turn
        }
        move()
        return turn
    }

    /// A program's newer evaluation interrupts what that program has on the screen, and what this connection is about to show. It
    /// interrupts nobody else.
    private func interrupt(whatIsInTheWayOf new: Turn) {
        for turn in summoned.values.sorted(by: { $0.number < $1.number })
        where turn.state == .shown && turn.program == new.program || turn.place == new.place {
            hear(.interrupted, turn)
        }
    }

    /// Ends a turn, even one that never began: its prompt closes, its call is told, and the next turn begins.
    func leave(_ turn: Turn, _ ending: PromptEnding, then: () -> Void = {}) {
        guard turns.removeValue(forKey: turn.number) != nil else { return then() }
        summoned[turn.number] = nil
        turn.state = .over
        turn.heard = { _ in }
        line.leave(turn.number)
        turn.prompt.dismiss(ending)
        if turn.wasSeen { onGone() }
        then()
        move()
    }

    /// Ends every turn, because the session was locked.
    func interruptAll() {
        for turn in turns.values.sorted(by: { $0.number < $1.number }) { hear(.interrupted, turn) }
    }

    private func isDismissed(_ program: ExactName) -> Bool {
        guard let until = dismissed[program] else { return false }
        if clock.now < until { return true }
        dismissed[program] = nil
        return false
    }

    private func dismissProgram(of turn: Turn) {
        let program = turn.program
        if dismissed.count >= PromptLimit.dismissedPrograms { dismissed = [:] }
        dismissed[program] = clock.now + PromptLimit.secondsDismissed
        for wish in line.wishes(of: program) {
            if let turn = turns[wish] { hear(.cancel, turn) }
        }
    }

    // MARK: Whose turn it is

    /// Asks for the prompts that are wanted, and gives the screen to the next one. Changes that happen meanwhile are handled in the same
    /// run.
    private func move() {
        if isMoving { return }
        isMoving = true
        defer { isMoving = false }
        while let turn = nextToSummon() ?? nextToShow() {
            if turn.state == .shown { turn.begin(turn) } else { summon(turn) }
        }
        tellWaiting()
    }

    private func nextToSummon() -> Turn? {
        for wish in line.wanted() {
            if let turn = turns[wish], summoned[wish] == nil,
                turn.reader == nil || readersSummoned(by: turn.caller) < Self.readersAtOnce
            {
                return turn
            }
        }
        return nil
    }

    /// For how many readers of one provider prompts are called for at a time. Any program can be a new reader at will, by a text on an
    /// interpreter's command line, and must not start as many prompts.
    private static let readersAtOnce = 16

    /// Counted over all of the provider's connections.
    private func readersSummoned(by provider: Caller) -> Int {
        summoned.values.count { $0.reader != nil && $0.caller.line == provider.line }
    }

    private func nextToShow() -> Turn? {
        guard let turn = line.next().flatMap({ turns[$0] }) else { return nil }
        turn.state = .shown
        (turn.beganAt, turn.actedAt) = (clock.now, clock.now)
        endInTime(turn)
        return turn
    }

    private func summon(_ turn: Turn) {
        summoned[turn.number] = turn
        turn.prompt.summon { [weak self, weak turn] answer in
            guard let self, let turn else { return }
            self.hear(answer, turn)
        }
    }

    private func tellWaiting() {
        let before = line.waiting
        for turn in summoned.values where turn.state == .waits { turn.prompt.wait(behind: max(1, before)) }
    }

    private func hear(_ answer: PromptAnswer, _ turn: Turn) {
        switch (answer, turn.state) {
        case (_, .over): break
        case (.stands(let spot), _):
            turn.stand(at: spot)
            line.stands(turn.number)
            move()
        case (.acts, _): turn.actedAt = clock.now
        case (.dismissProgram, _): dismissProgram(of: turn)
        case (_, .shown):
            turn.actedAt = clock.now
            if case .shown = answer { turn.wasSeen = true }
            turn.heard(answer)
        case (.cancel, .waits): lose(turn, .userCancel)
        case (.unavailable, .waits): lose(turn, .notInteractive)
        case (.interrupted, .waits): lose(turn, .systemCancel)
        // Nothing is on the screen yet that these could be about.
        case (.shown, .waits), (.typed, .waits), (.fallback, .waits): break
        }
    }

    private func lose(_ turn: Turn, _ failure: EvaluationFailure) {
        leave(turn, .cancelled) { turn.lose(failure) }
    }

    // MARK: The end that every turn has

    /// The owner touched the sensor.
    func acts(_ turn: Turn) { turn.actedAt = clock.now }

    /// The check of what the owner typed begins. Until it ends, the owner waits for the daemon and doesn't count as idle.
    func looks(_ turn: Turn) { turn.judgedSince = clock.now }

    func hasLooked(_ turn: Turn) {
        guard turn.state == .shown, let since = turn.judgedSince else { return }
        turn.judgedSince = nil
        turn.beganAt += clock.now - since
        turn.actedAt = clock.now
        endInTime(turn)
    }

    /// A single alarm is enough: no turn is due before the one that was on the screen when it was set.
    private func endInTime(_ turn: Turn) {
        guard !isAlarmSet, turn.due < .infinity else { return }
        isAlarmSet = true
        clock.after(max(0, turn.due - clock.now)) { [weak self] in
            guard let self else { return }
            self.isAlarmSet = false
            for turn in self.turns.values where turn.state == .shown {
                if self.clock.now >= turn.due { self.hear(.interrupted, turn) } else { self.endInTime(turn) }
            }
        }
    }
}

extension Caller {
    /// What the line counts as one program: the name that proves most. A program gets no second place by claiming another name.
    fileprivate var line: ExactName { program.name ?? program.path ?? own }
}
