import ThumbAccess
import ThumbAuthentication
public import ThumbLoop

/// The owner's session at this machine: whether it is locked, and how long its last unlock counts.
@OnLoop public final class OwnerSession {
    /// Whether it is locked.
    public private(set) var isLocked = false
    /// When it was last unlocked by biometry; nil if that hasn't happened since it was last locked.
    private var biometricUnlock: Double?
    private let clock: any HouseClock
    private var forgetters: [ObjectIdentifier: () -> Void] = [:]
    /// Called after everybody has forgotten what the owner had shown.
    var onForget: () -> Void = {}
    private(set) var watchers: [ObjectIdentifier: (SessionEvent) -> Void] = [:]
    private var (isInFront, isAsleep) = (true, false)

    init(_ clock: any HouseClock) { self.clock = clock }

    func lock() {
        isLocked = true
        forget()
        tell(.locked)
    }

    func sleep() {
        isAsleep = true
        forget()
        tell(.asleep)
    }

    /// A front that was started anew says so too, though nothing slept.
    func wake() {
        guard isAsleep else { return }
        isAsleep = false
        tell(.awake)
    }

    func unlock(byBiometry: Bool = false) {
        let wasLocked = isLocked
        isLocked = false
        if byBiometry { biometricUnlock = clock.now }
        if wasLocked { tell(.unlocked) }
    }

    func comesToFront(_ isInFront: Bool) {
        guard isInFront != self.isInFront else { return }
        self.isInFront = isInFront
        tell(isInFront ? .returned : .left)
    }

    /// The owner has logged in or unlocked a session by finger. Whether their main session is locked, the login manager says.
    func wasTouched() { biometricUnlock = clock.now }

    /// Whether it was unlocked by biometry within this many seconds and within the ceiling.
    func wasUnlockedByBiometry(within seconds: Double) -> Bool {
        guard let biometricUnlock, seconds > 0 else { return false }
        let age = clock.now - biometricUnlock
        return age >= 0 && age <= min(seconds, ReuseLimit.seconds)
    }

    // MARK: Who forgets with it

    func observe(_ owner: AnyObject, _ forget: @escaping () -> Void) { forgetters[ObjectIdentifier(owner)] = forget }
    func ignore(_ owner: AnyObject) {
        forgetters[ObjectIdentifier(owner)] = nil
        watchers[ObjectIdentifier(owner)] = nil
    }

    // MARK: Who is told

    /// Tells an owner what happens from now on, and first what isn't as an owner at work would have it.
    func watch(_ owner: AnyObject, _ told: @escaping (SessionEvent) -> Void) {
        watchers[ObjectIdentifier(owner)] = told
        if isLocked { told(.locked) }
        if !isInFront { told(.left) }
    }

    private func tell(_ event: SessionEvent) { for told in watchers.values { told(event) } }

    private func forget() {
        biometricUnlock = nil
        for forget in forgetters.values { forget() }
        onForget()
    }
}
