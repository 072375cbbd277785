import CThumbLinux
import ThumbBus
import ThumbClient
import ThumbDaemonProcess
import ThumbLoop
import ThumbPolkitAgent

/// The running agent. It composes the bus and the agent, and ends when either is of no use any more.
@OnLoop final class RunningAgent {
    private static var current: RunningAgent?

    private static let secondsToAnswer = 0.2

    private let arguments: Arguments
    private let manager: ServiceManager
    private let log: Log
    private var signals: Watch?
    private var agent: PolkitAgent?

    nonisolated static func start(_ arguments: Arguments, _ manager: ServiceManager, locale: String) {
        let log = Log(state: nil, isJournal: manager.isPresent, form: arguments.logForm)
        let signals = Signals.block()
        EventLoop.shared.spawn {
            let running = RunningAgent(arguments, manager, log)
            current = running
            await running.begin(signals, locale)
        }
    }

    /// The language of the session, as polkit takes it.
    nonisolated static var locale: String {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let value = unsafe thumb_secure_getenv(name) else { continue }
            let text = unsafe String(cString: value)
            if !text.isEmpty { return text }
        }
        return "C"
    }

    private init(_ arguments: Arguments, _ manager: ServiceManager, _ log: Log) {
        (self.arguments, self.manager, self.log) = (arguments, manager, log)
    }

    private func begin(_ signalDescriptor: Int32, _ locale: String) async {
        signals = Watch(signalDescriptor, .readable) { [unowned self] _ in stop("asked to end", 0) }
        guard let helper = arguments.helper ?? PolkitPlaces.helpers.first(where: { unsafe access($0, X_OK) == 0 }) else {
            return stop("polkit's helper isn't installed", 69)
        }
        guard let place = DevicePlace(named: arguments.socket) else {
            return stop("you have no folder for the daemon's socket that only you can write to", 78)
        }
        do throws(BusError) {
            let bus = try Bus(address: arguments.bus ?? Bus.systemAddress, valueLimit: PolkitAgent.valueLimit)
            bus.onDisconnect = { [unowned self] in stop("the system's bus is gone", 69) }
            let log = log
            let places = PolkitPlaces(socket: place.socket, owners: place.owners, helper: helper)
            agent = PolkitAgent(bus, users: users, places, locale: locale) { log.write(.notice, $0) }
            // Its answer to polkit goes out first.
            agent?.onFailure = { [unowned self] failure in
                _ = EventLoop.shared.after(Self.secondsToAnswer) { [unowned self] in stop(failure) }
            }
        } catch {
            return stop("the system's bus isn't there", 69)
        }
        do throws(PolkitAgent.Failure) {
            try await agent?.begin()
        } catch {
            return stop(error)
        }
        log.write(.info, "listening")
        manager.tellReady(arguments.readyDescriptor)
    }

    /// As whom polkit and the login manager run.
    private var users: Set<UInt32> {
        if let user = arguments.busOwner { return [user] }
        guard let polkit = unsafe getpwnam("polkitd") else { return [0] }
        return [0, unsafe polkit.pointee.pw_uid]
    }

    private func stop(_ failure: PolkitAgent.Failure) {
        switch failure {
        case .noDaemon:
            stop("nobody can be asked: no daemon takes this agent, or it has no window; 'thumbturn doctor' says more", 69)
        case .noSession: stop("you have no session in front of a display", 78)
        case .noPolkit: stop("polkit isn't there", 69)
        case .notTaken: stop("the session has another agent", 75)
        }
    }

    private func stop(_ reason: String, _ status: Int32) {
        log.write(status == 0 ? .info : .error, "ending: \(reason)")
        manager.notify("STOPPING=1")
        exit(status)
    }
}
