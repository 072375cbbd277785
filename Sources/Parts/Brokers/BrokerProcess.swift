import CThumbLinux
public import ThumbCommands
public import ThumbDaemonProcess
public import ThumbLogging
public import ThumbLoop

/// A broker's process. It listens at the socket that systemd holds for it, or in a test at its own. It ends when told to, or when nobody
/// has been connected for a while and systemd would start it again.
@OnLoop public final class BrokerProcess {
    /// The settings that one is started with.
    public struct Settings: Sendable {
        /// Where it listens if systemd holds no socket for it.
        let socket: String?
        /// Ends after this many seconds without a connection; never if 0.
        let idleSeconds: Double
        /// A descriptor that gets one byte when it listens.
        let readyDescriptor: Int32?
        /// How its log is written.
        public let logForm: LogForm
        /// The user whose connections it accepts: root or, in a test, this process's own user.
        public let peer: UInt32

        public init(_ given: Invocation) {
            socket = given.value(Self.socketOption)
            idleSeconds = given.seconds(ProcessLine.idle) ?? ProcessLine.usualIdleSeconds
            readyDescriptor = given.readyDescriptor
            logForm = given.logForm
            peer = given.has(Self.peerOption) ? getuid() : 0
        }

        public static let options = [
            socketOption, ProcessLine.idle, ProcessLine.logForm, peerOption, ProcessLine.readyDescriptor,
        ]
        public static let socketOption = Option(
            "socket", "where to listen if systemd holds no socket", .file("PATH", isAbsolute: true))
        private static let peerOption = Option(
            "peer", "for tests: accept connections from the user who runs it, instead of root", .choice("WHOSE", ["own"]))
    }

    private static var current: BrokerProcess?

    private let settings: Settings
    private let manager: ServiceManager
    private let log: Log
    private let broker: Broker
    /// Releases everything that the broker holds, and calls back.
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
        manager.tellReady(settings.readyDescriptor)
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
