import CThumbLinux
import ThumbAccess
import ThumbAssembly
import ThumbCommands
import ThumbConversation
import ThumbDaemonProcess
import ThumbInside
import ThumbLoop
import ThumbSecrets
import ThumbSensors
import ThumbService

/// One user's device in system mode: it serves whom the front brings, reaches what the front gives it, and ends when the front says so, or
/// when nobody uses it and there is no front any more.
@OnLoop final class RunningDevice {
    private static var current: RunningDevice?
    private let uid: UInt32
    private let arguments: Arguments
    private let state: String
    private let manager: ServiceManager
    private let log: Log
    private var signals: Watch?
    private var listener: Watch?
    private var line: DeviceLine?
    private let machine = ToldMachine()
    /// The line for what the device wants: the latest front's.
    private let wants = Locked<WantsLine?>(nil)
    private var service: Service?
    private var isRefusing = false
    /// The front brings nobody any more.
    private var isRetired = false
    /// Ends a device that no front comes to.
    private var lonelyTimer: LoopTimer?
    private static let secondsForFront = 20.0
    /// Ends a device that refuses and was told to end.
    private var retirement: LoopTimer?
    private static let secondsForRefused = 1.0
    private var count = 0

    nonisolated static func start(_ uid: UInt32, _ arguments: Arguments, _ manager: ServiceManager, _ user: UserPlaces) {
        Assembly.ownsProcess()
        guard let state = arguments.state ?? manager.stateFolder else {
            end(78, "A device needs --state, or a state folder from systemd.")
        }
        guard Places.makeStateFolder(state) else { end(73, "The state folder can't be made, or others could write to it.") }
        if let problem = Readers.problem(arguments, state: state, user) { end(64, problem.message) }
        // One that is about to end may have it still.
        guard Instance.becomesAlone(state) else { end(75, "Another process has the store.") }
        let log = Log(state: state, isJournal: manager.isPresent)
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
            listener = Watch(socket, .readable) { [unowned self] _ in
                if let connection = UnixSocket.accept(socket) { take(connection) }
            }
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

    /// A front has come, perhaps after another one that is gone. It is root's.
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
        // A front that was lost while the machine slept couldn't tell that it woke. This one tells a sleep that is still to come.
        machine.onSleep(false) {}
        line = DeviceLine(
            connection,
            DeviceLine.Hearing(
                peer: { [unowned self] descriptor, word in serve(descriptor, word) },
                wantsLine: { [unowned self] in
                    setWants($0)
                    if service == nil { open() }
                },
                sleeps: { [unowned self] in machine.onSleep(true) {} }, wakes: { [unowned self] in machine.onSleep(false) {} },
                lid: { [unowned self] in machine.onLid($0) },
                lock: { [unowned self] in machine.onLock($0) },
                machineKnown: { [unowned self] in machine.becomesKnown() }, end: { [unowned self] in retire() },
                lost: { [unowned self] in frontIsGone() }))
    }

    private func setWants(_ given: WantsLine) { wants.withLock { $0 = given } }

    private func open() {
        let service = made()
        self.service = service
        service.onPopulation = { [unowned self] in populationChanged($0) }
    }

    private func made() -> Service {
        let wants = wants
        do throws(AssemblyError) {
            let log = log
            let device = try Assembly.systemDevice(
                of: uid, state: state, machine: machine, isSeatOpen: arguments.isSeatOpen,
                hasFace: HelperPrograms.hasFaceService, reach: { server in wants.withLock { $0 }?.connection(to: server) }
            ) { log.write(.notice, $0) }
            return Service(device, onlyUser: uid, protected: arguments.protected ?? ProtectedPrograms.path)
        } catch {
            log.write(.error, "the store can't be opened and was left as it is: \(error.reason)")
            isRefusing = true
            return Service(refusing: error.refusal, onlyUser: uid)
        }
    }

    private func serve(_ descriptor: Int32, _ word: PeerArrived) {
        guard let service else { return UnixSocket.close(descriptor) }
        service.serve(descriptor, as: word)
        // One that was closed unheard changes nothing, and the front has to know that nobody came.
        if count == 0 { populationChanged(0) }
    }

    // MARK: The end

    private func populationChanged(_ count: Int) {
        self.count = count
        guard count == 0 else { return }
        guard let line, !isRetired else { return stop("idle, and the front is gone") }
        line.tellUnused(isSoon: isRefusing)
    }

    /// Those who came before are still told why the store can't be opened, but they don't keep it for long.
    private func retire() {
        isRetired = true
        guard isRefusing, count > 0 else { return stop("nobody was there") }
        // Whoever comes from now on waits for the next device.
        listener?.remove()
        listener = nil
        retirement = EventLoop.shared.after(Self.secondsForRefused) { [unowned self] in stop("it only refused") }
    }

    private func frontIsGone() {
        line = nil
        // What it didn't tell, it won't: nobody waits for that.
        machine.becomesKnown()
        if isRetired { return }
        // Another front finds it at its socket, and it serves on until then. Without one nobody would.
        if count == 0 || listener == nil { stop("the front is gone") }
    }

    private func stop(_ reason: String) {
        log.write(.info, "ending: \(reason)")
        manager.notify("STOPPING=1")
        // Its clients leave by this, and nobody has to hear of it any more.
        service?.onPopulation = nil
        service?.shutDown()
        service = nil
        exit(0)
    }
}
