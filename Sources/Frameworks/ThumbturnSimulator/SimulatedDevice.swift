import CThumbLinux
import ThumbAccess
import ThumbAssembly
import ThumbAuthentication
import ThumbClient
import ThumbLoop
import ThumbSecrets
import ThumbService
import ThumbSimulation
import ThumbSystem

/// A whole device inside this process: the real service and store, with a sensor, an owner and a clock that a test scripts.
///
/// While it is installed, every `LAContext` and `SecItem…` call of the process goes to it. Only one device can be installed at a time, so
/// suites that install one need `.serialized`. Nothing that it keeps outlives `uninstall()`, and no real device is touched.
public final class SimulatedDevice: @unchecked Sendable {
    // @unchecked: `parts` is set in init, removed by `takeDown`, and otherwise read on the loop, where `listener` lives too; `passcode` and
    // `names` are under `guardian`.

    /// The sensor a simulated device has.
    public enum Biometry: Sendable {
        /// A fingerprint reader.
        case touchID
        /// A camera that knows faces.
        case faceID
        /// No sensor.
        case none
    }

    /// The device that this process uses. One that was replaced may be taken down later, and must leave its successor alone.
    private static let installed = Locked<ObjectIdentifier?>(nil)

    private let folder: TemporaryFolder
    let traits: MachineTraits
    let guardian = Lock()
    var passcode: SecretBytes?
    private var names: (bundle: String?, groups: [String]?)
    private var parts: Parts?
    private var listener: (fd: Int32, path: String)?

    @OnLoop final class Parts {
        let biometry: SimulatedBiometry
        let prompts: SimulatedPrompts
        let seat: SimulatedSeat
        let clock: SimulatedClock
        let companions: SimulatedCompanions
        /// nil only in the middle of a restart.
        private var standing: (device: Device, service: Service)?

        init(
            _ biometry: SimulatedBiometry, _ prompts: SimulatedPrompts, _ seat: SimulatedSeat, _ clock: SimulatedClock,
            _ companions: SimulatedCompanions, _ device: Device
        ) {
            self.biometry = biometry
            self.prompts = prompts
            self.seat = seat
            self.clock = clock
            self.companions = companions
            start(device)
        }

        var device: Device { whole.device }
        var service: Service { whole.service }

        private var whole: (device: Device, service: Service) {
            guard let standing else { fatalError("this simulated device is being restarted") }
            return standing
        }

        func start(_ device: Device) { standing = (device, Service(device, onlyUser: getuid())) }

        /// Closes the store, which stays locked as long as anybody holds the device.
        func halt() {
            whole.service.stop()
            whole.device.shutDown()
            standing = nil
        }

        func serve(_ fd: Int32) {
            // During a restart a client finds nobody.
            if let standing { standing.service.serve(fd) } else { UnixSocket.close(fd) }
        }
    }

    /// Makes a device with this sensor, these fingers or faces enrolled, and this passcode (nil: none is set).
    ///
    /// Traps if the temporary folder for its store can't be made, because a test can't go on without its device.
    public convenience init(biometry: Biometry = .touchID, enrolled: [String] = ["me"], passcode: String? = "1234") {
        self.init(.lenient(biometry), enrolled, passcode)
    }

    /// Makes a device that is as strict as that machine, so that a test that passes here passes there.
    ///
    /// What the machine doesn't have (a sensor, somebody enrolled, a passcode) this device doesn't have either. What a daemon would write
    /// into its log is said on standard error. Traps if the device is to be as `thisMachine` and its Thumbturn can't be reached, because a
    /// test that then passed would say nothing about it.
    public convenience init(as machine: Machine, enrolled: [String] = ["me"], passcode: String? = "1234") {
        let traits: MachineTraits
        do throws(ClientError) {
            traits = try MachineTraits(of: machine)
        } catch {
            fatalError("this machine's Thumbturn can't be reached: \(error.advice)")
        }
        self.init(traits, enrolled, passcode)
    }

    init(_ traits: MachineTraits, _ enrolled: [String], _ passcode: String?) {
        folder = Self.makeFolder()
        self.traits = traits
        let kind: BiometryKind =
            switch traits.sensor {
            case .touchID: .touchID
            case .faceID: .faceID
            case .none: .none
            }
        EventLoop.shared.sync { [self] in
            let sensor = SimulatedBiometry(kind: kind, enrolled: kind != .none && traits.isEnrolled ? enrolled : [])
            (sensor.tellsEnrolments, sensor.level) = (traits.tellsEnrolments, traits.level)
            let prompts = SimulatedPrompts(biometry: sensor) { step in
                let box = Step(step)
                EventLoop.shared.post { box.run() }
            }
            let (seat, clock, companions) = (SimulatedSeat(), SimulatedClock(), SimulatedCompanions())
            prompts.companions = companions
            seat.isSeated = traits.isSeated
            let device = assemble(sensor, prompts, seat, clock, companions)
            (device.asksConsent, device.softwareIsEnough) = (traits.asksConsent, traits.hasEnclave)
            let parts = Parts(sensor, prompts, seat, clock, companions, device)
            prompts.onUnscripted = { UnscriptedPrompt.report($0) }
            prompts.onMismatch = { UnscriptedPrompt.report($0, $1) }
            self.parts = parts
        }
        if let passcode, traits.hasPasscode { setPasscode(passcode) }
    }

    deinit { takeDown() }

    private static func makeFolder() -> TemporaryFolder {
        do throws(SystemError) {
            return try TemporaryFolder("thumbturn-simulated-")
        } catch {
            fatalError("no folder for a simulated device: error \(error.number)")
        }
    }

    @OnLoop private func assemble(
        _ sensor: SimulatedBiometry, _ prompts: SimulatedPrompts, _ seat: SimulatedSeat, _ clock: SimulatedClock,
        _ companions: SimulatedCompanions
    ) -> Device {
        let log: (String) -> Void = traits.isLogged ? { Transfer.say("SimulatedDevice: \($0)\n", to: 2) } : { _ in }
        do {
            return try Assembly.simulatedDevice(
                state: folder.path, biometry: sensor, prompts: prompts, seat: seat, clock: clock, companions: companions, log: log
            )
        } catch {
            fatalError("a simulated device could not be built: \(error.reason)")
        }
    }

    func onLoop<Value: Sendable>(_ body: @escaping @OnLoop @Sendable (SimulatedDevice) -> Value) -> Value {
        EventLoop.shared.sync { [self] in body(self) }
    }

    /// Changes the device as its owner would, and tells those who watch it.
    func change<Value: Sendable>(_ body: @escaping @OnLoop @Sendable (Parts) -> Value) -> Value {
        onLoop { device in
            let value = body(device.running)
            device.running.device.environmentMayHaveChanged()
            return value
        }
    }

    @OnLoop var running: Parts {
        guard let parts else { fatalError("this simulated device was uninstalled; make a new one") }
        return parts
    }

    // MARK: In and out

    /// Makes this the device of the whole process, replacing the real one or one installed before.
    @discardableResult
    public func install() -> SimulatedDevice {
        Self.installed.withLock { installed in
            installed = ObjectIdentifier(self)
            DeviceClient.shared.install { [weak self] in
                guard let self, case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
                EventLoop.shared.post { if let parts = self.parts { parts.serve(theirs) } else { UnixSocket.close(theirs) } }
                return mine
            }
        }
        return self
    }

    /// Serves other programs too, at a socket that it makes at `path`, until it is uninstalled. Returns false if the socket can't be made.
    ///
    /// For a device in its own process, such as `thumbturn simulate` starts.
    public func listen(at path: String) -> Bool {
        guard case .success(let fd) = UnixSocket.listen(at: path) else { return false }
        onLoop { device in
            device.listener = (fd, path)
            device.running.service.listen(on: fd)
        }
        return true
    }

    /// The access groups that every program has on this device; nil: each has its own.
    public var accessGroups: [String]? {
        get { guardian.withLock { names.groups } }
        set { rename { $0.groups = newValue } }
    }

    /// The bundle identifier that every program has on this device, in place of its own; nil: each has its own.
    ///
    /// It comes first among the program's access groups, so items that name no group go there.
    public var bundleIdentifier: String? {
        get { guardian.withLock { names.bundle } }
        set { rename { $0.bundle = newValue } }
    }

    private func rename(_ change: (inout (bundle: String?, groups: [String]?)) -> Void) {
        let names = guardian.withLock {
            change(&self.names)
            return self.names
        }
        let bundle = names.bundle.map { [$0] }
        let groups = names.groups.map { groups in (bundle ?? []) + groups.filter { $0 != names.bundle } } ?? bundle
        onLoop { $0.running.service.callerGroups = groups }
    }

    /// Gives the process its real device back and removes everything that this one kept. Answers that no prompt used are dropped.
    public func uninstall() { takeDown() }

    private func takeDown() {
        Self.installed.withLock { installed in
            guard installed == ObjectIdentifier(self) else { return }
            installed = nil
            DeviceClient.shared.install(nil)
        }
        // Not `self` itself: this also runs when the object is being freed, and then nothing may hold it.
        let (running, listener, folder) = (parts, listener, folder)
        EventLoop.shared.sync {
            running?.service.stop()
            guard let listener else { return }
            UnixSocket.close(listener.fd)
            unsafe unlink(listener.path)
        }
        (parts, self.listener) = (nil, nil)
        folder.remove()
    }

    /// Stops the device and starts it again with the same store. Connections end, contexts are forgotten, and biometry is locked out until
    /// the passcode is given, as after a reboot.
    public func restart() {
        let (asksConsent, softwareIsEnough, groups) = onLoop { device in
            let parts = device.running
            let kept = (parts.device.asksConsent, parts.device.softwareIsEnough, parts.service.callerGroups)
            parts.halt()
            return kept
        }
        // A passcode that is being checked holds the store until the worker is done with it.
        answered { device, answer in
            let again = Again(device, answer)
            let accepted = Worker.shared.run({}) {
                let parts = again.device.running
                parts.start(again.device.assemble(parts.biometry, parts.prompts, parts.seat, parts.clock, parts.companions))
                (parts.device.asksConsent, parts.device.softwareIsEnough) = (asksConsent, softwareIsEnough)
                parts.service.callerGroups = groups
                if let listener = again.device.listener { parts.service.listen(on: listener.fd) }
                again.answer(true)
            }
            precondition(accepted, "a simulated device could not be started again: the worker has too much to do")
        }
    }

    static func secret(_ text: String) -> SecretBytes {
        do {
            return try SecretBytes(copying: Array(text.utf8))
        } catch {
            fatalError("no locked memory for a simulated passcode: \(error)")
        }
    }

    /// Starts something at the device that answers later, and waits for the answer.
    @discardableResult
    func answered(
        _ body: @escaping @OnLoop @Sendable (SimulatedDevice, @escaping (Bool) -> Void) -> Void
    ) -> Bool {
        let done = Condition()
        let answer = Locked<Bool?>(nil)
        EventLoop.shared.post { [self] in
            body(self) { isRight in
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

/// Carries the rest of a restart past the worker.
@OnLoop private final class Again {
    let device: SimulatedDevice
    let answer: (Bool) -> Void

    init(_ device: SimulatedDevice, _ answer: @escaping (Bool) -> Void) {
        self.device = device
        self.answer = answer
    }
}
