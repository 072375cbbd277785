internal import ThumbAccess
internal import ThumbAssembly
internal import ThumbAuthentication
internal import ThumbClient
internal import ThumbLoop
internal import ThumbSecrets
internal import ThumbService
internal import ThumbSimulation
internal import Foundation

/// A whole device inside this process: the real service and store, with a sensor, an owner and a clock that a test scripts.
///
/// While it is installed, every `LAContext` and `SecItem…` call of the process goes to it. Devices are installed one at a time:
/// suites that install one belong under `.serialized`. Nothing it keeps outlives `uninstall()`, and no real device is touched.
public final class SimulatedDevice: @unchecked Sendable {
    // @unchecked: `parts` is touched on the loop alone, `isInstalled` under `guardian`.

    /// The sensor a simulated device has.
    public enum Biometry: Sendable {
        case touchID, faceID, none
    }

    private let folder: String
    private let guardian = Lock()
    private var isInstalled = false
    private var parts: Parts?

    @OnLoop private final class Parts {
        let biometry: SimulatedBiometry
        let prompts: SimulatedPrompts
        let clock: SimulatedClock
        var device: Device
        var service: Service
        var recordings: [String] = []

        init(_ biometry: SimulatedBiometry, _ prompts: SimulatedPrompts, _ clock: SimulatedClock, _ device: Device) {
            self.biometry = biometry
            self.prompts = prompts
            self.clock = clock
            self.device = device
            service = Service(device, onlyUser: getuid())
        }
    }

    /// Makes a device with that sensor, those fingers or faces enrolled, and that passcode (nil: none is set).
    ///
    /// Traps when the temporary folder for its store can't be made: a test can't go on without its device.
    public init(biometry: Biometry = .touchID, enrolled: [String] = ["me"], passcode: String? = "1234") {
        folder = Self.makeFolder()
        let kind: BiometryKind =
            switch biometry {
            case .touchID: .touchID
            case .faceID: .faceID
            case .none: .none
            }
        EventLoop.shared.sync { [self] in
            let sensor = SimulatedBiometry(kind: kind, enrolled: kind == .none ? [] : enrolled)
            let prompts = SimulatedPrompts(biometry: sensor) { step in
                let box = Step(step)
                EventLoop.shared.post { box.run() }
            }
            let clock = SimulatedClock()
            let parts = Parts(sensor, prompts, clock, Self.assemble(folder, sensor, prompts, clock))
            prompts.onUnscripted = { UnscriptedPrompt.report($0) }
            prompts.onMismatch = { UnscriptedPrompt.report($0, $1) }
            self.parts = parts
        }
        if let passcode { setPasscode(passcode) }
    }

    deinit { uninstall() }

    private static func makeFolder() -> String {
        let path = NSTemporaryDirectory() + "/thumbturn-simulated-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            fatalError("no folder for a simulated device: \(error)")
        }
        return path
    }

    @OnLoop private static func assemble(
        _ folder: String, _ sensor: SimulatedBiometry, _ prompts: SimulatedPrompts, _ clock: SimulatedClock
    ) -> Device {
        do {
            return try Assembly.simulatedDevice(
                state: folder, biometry: sensor, prompts: prompts, clock: clock, log: { _ in })
        } catch {
            fatalError("a simulated device could not be built: \(error.reason)")
        }
    }

    private func onLoop<Value: Sendable>(_ body: @escaping @OnLoop @Sendable (SimulatedDevice) -> Value) -> Value {
        EventLoop.shared.sync { [self] in body(self) }
    }

    @OnLoop private var running: Parts {
        guard let parts else { fatalError("this simulated device was uninstalled; make a new one") }
        return parts
    }

    // MARK: In and out

    /// Makes this the process's device, in place of the real one or of one installed before.
    @discardableResult
    public func install() -> SimulatedDevice {
        guardian.withLock { isInstalled = true }
        DeviceClient.shared.install { [weak self] in
            guard let self, case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
            EventLoop.shared.post { self.parts?.service.serve(theirs) }
            return mine
        }
        return self
    }

    /// Gives the process its real device back and removes everything this one kept. Answers that no prompt used stay unsaid.
    public func uninstall() {
        let wasInstalled = guardian.withLock {
            let was = isInstalled
            isInstalled = false
            return was
        }
        if wasInstalled { DeviceClient.shared.install(nil) }
        EventLoop.shared.sync { [self] in
            parts?.service.stop()
            parts = nil
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Stops the device and starts it again on the same store: connections end, contexts are forgotten, and until the passcode
    /// is given biometry is locked out, as after a reboot.
    public func restart() {
        onLoop { device in
            let parts = device.running
            parts.service.stop()
            parts.device.shutDown()
            parts.device = Self.assemble(device.folder, parts.biometry, parts.prompts, parts.clock)
            parts.service = Service(parts.device, onlyUser: getuid())
        }
    }

    // MARK: The owner

    /// What the owner does at a prompt.
    public enum Answer: Sendable {
        case match, noMatch, cancel, fallback
        case passcode(String)
        case systemCancel
        /// Does nothing; the prompt stays up until it is cancelled or another answer is added.
        case nothing
    }

    /// Adds answers, used in order by the prompts to come; a prompt that is up and waiting gets the next one at once.
    public func answer(_ answers: Answer...) {
        let scripted = answers.map(Self.scripted)
        onLoop { device in for answer in scripted { device.running.prompts.add(answer) } }
    }

    /// Answers every prompt in the same way from now on; nil goes back to the script.
    public func answerAlways(_ answer: Answer?) {
        let scripted = answer.map(Self.scripted)
        onLoop { $0.running.prompts.standingAnswer = scripted }
    }

    private static func scripted(_ answer: Answer) -> ScriptedAnswer {
        switch answer {
        case .match: .match
        case .noMatch: .noMatch
        case .cancel: .cancel
        case .fallback: .fallback
        case .passcode(let text): .passcode(secret(text))
        case .systemCancel: .systemCancel
        case .nothing: .nothing
        }
    }

    private static func secret(_ text: String) -> SecretBytes {
        do {
            return try SecretBytes(copying: Array(text.utf8))
        } catch {
            fatalError("no locked memory for a simulated passcode: \(error)")
        }
    }

    /// Every prompt shown so far, in order.
    public var prompts: [Prompt] { onLoop { $0.running.prompts.shown.map(Prompt.init) } }

    /// Answers that no prompt has used yet.
    public var unusedAnswers: Int { onLoop { $0.running.prompts.unusedAnswers } }

    // MARK: The device

    /// Enrols one more finger or face.
    public func enroll(_ name: String) { onLoop { $0.running.biometry.enroll(name) } }

    /// Removes an enrolled finger or face; false if there is none of that name.
    @discardableResult
    public func removeEnrolment(_ name: String) -> Bool { onLoop { $0.running.biometry.remove(name) } }

    /// Sets, changes or (with nil) removes the passcode, as its owner would in the settings.
    public func setPasscode(_ passcode: String?) {
        let new = passcode.map(Self.secret)
        let isKept = answered { device, answer in device.ownerSetsPasscode(new, answer) }
        precondition(isKept, "a simulated passcode has 4 to 256 bytes")
    }

    /// Locks the session: prompts go away, contexts forget what was shown, when-unlocked items are shut.
    public func lock() { onLoop { $0.running.device.lock() } }

    /// Whether the owner lets apps use the sensor.
    public var biometryPermission: Bool {
        get { onLoop { $0.running.biometry.isPermitted } }
        set { onLoop { $0.running.biometry.isPermitted = newValue } }
    }

    /// Moves the device's clock forward; what falls due on the way happens.
    public func advance(by seconds: Double) { onLoop { $0.running.clock.advance(by: seconds) } }

    /// How an owner opens a locked session.
    public enum Key: Sendable {
        case biometry
        case passcode(String)
    }

    /// Unlocks the session; false if the key wasn't right.
    @discardableResult
    public func unlock(with key: Key) -> Bool {
        switch key {
        case .biometry: return onLoop { $0.running.device.ownerUnlocks() }
        case .passcode(let text):
            let typed = Self.secret(text)
            return answered { device, answer in device.ownerUnlocks(with: typed, answer) }
        }
    }

    /// Runs something of the device's that answers later, and waits for the answer.
    private func answered(
        _ body: @escaping @OnLoop @Sendable (Device, @escaping (Bool) -> Void) -> Void
    ) -> Bool {
        let done = Condition()
        let answer = Locked<Bool?>(nil)
        EventLoop.shared.post { [self] in
            body(running.device) { isRight in
                done.withLock { _ in answer.withLock { $0 = isRight } }
                done.broadcast()
            }
        }
        return done.withLock { held in
            while true {
                if let isRight = answer.withLock({ $0 }) { return isRight }
                held.wait()
            }
        }
    }
}

/// Carries a step of the loop's to a later turn of the loop.
@OnLoop private final class Step {
    private let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    func run() { body() }
}
