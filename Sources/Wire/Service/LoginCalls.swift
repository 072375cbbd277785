import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// What the system's login may say: that a user typed this password, or has just made it the account's; and that the owner is to be asked
/// for a finger where the system asks for a password. The answers only say whether a password was of use, and how asking ended.
@OnLoop final class LoginCalls {
    private weak var session: Session?
    private let device: Device
    private let service: Service
    private var stage = Stage.silent
    /// The question that the owner has before them; nil if there is none.
    private var job: EvaluationDesk.Job?
    private var isEnded = false
    /// Ends a connection that holds its place for nothing.
    private var timer: LoopTimer?

    /// A connection has one password or one question.
    private enum Stage {
        case silent
        /// Its answer is on the way.
        case busy
        /// A finger has let it in, and the system hasn't said yet that it goes on.
        case letIn
    }

    init(_ session: Session, _ device: Device, _ service: Service) {
        self.session = session
        self.device = device
        self.service = service
        endAfter(service.secondsForHello)
    }

    /// Closes the connection after so long. A user can stop a process that asks, such as `su`, and would keep others from its place.
    private func endAfter(_ seconds: Double) {
        timer?.cancel()
        timer = EventLoop.shared.after(seconds) { [weak self] in self?.session?.close() }
    }

    func take(_ word: FromLogin, _ call: UInt32) throws(Refusal) {
        switch word {
        case .offerPasscode(let offer): try take(offer, call)
        case .askOwner(let asked): try take(asked, call)
        case .loginStands:
            guard device.loginStands(self) else { throw .notAllowedInThisRole }
            session?.close()
        case .promptUnavailable(let said): device.parts.prompts.refuse(ticket: said.ticket, uid: service.onlyUser ?? 0)
        }
    }

    /// The login is gone: nobody waits for the answer any more.
    func end() {
        isEnded = true
        timer?.cancel()
        device.loginEnds(self)
        guard let job else { return }
        self.job = nil
        job.isTakenBack = true
        device.desk.withdraw(job)
    }

    private func begin() throws(Refusal) {
        // More than one password would be guessing.
        guard stage == .silent else { throw .tooManyCalls }
        stage = .busy
        timer?.cancel()
    }

    // MARK: A password

    private func take(_ offer: OfferPasscode, _ call: UInt32) throws(Refusal) {
        let uid = offer.uid
        try begin()
        guard uid == service.onlyUser else { return answer(.refused, call) }
        device.loginOffers(offer.password, isNew: offer.isNew) { [self, device] offering in
            let login = Caller(uid: uid, pid: 0, kind: .protected, name: "login", groups: [])
            switch offering {
            case .opened: device.note(.evaluated, by: login)
            case .renewed: device.note(.passcodeSet, by: login)
            case .refused: break
            }
            answer(offering, call)
        }
    }

    private func answer(_ offering: OwnerPasscode.Offering, _ call: UInt32) {
        session?.send(Flag(offering != .refused), call)
        session?.close()
    }

    // MARK: A finger

    /// A finger alone. A camera can be shown a picture, and a login, or root, is worth one.
    private static let demands = {
        var demands = Demands([[.biometry]])
        demands.refusesConvenience = true
        return demands
    }()

    /// Asks the owner for a finger alone: the login itself takes the password, and PAM judges it.
    private func take(_ asked: AskOwner, _ call: UInt32) throws(Refusal) {
        guard let session else { return }
        try begin()
        guard asked.uid == service.onlyUser, asked.deed.isShownExactly else { return answer(.failure(.notInteractive), call) }
        // Polkit's agent has had the owner asked already, or nobody has.
        if asked.deed.isPolkit {
            let isTouched = device.lentTouches.take(for: session.peer.pid)
            return answer(isTouched ? .success(.biometry) : .failure(.notInteractive), call)
        }
        let login = Caller(
            uid: asked.uid, pid: session.peer.pid, kind: .protected, name: SafeText(asked.deed.service, limit: 60).description,
            groups: [], place: place(of: session.peer.pid, asked.uid, asked.deed))
        device.parts.biometry.prepare(isCasual: false) { [weak self] in self?.ask(login, asked.deed, call) }
    }

    /// Where the login asks: in a session of the user's, or on a text console or at a greeter before there is one.
    ///
    /// Whatever gives root is asked only in a session. A program of a user's could start it on a console that it has for itself.
    private func place(of pid: Int32, _ uid: UInt32, _ deed: LoginDeed) -> CallerPlace {
        let place = device.parts.place(uid, pid)
        if deed.isGreeter { return greeter(place, pid, deed) }
        guard deed.isLogin, place == .unknown, let console = device.parts.seat.loginConsole(of: pid) else { return place }
        return .loginConsole(terminal: console)
    }

    /// GDM's process for a login is in no session, and the one that unlocks a session is in that. Anybody may have GDM ask from elsewhere.
    private func greeter(_ place: CallerPlace, _ pid: Int32, _ deed: LoginDeed) -> CallerPlace {
        switch place {
        case .unknown where deed.isLogin && device.parts.seat.isOutsideSessions(pid): .greeter
        case .display(let session) where !deed.isLogin: .lockScreen(session: session)
        case .unknown, .remote, .console, .loginConsole, .greeter, .lockScreen, .display: .remote
        }
    }

    private func ask(_ login: Caller, _ deed: LoginDeed, _ call: UInt32) {
        if isEnded { return }
        let job = EvaluationDesk.Job(
            demands: Self.demands, caller: login, client: ObjectIdentifier(self), words: PromptWords(ours: deed.reason),
            interactionNotAllowed: false, order: .waits, judge: .passcode,
            // A login shows nothing in a window. Without an agent it has to say that there is no prompt.
            offer: { [weak self] in self?.session?.offer($0, to: login, call) },
            finish: { [weak self] in self?.finished($0, login, deed, call) })
        switch login.place {
        case .loginConsole, .greeter: job.isLogin = deed.isLogin
        case .unknown, .remote, .console, .display, .lockScreen: break
        }
        self.job = job
        device.desk.submit(job)
    }

    private func finished(_ outcome: Evaluation.Outcome, _ login: Caller, _ deed: LoginDeed, _ call: UInt32) {
        // A login that is gone has its password, so this is no failure of anybody's.
        if isEnded { return }
        let isLogin = job?.isLogin == true
        job = nil
        guard case .success = outcome else { return told(outcome, login, call) }
        guard isLogin else {
            // Unlocking opens nothing: whether a session is locked, its own programs say. It only spares apps that allow it their question.
            if Self.isUnlock(deed, at: login.place) { device.session.wasTouched() }
            return told(outcome, login, call)
        }
        // This stays until the store is open: a login that goes away meanwhile has opened nothing.
        device.ownerLogsIn(self) { [self] isOpen in
            if isEnded { device.loginEnds(self) }
            if isOpen { stage = .letIn }
            // The machine was started in another way than when the owner chose this: then a finger is no login.
            told(isOpen ? outcome : .failure(.biometryLockout), login, call)
        }
    }

    /// Whether a finger has unlocked a session: at its lock screen, or on its own text console.
    private static func isUnlock(_ deed: LoginDeed, at place: CallerPlace) -> Bool {
        switch place {
        case .lockScreen, .console: deed.isLock
        case .unknown, .remote, .display, .loginConsole, .greeter: false
        }
    }

    private func told(_ outcome: Evaluation.Outcome, _ login: Caller, _ call: UInt32) {
        if isEnded { return }
        switch outcome {
        case .success(let factors, _):
            device.note(.evaluated, by: login, factors: factors)
            answer(.success(.biometry), call)
        case .failure(let failure):
            device.note(.evaluated, by: login, failure: failure.keychainFailure, factors: [])
            answer(.failure(failure), call)
        }
    }

    private func answer(_ result: Result<Factor, EvaluationFailure>, _ call: UInt32) {
        if isEnded { return }
        session?.send(EvaluationReply(result: result, kind: device.parts.biometry.kind), call)
        if stage == .letIn { endAfter(service.secondsToStand) } else { session?.close() }
    }
}
