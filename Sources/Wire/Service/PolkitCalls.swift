import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// What polkit's agent may say: that the owner is to be asked for what polkit wants, what the system says about a typed password, and which
/// process of its own the owner's touch is for.
///
/// The agent tells polkit nothing itself. Polkit believes PAM alone, which runs in a process of root's, and there our module asks for the
/// touch. So whoever plays the agent has nothing to give.
@OnLoop final class PolkitCalls {
    private weak var session: Session?
    private let device: Device
    private let uid: UInt32
    /// The question that the owner has before them; nil if there is none.
    private var job: EvaluationDesk.Job?
    /// Judges what is typed for it.
    private var judge: RelayedPassword?
    /// Until when the owner's touch for the latest question can be lent; nil if there is none, or it was lent.
    private var touchEnds: Double?
    private var borrower: Int32?
    private var isEnded = false

    init(_ session: Session, _ device: Device, uid: UInt32) {
        (self.session, self.device, self.uid) = (session, device, uid)
    }

    func take(_ word: FromPolkitAgent, _ call: UInt32) throws(Refusal) {
        switch word {
        case .ask(let asked): try take(asked, call)
        case .lendTouch(let said): lend(to: Int32(clamping: said.process), call)
        case .question(let question): judge?.asks(question)
        case .verdict(let said): judge?.says(said.verdict)
        case .promptUnavailable(let said): device.parts.prompts.refuse(ticket: said.ticket, uid: uid)
        }
    }

    /// The agent is gone, and its processes with it.
    func end() {
        isEnded = true
        if let borrower { device.lentTouches.forget(borrower) }
        guard let job else { return }
        self.job = nil
        job.isTakenBack = true
        device.desk.withdraw(job)
    }

    // MARK: Asking

    private func take(_ asked: AskForPolkit, _ call: UInt32) throws(Refusal) {
        guard job == nil, let session else { throw .tooManyCalls }
        touchEnds = nil
        let caller = Caller(
            uid: uid, pid: session.peer.pid, kind: .protected, name: "polkit", groups: [],
            place: device.parts.place(uid, session.peer.pid))
        // The owner's finger is the owner's word, and nobody else's. It counts only if the owner sees all that it is for.
        let takesFinger = asked.takesFinger && asked.uid == uid && asked.words.isWhole
        var demands = Demands(takesFinger ? [[.biometry], [.passcode]] : [[.passcode]])
        // A camera can be shown a picture, and root's rights are worth one.
        demands.refusesConvenience = true
        let judge = RelayedPassword(
            reply: { [weak session] in session?.send($0, call) },
            send: { [weak session] in session?.send(CheckPassword(uid: asked.uid, $0), call) })
        let job = EvaluationDesk.Job(
            demands: demands, caller: caller, client: ObjectIdentifier(self), words: PromptWords(ours: asked.words.message),
            interactionNotAllowed: false, order: .waits, judge: .system(judge),
            offer: { [weak session] in session?.offer($0, to: caller, call) },
            finish: { [weak self] in self?.finished($0, caller, call) })
        job.polkit = asked.words
        (self.job, self.judge) = (job, judge)
        device.parts.biometry.prepare(isCasual: false) { [weak self] in
            guard let self, !isEnded else { return }
            device.desk.submit(job)
        }
    }

    private func finished(_ outcome: Evaluation.Outcome, _ caller: Caller, _ call: UInt32) {
        (job, judge) = (nil, nil)
        if isEnded { return }
        let result: Result<Factor, EvaluationFailure>
        switch outcome {
        case .success(let factors, _):
            let isTouched = factors.contains(.biometry)
            if isTouched { touchEnds = EventLoop.now + LentTouches.seconds }
            // A password that the system takes is no passcode, so nothing was shown of what the daemon knows.
            device.note(.evaluated, by: caller, factors: isTouched ? [.biometry] : [])
            result = .success(isTouched ? .biometry : .passcode)
        case .failure(let failure):
            device.note(.evaluated, by: caller, failure: failure.keychainFailure, factors: [])
            result = .failure(failure)
        }
        session?.send(EvaluationReply(result: result, kind: device.parts.biometry.kind), call)
    }

    // MARK: The touch

    private func lend(to process: Int32, _ call: UInt32) {
        guard let session else { return }
        let isLent = touchEnds.map { EventLoop.now < $0 } == true && process > 0
        touchEnds = nil
        if isLent {
            if let borrower { device.lentTouches.forget(borrower) }
            device.lentTouches.lend(to: process, by: session.peer.pid)
            borrower = process
        }
        session.send(Flag(isLent), call)
    }
}
