public import LocalAuthentication
public import Observation

/// Asks whether this is the owner, one attempt at a time, and remembers the answer for as long as the app allows.
///
/// Every attempt has its own context, because a context that succeeded once would say yes again without asking. While the state is
/// `authenticated`, `context` is the one that succeeded. Pass it to keychain calls, and they release what they guard without a second
/// prompt. That protects a secret; this object's state doesn't.
@MainActor @Observable public final class Authenticator {
    /// How far authentication has come.
    public enum State: Sendable, Hashable {
        /// Nobody has authenticated, or it doesn't count any more.
        case notAuthenticated
        /// A prompt is up.
        case inProgress
        /// The owner was recognized. Check `isAuthenticated` too, because this may have expired.
        case authenticated
        /// The last attempt was cancelled. There may be another one when the person asks for it.
        case canceled
    }

    /// How far authentication has come.
    public private(set) var state = State.notAuthenticated
    /// When the owner was last recognized; deleted by every attempt that doesn't succeed.
    public private(set) var lastSuccess: Date?
    /// The context that succeeded, for `kSecUseAuthenticationContext`; nil unless authenticated by an attempt of this process.
    public private(set) var context: LAContext?

    /// How many seconds a success counts. 0 means until `deauthenticate()`, but no longer than the process.
    public var expiry: TimeInterval = 0
    /// How many seconds an unlock of the device by finger or face counts as a success. 0, the default, means never.
    public var reuseDuration: TimeInterval = 0
    /// The title of the fallback button. nil is the system's title, and "" hides the button.
    public var fallbackTitle: String?
    /// The title of the cancel button. nil is the system's title.
    public var cancelTitle: String?
    /// The texts to use if no reason is given.
    public var texts: Texts

    /// The policy that is evaluated.
    public let policy: LAPolicy

    private struct Attempt {
        let number: Int
        let context: LAContext
    }

    private var running: Attempt?
    private var attempts = 0
    private let values: any KeptValues
    private let name: String
    private let now: @MainActor () -> Date
    private let makeContext: @MainActor () -> LAContext

    /// Makes an authenticator that asks for `policy`.
    ///
    /// `values` keeps the last success under `name`: in memory by default, so that a new process asks again; with
    /// `UserDefaults.standard` and an expiry, a success counts across processes. `now` and `makeContext` are for tests.
    public init(
        policy: LAPolicy = .deviceOwnerAuthentication, expiry: TimeInterval = 0, values: (any KeptValues)? = nil,
        name: String = "thumbturn.last-success", texts: Texts = Texts(), now: @escaping @MainActor () -> Date = { Date() },
        makeContext: @escaping @MainActor () -> LAContext = { LAContext() }
    ) {
        self.policy = policy
        self.expiry = expiry
        self.values = values ?? MemoryValues()
        self.name = name
        self.texts = texts
        self.now = now
        self.makeContext = makeContext
        lastSuccess = self.values.keptData(name).flatMap { Double(String(decoding: $0, as: UTF8.self)) }
            .map { Date(timeIntervalSinceReferenceDate: $0) }
        if expiry > 0 && !hasExpired { state = .authenticated }
    }

    // MARK: Whether

    /// Whether the owner was recognized and that still counts. Check this before you show something.
    public var isAuthenticated: Bool { state == .authenticated && (expiry == 0 || !hasExpired) }

    /// Whether the app should ask now, as when it comes back.
    ///
    /// Not while a prompt is up. Not after a cancel, which is an answer: the person begins again by pressing a button. Once authenticated,
    /// only after the success has expired; without an expiry, only if an unlock of the device may count instead of an attempt, because then
    /// asking mostly costs nobody anything. This doesn't tell what the app may show; `isAuthenticated` does.
    public var needsReauthentication: Bool {
        switch state {
        case .inProgress, .canceled: false
        case .notAuthenticated: true
        case .authenticated: expiry == 0 ? reuseDuration > 0 : hasExpired
        }
    }

    /// True if there is no success, if it is too old, and if it is in the future, as after the clock was set back.
    private var hasExpired: Bool {
        guard let lastSuccess else { return true }
        let age = now().timeIntervalSince(lastSuccess)
        return !(age >= 0 && age < expiry)
    }

    // MARK: Asking

    /// Asks the owner and returns how it ended; never throws.
    ///
    /// Refused with `alreadyInProgress` while an attempt runs. If the reason is missing or empty, one that names the sensor is used.
    /// Cancelling the waiting task closes the prompt.
    public func authenticate(reason: String? = nil) async -> AuthenticationResult {
        guard state != .inProgress else { return .alreadyInProgress }
        let fresh = makeContext()
        fresh.localizedFallbackTitle = fallbackTitle
        fresh.localizedCancelTitle = cancelTitle
        fresh.touchIDAuthenticationAllowableReuseDuration = reuseDuration
        var problem: NSError?
        guard unsafe fresh.canEvaluatePolicy(policy, error: &problem) else {
            return conclude(AuthenticationResult(problem ?? LAError(.authenticationFailed)), fresh)
        }
        let words = reason.flatMap { $0.isEmpty ? nil : $0 } ?? texts.reason(policy, Sensor(fresh.biometryType))
        attempts += 1
        let number = attempts
        running = Attempt(number: number, context: fresh)
        state = .inProgress
        let failure = await withTaskCancellationHandler {
            await Self.evaluate(policy, words, fresh)
        } onCancel: {
            Task { @MainActor [weak self] in self?.withdraw(attempt: number) }
        }
        // It was deauthenticated in the meantime, so the answer came too late, and another attempt may be running.
        guard running?.number == number else { return .cancelled(by: .app) }
        running = nil
        return conclude(failure.map { AuthenticationResult($0) } ?? .success, fresh)
    }

    /// The reply comes on a queue of the framework's. It is marked as sendable, because otherwise it would count as the main actor's and
    /// trap.
    private static func evaluate(_ policy: LAPolicy, _ reason: String, _ context: LAContext) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            context.evaluatePolicy(policy, localizedReason: reason) { @Sendable success, error in
                continuation.resume(returning: success ? nil : error ?? LAError(.authenticationFailed))
            }
        }
    }

    private func withdraw(attempt number: Int) {
        if let running, running.number == number { running.context.invalidate() }
    }

    private func conclude(_ result: AuthenticationResult, _ fresh: LAContext) -> AuthenticationResult {
        context?.invalidate()
        switch result {
        case .success:
            (state, context) = (.authenticated, fresh)
            remember(now())
        case .cancelled:
            (state, context) = (.canceled, nil)
            remember(nil)
        case .fallbackChosen, .unavailable, .failed, .alreadyInProgress, .enrolmentChanged:
            (state, context) = (.notAuthenticated, nil)
            remember(nil)
        }
        return result
    }

    // MARK: Without asking

    /// Forgets the owner: closes a prompt, invalidates the context and deletes the last success.
    public func deauthenticate() {
        running?.context.invalidate()
        running = nil
        context?.invalidate()
        (state, context) = (.notAuthenticated, nil)
        remember(nil)
    }

    /// Counts the app's own login as a success, as after `fallbackChosen`. Closes a prompt.
    ///
    /// There is no context then, so keychain items that need the owner will ask.
    public func loginSucceeded() {
        deauthenticate()
        state = .authenticated
        remember(now())
    }

    private func remember(_ date: Date?) {
        lastSuccess = date
        values.keep(date.map { Data(String($0.timeIntervalSinceReferenceDate).utf8) }, name)
    }
}
