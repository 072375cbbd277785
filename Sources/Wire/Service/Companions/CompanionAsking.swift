import ThumbAccess
import ThumbAuthentication
import ThumbCompanion
import ThumbKeychain
import ThumbLoop

/// One question to one companion, from the call to the verdict.
@OnLoop final class CompanionAsking {
    private enum State {
        case begins
        case calling(Calling)
        /// The link key agrees with what the companion sent.
        case agreeing
        case asked(Asked)
        case over
    }

    let machine: PairedMachine
    private let question: CompanionQuestion
    private unowned let desk: CompanionDesk
    private var state = State.begins
    private var conversation: [UInt8] = []

    init(_ machine: PairedMachine, _ question: CompanionQuestion, _ desk: CompanionDesk) {
        (self.machine, self.question, self.desk) = (machine, question, desk)
    }

    func begin() {
        // Another companion may have decided it already.
        guard case .begins = state else { return }
        attempt { () throws(CompanionRefusal) in
            let calling = try Calling(
                desk.parts.crypto, CompanionKeys(pairing: machine.id, link: machine.otherLink, yes: machine.otherYes))
            (state, conversation) = (.calling(calling), calling.conversation)
            desk.send(calling.frame, to: machine)
            // Only this clock counts: no frame says when it was sent.
            limit(CompanionLimit.secondsToReach) { if case .asked = $0 { false } else { true } }
        }
    }

    /// A frame came. One of another conversation is nobody's.
    func hear(_ frame: [UInt8]) {
        guard ConversationNumber.of(frame) == conversation else { return }
        attempt { () throws(CompanionRefusal) in
            switch state {
            case .calling(let calling):
                let heard = try calling.heard(frame)
                state = .agreeing
                desk.agree(machine, with: heard.companion) { [weak self] shared in
                    guard let self, case .agreeing = state else { return }
                    guard let shared else { return end(.away) }
                    attempt { () throws(CompanionRefusal) in try ask(try heard.joined(shared)) }
                }
            // Anybody who has heard the answer can call again in our name. The companion answers that as well, and means nobody here.
            case .agreeing where ConversationNumber.isAnswer(frame), .asked where ConversationNumber.isAnswer(frame): return
            case .asked(let asked): judge(try asked.verdict(frame))
            case .begins, .agreeing, .over: throw CompanionRefusal.malformed
            }
        }
    }

    private func ask(_ joined: CompanionJoined) throws(CompanionRefusal) {
        guard joined.canAsk else { return end(.away) }
        let asked = try joined.asked(question)
        state = .asked(asked)
        desk.send(asked.frame, to: machine)
        limit(CompanionLimit.secondsToAnswer) { if case .asked = $0 { true } else { false } }
        desk.asks()
    }

    private func judge(_ verdict: CompanionVerdict) {
        switch verdict {
        case .yes: end(.yes)
        case .refused: end(.refused)
        case .unrecognized: end(.unrecognized)
        case .notAsked: end(.away)
        }
    }

    /// The line is down, or the pairing gone.
    func hearNothing() { end(.away) }

    /// Takes the question back; nobody is told the outcome.
    func withdraw() {
        if case .asked(let asked) = state {
            do throws(CompanionRefusal) {
                desk.send(try asked.withdrawn(), to: machine)
            } catch {
                // Its prompt ends by itself.
            }
        }
        state = .over
    }

    private func end(_ said: CompanionReport) {
        if case .over = state { return }
        // A companion that was asked and is too late still shows its prompt.
        if said == .away { withdraw() }
        state = .over
        desk.ended(self, said)
    }

    private func limit(_ seconds: Double, _ applies: @escaping (State) -> Bool) {
        desk.parts.clock.after(seconds) { [weak self] in
            guard let self else { return }
            if case .over = state { return }
            if applies(state) { end(.away) }
        }
    }

    /// What isn't the companion's, or can't be done, ends the conversation.
    private func attempt(_ body: () throws(CompanionRefusal) -> Void) {
        do throws(CompanionRefusal) {
            try body()
        } catch {
            if error == .notGenuine { desk.logSparingly("a frame that isn't a paired machine's was taken for a no") }
            end(.away)
        }
    }
}
