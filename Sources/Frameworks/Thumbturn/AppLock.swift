public import Observation

/// Keeps an app shut after the session locked, the machine slept or the app asked, and asks for the owner on return.
///
/// The app says what happens, in whatever way it learns of it; the lock decides. It asks by itself once for each time it locks,
/// and then only when the person presses a button (`unlock()`): so neither a cancel nor the prompt's own way of making the app
/// inactive ever brings up a second prompt. Give it an `Authenticator` that nothing else uses.
@MainActor @Observable public final class AppLock {
    /// Whether the app may show nothing.
    public private(set) var isLocked = true
    /// Whether only the app's own login opens, because the enrolment changed; as of the last attempt.
    public private(set) var demandsLogin = false

    /// Who asks. Its expiry and its reuse duration decide whether a return counts as long enough away.
    public let authenticator: Authenticator
    /// Who notices other fingers and faces; nil: nobody.
    public let watch: EnrolmentWatch?

    /// Whether the next return may ask by itself.
    private var owesPrompt = true
    /// Whether the app was left since it was last active, by something other than a prompt.
    private var wasLeft = false
    /// The number of the attempt that is running.
    private var asking: Int?
    private var attempts = 0

    /// A lock that starts shut, unless `authenticator` has a success that still counts.
    public init(_ authenticator: Authenticator, watch: EnrolmentWatch? = nil) {
        self.authenticator = authenticator
        self.watch = watch
        if authenticator.isAuthenticated && watch?.check().demandsLogin != true { isLocked = false }
    }

    // MARK: What happens to the app

    /// The session was locked.
    public func sessionLocked() { lock() }

    /// The machine or the app was suspended. Nothing happens while this lock's own prompt is up, which is what put the app aside.
    public func suspended() {
        if asking == nil { lock() }
    }

    /// The app asks: shuts, takes a prompt away, and owes one on return.
    public func lock() {
        isLocked = true
        owesPrompt = true
        asking = nil
        authenticator.deauthenticate()
    }

    /// The app isn't in front any more, without being suspended. Tell it if you want the expiry to count on return.
    public func resignedActive() {
        if asking == nil { wasLeft = true }
    }

    /// The app is in front again: asks for the owner if it has to and hasn't done so since it locked. Says how that ended; nil
    /// if nobody was asked.
    @discardableResult
    public func becameActive() async -> AuthenticationResult? {
        if asking != nil { return nil }
        if wasLeft && !isLocked && authenticator.needsReauthentication { lock() }
        wasLeft = false
        return isLocked && owesPrompt ? await unlock() : nil
    }

    // MARK: Opening

    /// Asks for the owner, as when the person presses the button; an open lock says yes at once.
    ///
    /// Refused while an attempt runs, and with `enrolmentChanged` if the watch saw a change, before or after the owner was
    /// recognized: then only `loginSucceeded()` opens.
    @discardableResult
    public func unlock(reason: String? = nil) async -> AuthenticationResult {
        if !isLocked { return .success }
        if asking != nil { return .alreadyInProgress }
        owesPrompt = false
        if enrolmentChanged { return .enrolmentChanged }
        attempts += 1
        let number = attempts
        asking = number
        let result = await authenticator.authenticate(reason: reason)
        // Locked meanwhile: a yes from before doesn't open.
        guard asking == number else { return .cancelled(by: .app) }
        asking = nil
        guard result == .success else { return result }
        if enrolmentChanged {
            authenticator.deauthenticate()
            return .enrolmentChanged
        }
        isLocked = false
        return .success
    }

    /// Opens after the app's own login, and from now on takes the enrolment as it is now for the owner's.
    public func loginSucceeded() {
        asking = nil
        authenticator.loginSucceeded()
        watch?.loginSucceeded()
        demandsLogin = false
        isLocked = false
        owesPrompt = false
    }

    private var enrolmentChanged: Bool {
        demandsLogin = watch?.check().demandsLogin ?? false
        return demandsLogin
    }
}
