import CThumbLinux
import ThumbAccess
import ThumbAssembly
import ThumbCommands
import ThumbConversation
import ThumbDaemonProcess
import ThumbInside
import ThumbLoop
import ThumbPeers
import ThumbSecrets
import ThumbSensors
import ThumbService

/// One user's device in system mode. It serves the clients that the front brings, and uses the connections that the front gives it. It ends
/// when the front says so, or when nobody uses it and there is no front any more.
@OnLoop final class RunningDevice {
    private static var current: RunningDevice?
    private let uid: UInt32
    private let arguments: Arguments
    private let state: String
    private let manager: ServiceManager
    private let log: Log
    private var signals: Watch?
    private var listener: Listener?
    private var line: DeviceLine?
    private let machine = ToldMachine()
    /// The wants line of the latest front.
    private let wants = Locked<WantsLine?>(nil)
    private var service: Service?
    private var isRefusing = false
    /// Whether the front no longer brings clients.
    private var isRetired = false
    /// Ends a device to which no front comes.
    private var lonelyTimer: LoopTimer?
    private static let secondsForFront = 20.0
    /// Ends a device that refuses its clients and was told to end.
    private var retirement: LoopTimer?
    private static let secondsForRefused = 1.0
    private var restTimer: LoopTimer?
    private var count = 0

    nonisolated static func start(_ uid: UInt32, _ arguments: Arguments, _ manager: ServiceManager, _ user: UserPlaces) {
        Assembly.ownsProcess()
        guard let state = arguments.state ?? manager.stateFolder else {
            end(78, "A device needs --state, or a state folder from systemd.")
        }
        guard Places.makeStateFolder(state) else { end(73, "The state folder can't be made, or others could write to it.") }
        if let problem = Readers.problem(arguments, state: state, user) { end(64, problem.message) }
        // Another process that is about to end may still have the store.
        guard Instance.becomesAlone(state) else { end(75, "Another process\(Instance.holder(state)) has the store.") }
        let log = Log(state: state, isJournal: manager.isPresent, form: arguments.logForm)
        let signals = Signals.block()
        EventLoop.shared.post {
            let running = RunningDevice(uid, arguments, state, manager, log)
            current = running
            running.begin(signals)
        }
    }

    private nonisolated static func end(_ status: Int32, _ message: String) -> Never {
        Output.error("thumbturnd: \(message)")
        exit(status)
    }

    private init(_ uid: UInt32, _ arguments: Arguments, _ state: String, _ manager: ServiceManager, _ log: Log) {
        self.uid = uid
        self.arguments = arguments
        self.state = state
        self.manager = manager
        self.log = log
    }

    private func begin(_ signalDescriptor: Int32) {
        signals = Watch(signalDescriptor, .readable) { [unowned self] _ in stop("asked to end") }
        if let socket = manager.socket {
            listener = Listener(socket) { [unowned self] connection in take(connection) }
        } else if let front = arguments.frontDescriptor {
            hear(front)
        } else {
            Self.end(64, "A device is started by systemd, or by the front.")
        }
        manager.notify("READY=1")
        lonelyTimer = EventLoop.shared.after(Self.secondsForFront) { [unowned self] in
            if line == nil && count == 0 { stop("no front came") }
        }
    }

    /// A front has come, perhaps in place of an earlier one. It must be root's.
    private func take(_ connection: Int32) {
        guard UnixSocket.peer(of: connection)?.uid == 0 else {
            log.write(.error, "a process that isn't root connected as the front")
            return UnixSocket.close(connection)
        }
        hear(connection)
    }

    private func hear(_ connection: Int32) {
        lonelyTimer?.cancel()
        line?.close()
        // A front that was lost during the machine's sleep couldn't report that the machine woke. This front reports any sleep that is
        // still to come.
        machine.onSleep(false) {}
        line = DeviceLine(
            connection,
            DeviceLine.Hearing(
                peer: { [unowned self] descriptor, word, contents in serve(descriptor, word, contents) },
                wantsLine: { [unowned self] in
                    setWants($0)
                    if service == nil { open() }
                },
                sleeps: { [unowned self] in machine.onSleep(true) {} }, wakes: { [unowned self] in machine.onSleep(false) {} },
                lid: { [unowned self] in machine.onLid($0) },
                lock: { [unowned self] in machine.onLock($0) }, front: { [unowned self] in machine.onFront($0) },
                machineKnown: { [unowned self] in machine.becomesKnown() }, end: { [unowned self] in retire() },
                lost: { [unowned self] in frontIsGone() }))
    }

    private func setWants(_ given: WantsLine) { wants.withLock { $0 = given } }

    private func open() {
        let service = made()
        self.service = service
        service.onPopulation = { [unowned self] in populationChanged($0) }
        restSoon()
    }

    private func made() -> Service {
        let wants = wants
        do throws(AssemblyError) {
            let log = log
            let device = try Assembly.systemDevice(
                of: uid, state: state, machine: machine, isSeatOpen: arguments.isSeatOpen,
                hasFace: HelperPrograms.hasFaceService, reach: { server in wants.withLock { $0 }?.connection(to: server) }
            ) { log.write(.notice, $0) }
            device.logsClient = { log.write(.notice, $0, of: $1) }
            return Service(device, onlyUser: uid, protected: arguments.protected ?? ProtectedPrograms.path)
        } catch {
            log.write(.error, "the store can't be opened and was left as it is: \(error.reason)")
            isRefusing = true
            return Service(refusing: error.refusal, onlyUser: uid)
        }
    }

    private func serve(_ descriptor: Int32, _ word: PeerArrived, _ contents: PeerContents) {
        guard let service else { return UnixSocket.close(descriptor) }
        service.serve(descriptor, as: word, with: contents)
        // A connection that was closed unheard doesn't change the count, but the front has to know that nobody came.
        if count == 0 { populationChanged(0) }
    }

    /// A second after the start, and after the last client has left, the device gives up the pages that only these moments needed.
    private func restSoon() {
        restTimer?.cancel()
        restTimer = EventLoop.shared.after(1) { CodePages.release() }
    }

    // MARK: The end

    private func populationChanged(_ count: Int) {
        self.count = count
        if count == 0 { restSoon() }
        guard count == 0 else { return }
        guard let line, !isRetired else { return stop("idle, and the front is gone") }
        line.tellUnused(isSoon: isRefusing)
    }

    /// Clients that came earlier are still told why the store can't be opened, but they can't keep the device alive for long.
    private func retire() {
        isRetired = true
        guard isRefusing, count > 0 else { return stop("nobody was there") }
        // Clients that come from now on wait for the next device.
        listener?.stop()
        listener = nil
        retirement = EventLoop.shared.after(Self.secondsForRefused) { [unowned self] in stop("it only refused") }
    }

    private func frontIsGone() {
        line = nil
        // What this front didn't report it never will, so nobody has to wait for it.
        machine.becomesKnown()
        if isRetired { return }
        // Until another front finds it at its socket, the device goes on serving. Without a socket none would find it.
        if count == 0 || listener == nil { stop("the front is gone") }
    }

    private func stop(_ reason: String) {
        log.write(.info, "ending: \(reason)")
        manager.notify("STOPPING=1")
        // This closes its clients' connections, and nobody needs to hear of that any more.
        service?.onPopulation = nil
        service?.shutDown()
        service = nil
        exit(0)
    }
}
