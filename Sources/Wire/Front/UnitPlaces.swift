import ThumbBus
public import ThumbConversation
public import ThumbDaemonProcess
public import ThumbLoop
public import ThumbSensors
import ThumbSystem

/// The processes as units of systemd, which holds their sockets and starts them.
@OnLoop public final class UnitPlaces: ProcessPlaces {
    private static let manager = "org.freedesktop.systemd1"
    /// Seconds for systemd to answer.
    private static let patience = 10.0
    /// How often we look for a socket that systemd was asked for, and the seconds between two looks: at first, and at most.
    private static let (firstPause, longestPause, looks) = (0.001, 0.1, 60)

    /// Where the users' stores are, under their numbers. systemd has a link there for each user whose device it has started.
    private static let stores = "/var/lib/thumbturn"

    private let folder: String
    private let log: (String) -> Void
    private var bus: Bus?
    private var owner: BusOwner?

    /// - Parameter folder: where the sockets are.
    public init(folder: String = SystemSocket.folder, log: @escaping (String) -> Void) {
        self.folder = folder
        self.log = log
    }

    public func device(of uid: UInt32, _ answer: @escaping (Int32?) -> Void) {
        EventLoop.shared.spawn { [self] in
            // Mostly systemd holds the socket already, since an earlier start.
            if let connection = connection(to: uid) { return answer(connection) }
            do throws(BusError) {
                try await startSocket(of: uid)
            } catch {
                log("systemd doesn't start the socket of a user's device: \(error)")
                return answer(nil)
            }
            var pause = Self.firstPause
            for _ in 0..<Self.looks {
                if let connection = connection(to: uid) { return answer(connection) }
                await sleep(pause)
                pause = min(pause * 2, Self.longestPause)
            }
            answer(nil)
        }
    }

    private func sleep(_ seconds: Double) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            _ = EventLoop.shared.after(seconds) { done.resume() }
        }
    }

    private func connection(to uid: UInt32) -> Int32? {
        guard case .success(let fd) = PacketSocket.connect(to: "\(folder)/devices/\(uid)") else { return nil }
        if UnixSocket.peer(of: fd)?.uid == 0 { return fd }
        UnixSocket.close(fd)
        return nil
    }

    private func startSocket(of uid: UInt32) async throws(BusError) {
        let bus = try connectedBus()
        guard let owner else { throw BusError(.disconnected) }
        let call = BusCall(
            try await owner.find(within: Self.patience), "/org/freedesktop/systemd1", "\(Self.manager).Manager", "StartUnit",
            [.string("thumbturn-device@\(uid).socket"), .string("replace")])
        _ = try await bus.call(call, within: Self.patience)
    }

    private func connectedBus() throws(BusError) -> Bus {
        if let bus, bus.isConnected { return bus }
        let made = try Bus(address: Bus.systemAddress)
        bus = made
        owner = BusOwner(made, Self.manager, expectedUser: 0)
        return made
    }

    public func hasStore(of uid: UInt32) -> Bool { FilePlace.isThere("\(Self.stores)/\(uid)") }

    public func connection(to server: Want.Server) -> Int32? {
        let found = HelperPrograms.connection(to: "\(folder)/\(server.socket)", waiting: false)
        guard case .connected(let fd) = found else { return nil }
        return fd
    }

    public func machine(of uid: UInt32) -> any MachineWatch { Logind(bus: Bus.systemAddress, uid: uid) }
}

extension Want.Server {
    /// The name of its socket.
    var socket: String {
        switch self {
        case .passcode: "passcode"
        case .face: "face"
        case .reader: "reader"
        case .tpm: "tpm"
        }
    }
}
