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

    init(_ clock: any HouseClock) { self.clock = clock }

    func lock() {
        isLocked = true
        forget()
    }

    func sleep() { forget() }

    func unlock(byBiometry: Bool = false) {
        isLocked = false
        if byBiometry { biometricUnlock = clock.now }
    }

    /// The owner has logged in by finger. A lock of another session of theirs stays.
    func begins() { biometricUnlock = clock.now }

    /// Whether it was unlocked by biometry within this many seconds and within the ceiling.
    func wasUnlockedByBiometry(within seconds: Double) -> Bool {
        guard let biometricUnlock, seconds > 0 else { return false }
        let age = clock.now - biometricUnlock
        return age >= 0 && age <= min(seconds, ReuseLimit.seconds)
    }

    // MARK: Who forgets with it

    func observe(_ owner: AnyObject, _ forget: @escaping () -> Void) { forgetters[ObjectIdentifier(owner)] = forget }
    func ignore(_ owner: AnyObject) { forgetters[ObjectIdentifier(owner)] = nil }

    private func forget() {
        biometricUnlock = nil
        for forget in forgetters.values { forget() }
        onForget()
    }
}
