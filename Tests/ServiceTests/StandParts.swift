import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSecrets
import ThumbSimulation

/// The counters of a store, which a test can make fail as a full disk does.
final class BreakableLedger: AttemptLedger {
    struct Broken: Error {}

    private let ledger: any AttemptLedger
    var isBroken = false

    init(_ ledger: any AttemptLedger) { self.ledger = ledger }

    var attempts: Attempts { ledger.attempts }

    func commit(_ attempts: Attempts) throws {
        if isBroken { throw Broken() }
        try ledger.commit(attempts)
    }
}

/// A sensor as it is known: while it isn't, it counts as out of reach until somebody looks who wants no earlier result.
final class KnownSensor: Biometry {
    private let sensor: SimulatedBiometry
    var isKnown = true

    init(_ sensor: SimulatedBiometry) { self.sensor = sensor }

    var kind: BiometryKind { sensor.kind }
    func condition(for caller: Caller) -> BiometryCondition { isKnown ? sensor.condition(for: caller) : .notAvailable }
    var enrolment: Enrolment { sensor.enrolment }
    var level: BiometryLevel { sensor.level }
    var facts: SensorFacts { sensor.facts }
    var rest: Double { sensor.rest }
    func prepare(isCasual: Bool, _ then: @escaping () -> Void) {
        isKnown = isKnown || !isCasual
        then()
    }
    func listen(_ report: @escaping (BiometryReport) -> Void) { sensor.listen(report) }
    func stop() { sensor.stop() }
}

/// A system that knows one account with one password. One that asks for more, too, gives no verdict.
@OnLoop final class OneAccount: @OnLoop AccountPassword {
    private let password: SecretBytes
    private let question: AccountQuestion?
    /// For each answer to its question, whether there was anything in it.
    nonisolated let answers = Notes<Bool>()

    nonisolated init(_ password: String, asks question: AccountQuestion? = nil) {
        self.password = secret(password)
        self.question = question
    }

    func check(
        _ password: SecretBytes, asking: @escaping (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void,
        _ answer: @escaping (AccountVerdict) -> Void
    ) {
        guard let question else { return answer(password == self.password ? .right : .wrong) }
        asking(question) { [answers] typed in answers.add(typed != nil) }
    }
}

extension Stand {
    /// A machine that was just started, in front of whose console the owner sits.
    static func started(_ login: OpeningPasscode.Login, at console: String?, secondsToStand: Double = 60) throws -> Stand {
        let stand = try Stand(secondsToStand: secondsToStand)
        stand.onLoop {
            $0.passcode.login = login
            $0.seat.loginConsole = console
            $0.device.parts.passcode.dropKeys()
        }
        return stand
    }
}

/// A passcode that a login by finger may open, as if there were a TPM.
final class OpeningPasscode: Passcode {
    /// What becomes of the login slot.
    enum Login { case none, opens, isForeign }

    private let passcode: any Passcode
    var login = Login.none
    private(set) var wasOpenedAtLogin = false
    /// How often the slot was tried.
    private(set) var tries = 0

    init(_ passcode: any Passcode) { self.passcode = passcode }

    var isSet: Bool { passcode.isSet }
    var source: PasscodeSource { passcode.source }
    var wasGiven: Bool { passcode.wasGiven }
    var hasRecoveryCode: Bool { passcode.hasRecoveryCode }
    func check(_ typed: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) { passcode.check(typed, answer) }
    func set(_ new: SecretBytes, from source: PasscodeSource, _ answer: @escaping (Bool) -> Void) {
        passcode.set(new, from: source, answer)
    }
    func remove() throws { try passcode.remove() }
    func makeRecoveryCode() throws -> SecretBytes { try passcode.makeRecoveryCode() }
    func checkRecoveryCode(_ code: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) {
        passcode.checkRecoveryCode(code, answer)
    }
    func dropKeys() {
        passcode.dropKeys()
        wasOpenedAtLogin = false
    }

    var opensAtLogin: Bool { login != .none }
    func setOpensAtLogin(_ opens: Bool, _ answer: @escaping (Result<Void, KeychainFailure>) -> Void) {
        login = opens ? .opens : .none
        answer(.success(()))
    }
    /// Whether the chip takes its time.
    var waits = false
    private var waiting: (() -> Void)?

    func openAtLogin(_ answer: @escaping (Bool) -> Void) {
        tries += 1
        let open = { [self] in
            wasOpenedAtLogin = login == .opens
            answer(wasOpenedAtLogin)
        }
        if waits { waiting = open } else { open() }
    }
    func goOn() {
        waiting?()
        waiting = nil
    }
    func shutAtLogin() { wasOpenedAtLogin = false }
}
