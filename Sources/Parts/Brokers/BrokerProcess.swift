import CThumbLinux
public import ThumbDaemonProcess
public import ThumbLoop

/// A broker's process: it listens at the socket that systemd holds for it, or in a test at one of its own, and ends when it is told to, or
/// when nobody has been connected for a while and systemd would start it again.
@OnLoop public final class BrokerProcess {
    /// What one is started with.
    public struct Settings: Sendable {
        /// Where it listens if systemd holds no socket for it.
        public var socket: String?
        /// Seconds without a connection after which it ends; never if 0.
        public var idleSeconds: Double
        /// A descriptor that gets one byte when it listens.
        public var readyDescriptor: Int32?

        public init(socket: String?, idleSeconds: Double, readyDescriptor: Int32?) {
            (self.socket, self.idleSeconds, self.readyDescriptor) = (socket, idleSeconds, readyDescriptor)
        }
    }

    private static var current: BrokerProcess?

    private let settings: Settings
    private let manager: ServiceManager
    private let log: Log
    private let broker: Broker
    /// Lets go of whatever the broker holds, and calls back.
    private let shutDown: (@escaping () -> Void) -> Void
    private var signals: Watch?
    private var idleTimer: LoopTimer?
    private var isEnding = false

    /// Runs a broker on the loop for as long as the process lives.
    public static func run(
        _ broker: Broker, _ settings: Settings, _ manager: ServiceManager, _ log: Log, signals: Int32,
        shutDown: @escaping (@escaping () -> Void) -> Void
    ) {
        let running = BrokerProcess(broker, settings, manager, log, shutDown)
        current = running
        running.begin(signals)
    }

    private init(
        _ broker: Broker, _ settings: Settings, _ manager: ServiceManager, _ log: Log,
        _ shutDown: @escaping (@escaping () -> Void) -> Void
    ) {
        (self.broker, self.settings, self.manager, self.log, self.shutDown) = (broker, settings, manager, log, shutDown)
    }

    private func begin(_ descriptor: Int32) {
        signals = Watch(descriptor, .readable) { [unowned self] _ in stop("asked to end") }
        guard let listener = manager.socket ?? settings.socket.flatMap({ SystemSocket.listen(at: $0, isForAll: false) }) else {
            log.write(.error, "there is no socket to listen at")
            exit(73)
        }
        broker.onPopulation = { [unowned self] in populationChanged($0) }
        broker.listen(on: listener)
        log.write(.info, "listening")
        manager.notify("READY=1")
        if let ready = settings.readyDescriptor {
            Output.write("R", to: ready)
            close(ready)
        }
        populationChanged(0)
    }

    private func populationChanged(_ count: Int) {
        idleTimer?.cancel()
        idleTimer = nil
        guard count == 0, settings.idleSeconds > 0 else { return }
        idleTimer = EventLoop.shared.after(settings.idleSeconds) { [unowned self] in stop("nobody was there") }
    }

    private func stop(_ reason: String) {
        if isEnding { return }
        isEnding = true
        log.write(.info, "ending: \(reason)")
        manager.notify("STOPPING=1")
        if manager.socket == nil, let path = settings.socket { unsafe unlink(path) }
        shutDown { exit(0) }
    }
}
