public import ThumbAccess
public import ThumbConversation
public import ThumbLoop
import ThumbProtectedPrograms
import ThumbSecrets

/// The listener: takes connections in, keeps their sessions, and knows when nobody is there.
@OnLoop public final class Service {
    /// The device, or why there is none.
    private(set) var device: Result<Device, Refusal>
    /// Whose device it is: peers of other users are closed unheard; nil takes all in, as the one user they are to a test's device.
    let onlyUser: UInt32?
    let population = Population()
    private let log: (String) -> Void
    /// Access groups given to every caller, in place of what its identity gives: for simulated devices.
    public var callerGroups: [String]?
    /// Which programs root protected: a file that is root's alone.
    let protected: ProtectedRegistry
    let secondsForHello: Double
    /// Meters those who have not said hello yet.
    let visitors: Meter
    /// Where a frame of any session is read to first. Where no memory can be locked for it, a frame takes two readings.
    let stage = try? SecretStage(capacity: FrameReader.stageBytes)
    private var sessions: [ObjectIdentifier: Session] = [:]
    /// Who has not said hello yet, in the order in which they came; who has since, or is gone, leaves when the next one comes.
    private var silent: [Session] = []
    private var listener: Watch?
    /// Called whenever the number of connections changes, agents' not counted: they serve others, and nobody's secrets are for them.
    public var onPopulation: ((Int) -> Void)?

    public init(
        _ device: Device, onlyUser: UInt32?, protected: String = ProtectedPrograms.path,
        secondsForHello: Double = WireLimit.secondsForHello
    ) {
        self.device = .success(device)
        self.onlyUser = onlyUser
        log = device.parts.log
        self.protected = ProtectedRegistry(path: protected, log: log)
        self.secondsForHello = secondsForHello
        visitors = Meter(device.meter.main)
    }

    /// A service that tells each client why it can't be served.
    public init(refusing refusal: Refusal, onlyUser: UInt32?) {
        visitors = Meter()
        device = .failure(refusal)
        self.onlyUser = onlyUser
        log = { _ in }
        protected = ProtectedRegistry(path: ProtectedPrograms.path, log: log)
        secondsForHello = WireLimit.secondsForHello
    }

    /// Serves a listening socket until `stop()`.
    public func listen(on fd: Int32) {
        UnixSocket.passCredentials(fd)
        listener = Watch(fd, .readable) { [weak self] _ in
            if let connection = UnixSocket.accept(fd) { self?.serve(connection) }
        }
    }

    /// Serves one connected socket: an accepted one, one that somebody else accepted and looked into, or one end of a pair inside this
    /// process.
    public func serve(_ fd: Int32, as arrived: PeerArrived? = nil) {
        guard let peer = UnixSocket.peer(of: fd), serves(peer.uid, arrived) else {
            UnixSocket.close(fd)
            log("a connection of another user was closed unheard")
            return
        }
        UnixSocket.passCredentials(fd)
        let session = Session(fd, peer, arrived, self)
        guard makeRoom(for: peer.uid), population.arrive(peer.uid) else {
            session.refuse(.tooManyConnections, call: 0)
            return
        }
        sessions[ObjectIdentifier(session)] = session
        silent.append(session)
        session.open()
        agentsChanged()
    }

    /// A login is root's.
    private func serves(_ uid: UInt32, _ arrived: PeerArrived?) -> Bool {
        onlyUser == nil || uid == (arrived == .login ? 0 : onlyUser)
    }

    /// Where a user has as many connections as may be, or all users have, the one goes that has been silent for longest: whoever
    /// means to speak says hello at once.
    private func makeRoom(for uid: UInt32) -> Bool {
        silent.removeAll { $0.isClosed || !$0.isSilent }
        if population.connections(of: uid) >= WireLimit.connectionsPerUser {
            guard let oldest = silent.first(where: { $0.peer.uid == uid }) else { return false }
            oldest.refuse(.tooManyConnections, call: 0)
        }
        if population.total >= WireLimit.connections {
            guard let oldest = silent.first(where: { !$0.isClosed }) else { return false }
            oldest.refuse(.tooManyConnections, call: 0)
        }
        return true
    }

    func agentsChanged() { onPopulation?(sessions.values.count { !$0.isAgent }) }

    func ended(_ session: Session) {
        guard sessions.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
        silent.removeAll { $0 === session }
        population.leave(session.peer.uid)
        agentsChanged()
    }

    /// Listens no more; connections stay.
    public func stopListening() {
        listener?.remove()
        listener = nil
    }

    /// Closes every connection and listens no more.
    public func stop() {
        stopListening()
        for session in sessions.values { session.close() }
    }

    /// The same, with every key out of memory and every store closed: the end.
    public func shutDown() {
        stop()
        if case .success(let device) = device { device.shutDown() }
        device = .failure(.storeUnavailable)
    }
}
