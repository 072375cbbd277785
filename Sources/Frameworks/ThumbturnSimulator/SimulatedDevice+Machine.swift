import ThumbAccess
import ThumbLoop
import ThumbSecrets
import ThumbService
import ThumbSimulation

// What happens at the machine, as its owner or a test brings it about.

extension SimulatedDevice {
    /// Enrols one more finger or face.
    public func enroll(_ name: String) { change { $0.biometry.enroll(name) } }

    /// Removes an enrolled finger or face. Returns false if there is none with that name.
    @discardableResult
    public func removeEnrolment(_ name: String) -> Bool { change { $0.biometry.remove(name) } }

    /// Sets, changes or (with nil) removes the passcode, as its owner would in the settings.
    public func setPasscode(_ passcode: String?) {
        let new = passcode.map(Self.secret)
        let old = guardian.withLock { self.passcode }
        let isKept = answered { device, answer in device.running.device.ownerSetsPasscode(new, old: old, answer) }
        precondition(isKept, "a simulated passcode has 4 to 256 bytes")
        guardian.withLock { self.passcode = new }
        if new == nil { onLoop { $0.running.companions.removeAll() } }
        // An owner who approves everything knows the new passcode too.
        onLoop { device in
            let prompts = device.running.prompts
            if case .approve? = prompts.standingAnswer { prompts.standingAnswer = .approve(new) }
        }
    }

    /// Locks the session: prompts close, contexts forget what was shown, and when-unlocked items can't be read.
    public func lock() { onLoop { $0.running.device.lock() } }

    /// Unlocks the session again, as its owner does at the lock screen. No app's context learns anything by that.
    public func unlock() { onLoop { $0.running.device.unlock() } }

    /// Sends the machine to sleep: prompts close, and contexts forget what was shown.
    public func sleep() { onLoop { $0.running.device.sleep() } }

    /// Wakes it again.
    public func wake() { onLoop { $0.running.device.wake() } }

    /// Brings the owner's session to the front of its seat, or another one in its place.
    public func bringSessionToFront(_ isInFront: Bool) { onLoop { $0.running.device.sessionComesToFront(isInFront) } }

    /// Whether the owner lets apps use the sensor.
    public var biometryPermission: Bool {
        get { onLoop { $0.running.biometry.isPermitted } }
        set { change { $0.biometry.isPermitted = newValue } }
    }

    /// Whether the fingerprint reader is plugged in.
    ///
    /// While it isn't, biometry fails as `biometryDisconnected`, and so does an evaluation whose sensor is listening when you set it to
    /// false. `biometryType` stays, and the passcode counts. It says nothing about a camera: no real one tells that it was unplugged.
    public var readerIsConnected: Bool {
        get { onLoop { $0.running.biometry.isConnected } }
        set { change { $0.biometry.isConnected = newValue } }
    }

    /// Whether the owner sits where a prompt can be seen beside the sensor.
    ///
    /// Set it to false for an owner who works over SSH, for example. The sensor can't be used then (`biometryNotAvailable`, although
    /// `biometryType` stays), but the passcode counts. An evaluation whose sensor is listening ends as a system cancel.
    public var isSeated: Bool {
        get { onLoop { $0.running.seat.isSeated } }
        set { change { $0.seat.isSeated = newValue } }
    }

    /// Whether prompts reach the screen. While they don't, nobody sees them: no touch counts, and other answers wait.
    public var promptsAreVisible: Bool {
        get { onLoop { $0.running.prompts.areVisible } }
        set { onLoop { $0.running.prompts.areVisible = newValue } }
    }

    /// Whether the owner is asked, as on a real device, when an app first uses a camera or another program's access group.
    ///
    /// If it is off, every app may use the camera, and no app another program's group.
    public var asksConsent: Bool {
        get { onLoop { $0.running.device.asksConsent } }
        set { change { $0.device.asksConsent = newValue } }
    }

    /// Allows something that protects less, or forbids it again, as its owner would with `thumbturn allow`.
    public func allow(_ allowance: Allowance, _ isAllowed: Bool = true) {
        let isKept = change { $0.device.ownerAllows(allowance.allowance, isAllowed) }
        precondition(isKept, "a simulated device could not keep what its owner allows")
    }

    /// Moves the device's clock forward. Whatever falls due in between happens.
    public func advance(by seconds: Double) { onLoop { $0.running.clock.advance(by: seconds) } }

    /// How an owner opens a locked session.
    public enum Key: Sendable {
        /// By the sensor.
        case biometry
        /// By typing this passcode.
        case passcode(String)
    }

    /// Unlocks the session. Returns false if the key wasn't right.
    ///
    /// On a device that is as strict as a Linux machine in user mode this opens the session and nothing else: there the login tells the
    /// daemon neither that it was by finger nor the passcode.
    @discardableResult
    public func unlock(with key: Key) -> Bool {
        switch key {
        case .biometry: return onLoop { $0.running.device.ownerUnlocks(isReported: $0.traits.reportsBiometricUnlocks) }
        case .passcode(let text):
            let typed = Self.secret(text)
            if !traits.passesPasscodeOn {
                guard guardian.withLock({ passcode }) == typed else { return false }
                onLoop { $0.running.device.unlock() }
                return true
            }
            return answered { device, answer in device.running.device.ownerUnlocks(with: typed, answer) }
        }
    }
}
