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
    private var isBusy = false
    /// The question that the owner has before them; nil if there is none.
    private var job: EvaluationDesk.Job?
    private var isEnded = false

    init(_ session: Session, _ device: Device, _ service: Service) {
        self.session = session
        self.device = device
        self.service = service
    }

    func take(_ word: FromLogin, _ call: UInt32) throws(Refusal) {
        switch word {
        case .offerPasscode(let offer): try take(offer, call)
        case .askOwner(let asked): try take(asked, call)
        case .promptUnavailable(let said): device.parts.prompts.refuse(ticket: said.ticket, uid: service.onlyUser ?? 0)
        }
    }

    /// The login is gone: nobody waits for the answer any more.
    func end() {
        isEnded = true
        guard let job else { return }
        self.job = nil
        job.isTakenBack = true
        device.desk.withdraw(job)
    }

    // MARK: A password

    private func take(_ offer: OfferPasscode, _ call: UInt32) throws(Refusal) {
        let uid = offer.uid
        // One login has one password. More at once would be guessing.
        guard !isBusy else { throw .tooManyCalls }
        guard uid == service.onlyUser else { return answer(.refused, call) }
        isBusy = true
        device.loginOffers(offer.password, isNew: offer.isNew) { [self, device] offering in
            isBusy = false
            let login = Caller(uid: uid, pid: 0, kind: .protected, name: "login", groups: [])
            switch offering {
            case .opened: device.note(.evaluated, by: login)
            case .renewed: device.note(.passcodeSet, by: login)
            case .expected, .refused: break
            }
            answer(offering, call)
        }
    }

    private func answer(_ offering: OwnerPasscode.Offering, _ call: UInt32) {
        session?.send(Flag(offering != .refused), call)
    }

    // MARK: A finger

    /// Asks the owner for a finger alone: the login itself takes the password, and PAM judges it.
    private func take(_ asked: AskOwner, _ call: UInt32) throws(Refusal) {
        guard !isBusy, let session else { throw .tooManyCalls }
        guard asked.uid == service.onlyUser else { return answer(.failure(.notInteractive), call) }
        isBusy = true
        let login = Caller(
            uid: asked.uid, pid: session.peer.pid, kind: .protected, name: SafeText(asked.deed.service, limit: 60).description,
            groups: [],
            place: device.parts.place(asked.uid, session.peer.pid))
        device.parts.biometry.prepare(isCasual: false) { [weak self] in self?.ask(login, asked.deed, call) }
    }

    private func ask(_ login: Caller, _ deed: LoginDeed, _ call: UInt32) {
        if isEnded { return }
        let job = EvaluationDesk.Job(
            demands: Demands([[.biometry]]), caller: login, client: ObjectIdentifier(self), words: PromptWords(ours: deed.reason),
            interactionNotAllowed: false, order: .waits, judge: .passcode,
            offer: { [weak self] in self?.offer($0, login, call) },
            finish: { [weak self] in self?.finished($0, login, call) })
        self.job = job
        device.desk.submit(job)
    }

    /// A login shows nothing in a window. Without an agent it has to say that there is no prompt.
    private func offer(_ ticket: [UInt8], _ login: Caller, _ call: UInt32) {
        if login.place.windowSession == nil {
            session?.send(PromptNeeded(ticket: ticket), call)
        } else {
            session?.send(WindowNeeded(ticket: ticket), call)
        }
    }

    private func finished(_ outcome: Evaluation.Outcome, _ login: Caller, _ call: UInt32) {
        // A login that is gone has its password, so this is no failure of anybody's.
        if isEnded { return }
        job = nil
        isBusy = false
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
    }
}
