public import ThumbConversation
import ThumbDaemonProcess
public import ThumbLoop
public import ThumbSensors
import ThumbSystem

/// The processes as children, for tests. Each device is the daemon's program from this one's folder, with this process's rights.
@OnLoop public final class SpawnedPlaces: ProcessPlaces {
    private let folder: String
    private let stores: String
    private let options: [String]
    private let bus: String?
    private let busOwner: UInt32

    /// - Parameters:
    ///   - folder: where the servers' sockets are.
    ///   - stores: the folder that holds each user's store.
    ///   - options: further options for each device.
    ///   - bus: where the test's own logind is; nil if there is none.
    public init(folder: String, stores: String, options: [String], bus: String?, busOwner: UInt32) {
        self.folder = folder
        self.stores = stores
        self.options = options
        self.bus = bus
        self.busOwner = busOwner
    }

    public func device(of uid: UInt32, _ answer: @escaping (Int32?) -> Void) {
        var device: Int32?
        if let program = OwnProgram.beside("thumbturnd"), case .success(let (mine, theirs)) = PacketSocket.pair() {
            let words = ["thumbturnd", "--device", "\(uid)", "--front-fd", "3", "--state", "\(stores)/\(uid)"] + options
            do throws(SystemError) {
                // Nobody waits for this process: it ends when its line does.
                _ = try Spawn(program, words, descriptors: .only([nil, 1, 2, theirs])).start()
                device = mine
            } catch {
                UnixSocket.close(mine)
            }
            UnixSocket.close(theirs)
        }
        let found = device
        EventLoop.shared.post { answer(found) }
    }

    public func hasStore(of uid: UInt32) -> Bool { FilePlace.isThere("\(stores)/\(uid)") }

    public func connection(to server: Want.Server) -> Int32? {
        let helpers = HelperPrograms(socket: folder + "/socket")
        switch server {
        case .passcode: return helpers?.passcode()
        case .face: return helpers?.face()
        case .reader, .tpm:
            let found = HelperPrograms.connection(to: "\(folder)/\(server.socket)", waiting: false)
            guard case .connected(let fd) = found else { return nil }
            return fd
        }
    }

    public func machine(of uid: UInt32) -> any MachineWatch {
        bus.map { Logind(bus: $0, ownerUser: busOwner, uid: uid) } ?? UnwatchedMachine()
    }
}

/// A machine without a login manager.
@OnLoop private final class UnwatchedMachine: MachineWatch {
    var onSleep: (_ isAsleep: Bool, _ done: @escaping () -> Void) -> Void = { $1() }
    var onLid: (_ isClosed: Bool) -> Void = { _ in }
    var onLock: (_ isLocked: Bool) -> Void = { _ in }
    var onFront: (_ isInFront: Bool) -> Void = { _ in }
    func start(_ then: @escaping () -> Void) { then() }
}
