import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// What the system's login may say: that a user typed this password, or has just made it the account's. The answer only says whether that
/// was of use, and nothing else is accepted.
@OnLoop final class LoginCalls {
    private weak var session: Session?
    private let device: Device
    private let service: Service
    private var isBusy = false

    init(_ session: Session, _ device: Device, _ service: Service) {
        self.session = session
        self.device = device
        self.service = service
    }

    func take(_ word: FromLogin, _ call: UInt32) throws(Refusal) {
        switch word {
        case .offerPasscode(let offer): try take(offer, call)
        }
    }

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
}
