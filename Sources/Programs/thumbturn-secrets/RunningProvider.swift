import CThumbLinux
import ThumbAccess
import ThumbBus
import ThumbDaemonProcess
import ThumbLoop
import ThumbSecretProvider

/// The running provider. It composes the bus and the objects, and ends when nobody needs it.
@OnLoop final class RunningProvider {
    private static var current: RunningProvider?
    private nonisolated static let deviceVariable = "THUMBTURN_SOCKET"

    private let arguments: Arguments
    private let manager: ServiceManager
    private let log: Log
    private let endsIdle: Bool
    private var signals: Watch?
    private var idleTimer: LoopTimer?
    private var names: [BusSubscription] = []
    private var provider: SecretProvider?

    // MARK: What the environment says, before it is emptied

    /// Whether the bus started this process, and so will again.
    nonisolated static var isStartedByTheBus: Bool { unsafe thumb_secure_getenv("DBUS_STARTER_BUS_TYPE") != nil }

    /// The device of a test's own; nil in a program that runs with more rights than its caller.
    nonisolated static var testDevice: String? {
        guard let value = unsafe thumb_secure_getenv(deviceVariable) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Keeps a test's device, for the client to find.
    nonisolated static func keep(_ device: String?) {
        guard let device else { return }
        unsafe setenv(deviceVariable, device, 1)
    }

    nonisolated static func start(_ arguments: Arguments, _ manager: ServiceManager, isStartedByTheBus: Bool) {
        let log = Log(state: nil, isJournal: manager.isPresent, form: arguments.logForm)
        let signals = Signals.block()
        EventLoop.shared.spawn {
            let running = RunningProvider(arguments, manager, log, endsIdle: isStartedByTheBus || manager.isPresent)
            current = running
            await running.begin(signals)
        }
    }

    private init(_ arguments: Arguments, _ manager: ServiceManager, _ log: Log, endsIdle: Bool) {
        (self.arguments, self.manager, self.log, self.endsIdle) = (arguments, manager, log, endsIdle)
    }

    private func begin(_ signalDescriptor: Int32) async {
        signals = Watch(signalDescriptor, .readable) { [unowned self] _ in stop("asked to end", 0) }
        do throws(BusError) {
            let bus = try Bus(
                address: arguments.bus ?? "unix:path=/run/user/\(getuid())/bus", valueLimit: SecretProvider.valueLimit,
                argumentBytes: SecretProvider.argumentBytes)
            bus.onDisconnect = { [unowned self] in stop("the bus is gone", 69) }
            let log = log
            let registry = arguments.protected ?? ProtectedPrograms.path
            let provider = SecretProvider(bus, protected: registry) { log.write(.notice, $0) }
            self.provider = provider
            provider.onQuiet = { [unowned self] in quiet() }
            await provider.begin()
            names = bus.listenForOwnNames { [unowned self] name, isOurs in
                if !isOurs, name.utf8.elementsEqual(SecretProvider.name.utf8) { stop("another program took the name", 75) }
            }
            // It waits for the name behind the desktop's old keyring, whose items are brought over meanwhile.
            _ = try await bus.requestName(SecretProvider.name, replace: arguments.isReplacing, queue: true)
            guard case .owned = try await bus.requestName(SecretProvider.ownName) else {
                return stop("another provider of Thumbturn's runs", 75)
            }
            if case .owned = try await bus.requestName(SecretPortal.name, replace: arguments.isReplacing) {
            } else {
                log.write(.notice, "another program is the Secret portal's backend of this name")
            }
        } catch {
            return stop("there is no session bus", 69)
        }
        log.write(.info, "listening")
        manager.tellReady(arguments.readyDescriptor)
        quiet()
    }

    /// Nobody may need the provider just now. It ends if that stays so.
    private func quiet() {
        idleTimer?.cancel()
        guard endsIdle, arguments.idleSeconds > 0 else { return }
        idleTimer = EventLoop.shared.after(arguments.idleSeconds) { [unowned self] in
            if provider?.isNeeded == false { stop("nobody was there", 0) } else { quiet() }
        }
    }

    private func stop(_ reason: String, _ status: Int32) {
        log.write(status == 0 ? .info : .error, "ending: \(reason)")
        manager.notify("STOPPING=1")
        exit(status)
    }
}
