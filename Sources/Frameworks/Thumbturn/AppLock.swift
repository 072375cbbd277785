public import Observation

/// Locks an app when the session was locked, the machine slept or the app asks for it, and asks the owner on return.
///
/// The device tells the lock what happens to the session. Your app reports what happens to the app, and the lock decides. By itself it asks
/// once each time it locks, and after that only when the person presses a button (`unlock()`). So a second prompt never appears after a
/// cancel, or because the prompt itself made the app inactive. Give it an `Authenticator` that nothing else uses.
@MainActor @Observable public final class AppLock {
    /// Whether the app must show nothing.
    public private(set) var isLocked = true
    /// Whether only the app's own login opens the lock, because the enrolment changed. This is the result of the last attempt.
    public private(set) var demandsLogin = false

    /// Asks the owner. Its expiry and its reuse duration decide how long the app may be left.
    public let authenticator: Authenticator
    /// Notices other fingers and faces; nil if nothing should.
    public let watch: EnrolmentWatch?

    /// Whether the next return may ask by itself.
    private var owesPrompt = true
    /// Whether the app was left since it was last active, by something other than a prompt.
    private var wasLeft = false
    @ObservationIgnored private let session: SessionEvents?
    @ObservationIgnored private let following = Following()
    /// Whether the device is gone that told what happens.
    private var isAlone = false
    /// The number of the attempt that is running.
    private var asking: Int?
    private var attempts = 0
    /// Who locked it last.
    private var lockedBy = AuthenticationResult.Canceller.app

    /// Makes a lock that starts locked, unless `authenticator` has a success that still counts.
    ///
    /// - Parameter session: what happens to the session; nil if your app tells the lock itself.
    public init(_ authenticator: Authenticator, watch: EnrolmentWatch? = nil, session: SessionEvents? = SessionEvents()) {
        self.authenticator = authenticator
        self.watch = watch
        if authenticator.isAuthenticated && watch?.check().demandsLogin != true { isLocked = false }
        self.session = session
        follow()
    }

    private func follow() {
        isAlone = false
        if let session { following.follow(session) { [weak self] in self?.take($0) } }
    }

    // MARK: What happens to the session

    /// A return asks nobody by itself: the session has several apps, and only the one in front may ask. That is `becameActive()`.
    private func take(_ event: SessionEvents.Event) {
        switch event {
        case .locked, .asleep: lock(by: .system)
        case .lost:
            isAlone = true
            lock(by: .system)
        case .left: resignedActive()
        // The window may have kept the focus meanwhile, and then nothing says that the app is in front again.
        case .returned: lockIfExpired()
        case .unlocked, .awake: break
        }
    }

    // MARK: What happens to the app

    /// Tells the lock that the session was locked.
    public func sessionLocked() { lock(by: .system) }

    /// Tells the lock that the machine or the app was suspended. Nothing happens while the lock's own prompt is up, because the
    /// prompt put the app aside.
    public func suspended() {
        if asking == nil { lock() }
    }

    /// Locks and closes a prompt. The next return asks.
    public func lock() { lock(by: .app) }

    private func lock(by cause: AuthenticationResult.Canceller) {
        isLocked = true
        lockedBy = cause
        owesPrompt = true
        asking = nil
        authenticator.deauthenticate()
    }

    /// Tells the lock that the app isn't in front any more, without being suspended. Call it if you want the expiry to count on return.
    public func resignedActive() {
        if asking == nil { wasLeft = true }
    }

    /// Tells the lock that the app is in front again. The lock asks the owner if it has to and hasn't done so since it locked. Returns how
    /// that ended; nil if nobody was asked.
    @discardableResult
    public func becameActive() async -> AuthenticationResult? {
        if asking != nil { return nil }
        lockIfExpired()
        wasLeft = false
        return isLocked && owesPrompt ? await unlock() : nil
    }

    private func lockIfExpired() { if wasLeft && !isLocked && authenticator.needsReauthentication { lock() } }

    // MARK: Opening

    /// Asks the owner. Call it when the person presses the button. An open lock returns success at once.
    ///
    /// Refused while an attempt runs, and with `enrolmentChanged` if the watch saw a change before or after the owner was recognized. Then
    /// only `loginSucceeded()` opens the lock.
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
        // The app was locked in the meantime, and an earlier yes doesn't open it.
        guard asking == number else { return .cancelled(by: lockedBy) }
        asking = nil
        guard result == .success else { return result }
        if enrolmentChanged {
            authenticator.deauthenticate()
            return .enrolmentChanged
        }
        isLocked = false
        return .success
    }

    /// Opens the lock after the app's own login. From now on the present enrolment counts as the owner's.
    public func loginSucceeded() {
        asking = nil
        authenticator.loginSucceeded()
        watch?.loginSucceeded()
        demandsLogin = false
        isLocked = false
        owesPrompt = false
        lockedBy = .app
        // An evaluation would have found the device again by itself.
        if isAlone { follow() }
    }

    private var enrolmentChanged: Bool {
        demandsLogin = watch?.check().demandsLogin ?? false
        return demandsLogin
    }
}

/// Follows a sequence of events for as long as it is there.
private final class Following {
    private var task: Task<Void, Never>?

    @MainActor func follow(_ session: SessionEvents, _ take: @escaping @MainActor (SessionEvents.Event) -> Void) {
        task?.cancel()
        task = Task { for await event in session { take(event) } }
    }

    deinit { task?.cancel() }
}
