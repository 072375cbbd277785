import Foundation
import LocalAuthentication
import Observation
import Thumbturn

/// The two screens and the way between them: a login that knows which sensor there is, and a vault that only a success opens.
///
/// What they look like is their faces' business: one is in `Terminal`, another in `Window`.
@MainActor public final class Screens {
    public enum Place: Sendable, Equatable {
        case login
        /// The app's own login, which is a part of the first screen.
        case password
        case vault
    }

    /// In English, as the program's own words are.
    public let texts = Texts(Locale(identifier: "en"))
    /// What to tell about the last thing that was done.
    public private(set) var remark: String?
    /// The note that is open.
    public private(set) var note: AccountServer.Note?
    /// Called after every change, for faces that don't draw by themselves.
    public var changed: @MainActor () -> Void = {}
    /// Called when the open vault was locked by something other than the person's hand, for faces that draw only when they are told to.
    public var lockedMeanwhile: @MainActor () -> Void = {}

    private let lock: AppLock
    /// Asks for the passcode, which lets a sensor be used again that missed too often.
    private let passcode: Authenticator
    private let watch = EnrolmentWatch(name: "login-and-vault.enrolment")
    private let server = AccountServer()
    /// After a login by password, until the vault is locked. Otherwise the token stays in the keychain and is read for each note.
    private var tokenByPassword: String?
    private var isTypingPassword = false
    /// Whether the vault was open when that was last looked at.
    private var wasOpen = false

    /// - Parameter expiry: how many seconds the app may be out of sight before it asks again; 0 for any length.
    public init(expiry: TimeInterval = 0) {
        let authenticator = Authenticator(policy: .deviceOwnerAuthenticationWithBiometrics, expiry: expiry, texts: texts)
        authenticator.fallbackTitle = "Use password"
        lock = AppLock(authenticator, watch: watch)
        passcode = Authenticator(policy: .deviceOwnerAuthentication, texts: texts)
        followLock()
    }

    // MARK: What there is to show

    public var place: Place { isTypingPassword ? .password : lock.isLocked ? .login : .vault }
    public var support: BiometrySupport { .current() }

    /// Whether the sensor may stand in for the password: it can be used, there is a token for it, and the same owner is enrolled.
    public var mayUseSensor: Bool { support.isAvailable && !watch.check().demandsLogin && TokenKeeper.isKept }

    /// Whether the sensor missed too often, and the passcode would let it be used again.
    public var mayGivePasscode: Bool {
        if case .lockedOut = support { TokenKeeper.isKept } else { false }
    }

    /// For how many seconds no password is looked at.
    public var passwordWait: Int { server.wait }

    /// What the login says of the sensor, in lines.
    public var explanation: [String] {
        let support = support
        let line = "\(texts.name(support.sensor)): \(texts.text(support))"
        if support.isAvailable && watch.check() == .changed {
            return [line] + (texts.text(.enrolmentChanged, support.sensor).map { [$0] } ?? [])
        }
        return TokenKeeper.isKept ? [line] : [line, "Log in with the password once (here it is “\(AccountServer.password)”)."]
    }

    // MARK: Asking

    /// The app is in front again, or for the first time.
    public func comeBack() async {
        guard asking == nil, place != .password else { return }
        if mayUseSensor {
            conclude(await lock.becameActive())
        } else if place == .vault && lock.authenticator.needsReauthentication {
            lockNow()
        }
    }

    /// The person pressed the sensor's button.
    public func unlock() async {
        guard asking == nil, mayUseSensor else { return }
        conclude(await lock.unlock(reason: "Open the vault"))
    }

    /// The person gives the passcode, after which the sensor can be used again. It opens nothing here.
    public func givePasscode() async {
        guard asking == nil, mayGivePasscode else { return }
        let result = await passcode.authenticate(reason: "Let the sensor be used again")
        passcode.deauthenticate()
        conclude(result)
    }

    /// Says how it ended, unless nobody was asked.
    private func conclude(_ result: AuthenticationResult?) {
        guard let result else { return }
        if result == .fallbackChosen { isTypingPassword = true }
        let told = texts.text(result, support.sensor)
        // What the sensor lacks is said already, above its button.
        remark = told.flatMap { told in explanation.contains { $0.hasSuffix(told) } ? nil : told }
        changed()
    }

    /// What the device waits for while it asks the owner; nil while it doesn't.
    public var asking: String? {
        if passcode.state == .inProgress { return "Waiting for the passcode…" }
        guard lock.authenticator.state == .inProgress else { return nil }
        return switch support.sensor {
        case .touchID?: "Waiting for your finger…"
        case .faceID?: "Waiting for your face…"
        case .opticID?: "Waiting for your eyes…"
        case nil: "Waiting for you…"
        }
    }

    private func followLock() {
        withObservationTracking {
            _ = (lock.authenticator.state, passcode.state, lock.isLocked)
        } onChange: {
            // It comes before the change; the task runs after it.
            Task { @MainActor [weak self] in
                self?.noticeLock()
                self?.changed()
                self?.followLock()
            }
        }
    }

    /// The session was locked or the machine sleeps: the lock has heard of it from the device.
    private func noticeLock() {
        let isShut = wasOpen && lock.isLocked
        wasOpen = !lock.isLocked
        guard isShut else { return }
        shut("The vault was locked meanwhile.")
        lockedMeanwhile()
    }

    // MARK: The app's own login

    public func startPassword() {
        isTypingPassword = true
        remark = nil
        changed()
    }

    public func leavePassword() {
        isTypingPassword = false
        remark = nil
        changed()
    }

    /// Only after the app's own login is a new enrolment taken for the owner's, and the token kept for that one.
    public func logIn(_ password: String) {
        defer { changed() }
        guard let token = server.token(for: password) else {
            remark = server.wait > 0 ? "Too many wrong passwords. You have to wait." : "That isn't the password."
            return
        }
        isTypingPassword = false
        remark = nil
        TokenKeeper.keep(token)
        lock.loginSucceeded()
        wasOpen = true
        tokenByPassword = token
    }

    // MARK: The vault

    public func open(_ number: Int) {
        defer { changed() }
        note = nil
        remark = nil
        // A context whose session was locked has nothing to show any more, whether or not anybody told this program.
        guard let token = tokenByPassword ?? lock.authenticator.context.flatMap(TokenKeeper.token) else {
            lock.sessionLocked()
            return shut("The vault was locked meanwhile.")
        }
        note = server.note(number, token: token)
        if note == nil { remark = "There is no such note." }
    }

    public func lockNow() {
        lock.lock()
        shut(nil)
        changed()
    }

    /// The app is put aside: suspended, or minimized.
    public func putAside() {
        lock.suspended()
        // Under a prompt the lock stays as it is, and there is nothing of the vault on the screen yet.
        if lock.isLocked { shut(nil) }
        changed()
    }

    /// Another program is in front. After the expiry that counts as having left.
    public func loseFront() { lock.resignedActive() }

    /// Nothing of the vault stays behind its lock.
    private func shut(_ remark: String?) {
        wasOpen = false
        tokenByPassword = nil
        note = nil
        self.remark = remark
        isTypingPassword = false
    }
}
