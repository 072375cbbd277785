import CThumbLinux
import ThumbAccess
import ThumbAssembly
import ThumbClient
import ThumbCommands
import ThumbConversation
import ThumbDaemonProcess
import ThumbLoop
import ThumbService
import ThumbSystem

/// The running daemon: one instance on one state folder. It listens until it is told to stop or nobody is connected any more.
@OnLoop final class RunningDaemon {
    private static var current: RunningDaemon?

    private let arguments: Arguments
    private let manager: ServiceManager
    private let log: Log
    private let socketPath: String
    private var listener: Int32 = -1
    private var service: Service?
    private var idleTimer: LoopTimer?
    private var isRefusing = false

    nonisolated static func start(_ arguments: Arguments, _ manager: ServiceManager, _ user: UserPlaces) {
        Assembly.ownsProcess()
        let state: String
        do throws(DataFolder.Problem) {
            state = try Places.stateFolder(arguments, user)
        } catch {
            end(78, "There is no place for the store: \(error).")
        }
        guard Places.makeStateFolder(state) else { end(73, "The state folder can't be made, or others could write to it.") }
        if let problem = Readers.problem(arguments, state: state, user) { end(64, problem.message) }
        let log = Log(state: state, isJournal: manager.isPresent, form: arguments.logForm)
        guard let socket = arguments.socket ?? user.socket else {
            log.write(.error, "there is no folder for the socket that only this user can write")
            exit(78)
        }
        switch Instance.standing(state, besides: socket) {
        case .alone: break
        // Another daemon serves this state. The program that started us wants a daemon that listens, and has one.
        case .anotherListens: exit(0)
        case .storeIsTaken:
            let daemon = "daemon\(Instance.holder(state)) has the store, and doesn't listen at this socket"
            // In a terminal the log is the terminal too.
            if isatty(2) != 1 { log.write(.error, "another \(daemon)") }
            end(75, "Another \(daemon).")
        }
        let signals = Signals.block()
        EventLoop.shared.post {
            let serving = RunningDaemon(arguments, manager, log, socket)
            current = serving
            serving.begin(state, signals)
        }
    }

    private nonisolated static func end(_ status: Int32, _ message: String) -> Never {
        Output.error("thumbturnd: \(message)")
        exit(status)
    }

    private init(_ arguments: Arguments, _ manager: ServiceManager, _ log: Log, _ socketPath: String) {
        self.arguments = arguments
        self.manager = manager
        self.log = log
        self.socketPath = socketPath
    }

    private var signals: Watch?

    private func begin(_ state: String, _ signalDescriptor: Int32) {
        signals = Watch(signalDescriptor, .readable) { [unowned self] _ in stop("asked to end") }
        let service = userService(state)
        self.service = service
        service.onPopulation = { [unowned self] in populationChanged($0) }
        guard listen() else {
            log.write(.error, "the socket can't be made")
            exit(73)
        }
        log.write(.info, "listening")
        manager.tellReady(arguments.readyDescriptor)
        populationChanged(0)
    }

    private func userService(_ state: String) -> Service {
        do {
            let log = log
            let device = try Assembly.userDevice(
                state: state, reader: Readers.place(arguments, of: Readers.ownName, getuid()), tpm: tpm,
                helpers: helpers, isSeatOpen: arguments.isSeatOpen
            ) { log.write(.notice, $0) }
            device.logsClient = { log.write(.notice, $0, of: $1) }
            return Service(device, onlyUser: getuid(), protected: arguments.protected ?? ProtectedPrograms.path)
        } catch {
            // It stays so that it can tell its clients why. It ends soon, so that a repaired store is tried again.
            log.write(.error, "the store can't be opened and was left as it is: \(error.reason)")
            isRefusing = true
            return Service(refusing: error.refusal, onlyUser: getuid())
        }
    }

    private var helpers: HelperPlaces? {
        HelperPrograms(socket: socketPath).map {
            HelperPlaces(
                uid: getuid(), name: Readers.ownName, passcode: $0.passcode, hasFace: HelperPrograms.hasFaceService, face: $0.face
            )
        }
    }

    private var tpm: TPMSetting { arguments.tpm.flatMap(TPMSetting.init) ?? .found }

    private func listen() -> Bool {
        if let passed = manager.socket {
            listener = passed
        } else {
            // A daemon that answers there has a store in another folder. Its users must not be taken from it.
            if case .success(let other) = UnixSocket.connect(to: socketPath) {
                UnixSocket.close(other)
                log.write(.error, "another daemon, with another store, listens at this socket")
                // The program that started this one in the background wants a daemon that listens, and has one.
                exit(arguments.readyDescriptor == nil ? 75 : 0)
            }
            // Anything else at that path belongs to a dead instance.
            unsafe unlink(socketPath)
            guard case .success(let fd) = UnixSocket.listen(at: socketPath) else { return false }
            listener = fd
        }
        service?.listen(on: listener)
        return true
    }

    // MARK: The end

    private func populationChanged(_ count: Int) {
        idleTimer?.cancel()
        idleTimer = nil
        guard count == 0, arguments.idleSeconds > 0 else { return }
        let seconds = isRefusing ? min(1, arguments.idleSeconds) : arguments.idleSeconds
        idleTimer = EventLoop.shared.after(seconds) { [unowned self] in endIfAlone() }
    }

    private func endIfAlone() {
        if manager.socket == nil {
            unsafe unlink(socketPath)
            // Somebody may have connected just before the name was removed. Then there is work to do, and it needs a new name.
            if let late = UnixSocket.accept(listener, waiting: false) {
                service?.stopListening()
                close(listener)
                guard listen() else { return stop("the socket can't be made again") }
                service?.serve(late)
                return
            }
        }
        stop("nobody was there")
    }

    private func stop(_ reason: String) {
        log.write(.info, "ending: \(reason)")
        manager.notify("STOPPING=1")
        // Nobody may connect any more: a daemon that starts now would take this one for one that answers.
        service?.stopListening()
        if manager.socket == nil {
            unsafe unlink(socketPath)
            close(listener)
        }
        // The store is closed when its last owner lets go of it. Its log is then in its file: one file less that can be damaged by itself.
        service?.shutDown()
        service = nil
        exit(0)
    }
}
