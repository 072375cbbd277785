import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

/// What an evaluation wants done, in a form that can be compared: contents are kept aside, a passcode isn't looked at.
enum Step: Equatable {
    case show, update, listen, stopListening, reach, stopReaching, check, renew, answer
    case dismiss(PromptEnding)
    /// Misses at the sensor, wrong passcodes.
    case commit(Int, Int)
    case wait(Double)
    case success(Set<Factor>)
    case failure(EvaluationFailure)
}

/// One evaluation being played: events go in by hand, steps come out.
struct Play {
    var evaluation: Evaluation
    /// What the prompt shows now.
    private(set) var shown: PromptContent?
    /// Under which enrolment it was won.
    private(set) var enrolment: Enrolment?

    static let enrolled = Enrolment.known([7])

    init(
        _ demands: [Set<Factor>], on device: DeviceState = .finger, fallback: String? = nil, interactive: Bool = true,
        passcodeWait: Double = 0
    ) {
        evaluation = Evaluation(
            Evaluation.Terms(
                demands: Demands(demands), program: ProgramWords(name: "app"),
                words: PromptWords(reason: "r", fallbackTitle: fallback),
                interactionNotAllowed: !interactive),
            on: device, passcodeWait: passcodeWait)
    }

    /// Begins, and lets the prompt come to the screen at once unless told otherwise.
    mutating func begin(isShown: Bool = true) -> [Step] {
        let steps = take(evaluation.begin())
        return isShown ? steps + after(.shown) : steps
    }

    mutating func after(_ event: Evaluation.Event) -> [Step] { take(evaluation.handle(event)) }

    /// The owner types something; which passcode it is, the verdict says.
    mutating func typed() throws -> [Step] { after(.typed(try SecretBytes(copying: Array("0000".utf8)))) }

    mutating func matched() -> [Step] { after(.match(Self.enrolled)) }

    private mutating func take(_ effects: [Evaluation.Effect]) -> [Step] { effects.map { step($0) } }

    private mutating func step(_ effect: Evaluation.Effect) -> Step {
        switch effect {
        case .show(let content):
            shown = content
            return .show
        case .update(let content):
            shown = content
            return .update
        case .dismiss(let ending): return .dismiss(ending)
        case .listen: return .listen
        case .stopListening: return .stopListening
        case .reach: return .reach
        case .stopReaching: return .stopReaching
        case .commit(let attempts): return .commit(attempts.biometric, attempts.passcode)
        case .check: return .check
        case .renew: return .renew
        case .answer: return .answer
        case .wait(let seconds): return .wait(seconds)
        case .finish(.success(let given, let enrolment)):
            self.enrolment = enrolment
            return .success(given)
        case .finish(.failure(let failure)): return .failure(failure)
        }
    }
}

/// The demands of the policies and rules that the tests play.
enum Wanted {
    static let biometry: [Set<Factor>] = [[.biometry]]
    static let owner: [Set<Factor>] = [[.biometry], [.passcode]]
    static let passcode: [Set<Factor>] = [[.passcode]]
    static let both: [Set<Factor>] = [[.biometry, .passcode]]
}

extension DeviceState {
    static let finger = device(.touchID)
    static let face = device(.faceID)
    static let passcodeOnly = device(.none, .notAvailable)

    static func device(
        _ kind: BiometryKind, _ condition: BiometryCondition = .ready, passcode: Bool = true, given: Bool = true,
        misses: Int = 0, wrong: Int = 0, companions: [String] = []
    ) -> DeviceState {
        DeviceState(
            kind: kind, condition: condition, passcodeIsSet: passcode, passcodeWasGiven: given,
            attempts: Attempts(biometric: misses, passcode: wrong), companions: companions)
    }
}
