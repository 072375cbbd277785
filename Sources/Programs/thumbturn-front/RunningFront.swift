import CThumbLinux
import ThumbDaemonProcess
import ThumbFront
import ThumbLoop
import ThumbSystem

/// The running front. It listens until it is told to stop, or until there has been no device for a long time.
@OnLoop final class RunningFront {
    private static var current: RunningFront?

    private let arguments: Arguments
    private let manager: ServiceManager
    private let log: Log
    private let front: Front
    private var signals: Watch?
    private var idleTimer: LoopTimer?

    nonisolated static func start(_ arguments: Arguments, _ manager: ServiceManager) {
        let log = Log(state: nil, isJournal: manager.isPresent, form: arguments.logForm)
        let signals = Signals.block()
        EventLoop.shared.post {
            let running = RunningFront(arguments, manager, log)
            current = running
            running.begin(signals)
        }
    }

    private init(_ arguments: Arguments, _ manager: ServiceManager, _ log: Log) {
        self.arguments = arguments
        self.manager = manager
        self.log = log
        front = Front(Self.places(arguments, log), idleSeconds: arguments.idleSeconds) { log.write(.notice, $0) }
    }

    private static func places(_ arguments: Arguments, _ log: Log) -> any ProcessPlaces {
        guard let stores = arguments.devices else { return UnitPlaces { log.write(.notice, $0) } }
        var options: [String] = []
        if arguments.isSeatOpen { options += ["--seat", "open"] }
        if let protected = arguments.protected { options += ["--protected", protected] }
        return SpawnedPlaces(
            folder: FilePlace.folder(of: socket(arguments)), stores: stores, options: options,
            bus: arguments.bus, busOwner: arguments.busOwner)
    }

    private static func socket(_ arguments: Arguments) -> String { arguments.socket ?? SystemSocket.folder + "/socket" }

    private func begin(_ signalDescriptor: Int32) {
        signals = Watch(signalDescriptor, .readable) { [unowned self] _ in stop("asked to end") }
        front.onDevices = { [unowned self] in devicesChanged($0) }
        guard listen() else {
            log.write(.error, "the socket can't be made")
            exit(73)
        }
        log.write(.info, "listening")
        manager.tellReady(arguments.readyDescriptor)
        devicesChanged(0)
    }

    private func listen() -> Bool {
        let path = Self.socket(arguments)
        guard let clients = manager.sockets["thumbturn.socket"] ?? SystemSocket.listen(at: path, isForAll: true),
            let logins = manager.sockets["thumbturn-login.socket"]
                ?? SystemSocket.listen(at: FilePlace.folder(of: path) + "/login", isForAll: false)
        else { return false }
        front.listen(on: clients)
        front.listenForLogins(on: logins)
        return true
    }

    // MARK: The end

    private func devicesChanged(_ count: Int) {
        idleTimer?.cancel()
        idleTimer = nil
        // If nobody would start it again, it stays.
        guard count == 0, arguments.idleSeconds > 0, !manager.sockets.isEmpty else { return }
        idleTimer = EventLoop.shared.after(arguments.idleSeconds) { [unowned self] in stop("nobody was there") }
    }

    private func stop(_ reason: String) {
        log.write(.info, "ending: \(reason)")
        manager.notify("STOPPING=1")
        front.stop()
        exit(0)
    }
}
