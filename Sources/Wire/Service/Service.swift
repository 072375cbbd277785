public import ThumbAccess
public import ThumbConversation
import ThumbIdentities
import ThumbLogging
public import ThumbLoop
public import ThumbPeers
import ThumbProtectedPrograms
import ThumbSecrets

/// The listener: accepts connections, keeps their sessions, and knows when nobody is connected.
@OnLoop public final class Service {
    /// The device, or why there is none.
    private(set) var device: Result<Device, Refusal>
    /// The user whose device it is. Connections of other users are closed unheard. nil accepts everybody as a test device's one user.
    let onlyUser: UInt32?
    let population = Population()
    private let log: (String) -> Void
    /// Access groups for every caller, in place of those that its identity gives. For simulated devices.
    public var callerGroups: [String]?
    /// The programs that root protected, from a file that only root can write.
    let protected: ProtectedRegistry
    /// The digests of interpreters and scripts.
    let digests = FileDigests()
    let secondsForHello: Double
    /// How long a login that a finger let in has until it says that it goes on.
    let secondsToStand: Double
    /// Meters the peers that have not said hello yet.
    let visitors: Meter
    /// Every session's frames are read into this first. If no memory can be locked for it, each frame takes two reads.
    let stage = try? SecretStage(capacity: FrameReader.stageBytes)
    private var sessions: [ObjectIdentifier: Session] = [:]
    /// Peers that have not said hello yet, in the order of their arrival. Those that have since, or are gone, are removed when the next
    /// peer comes.
    private var silent: [Session] = []
    private var listener: Listener?
    /// Called whenever the number of connections changes. Agents don't count: they serve others and are sent nobody's secrets.
    public var onPopulation: ((Int) -> Void)?

    public init(
        _ device: Device, onlyUser: UInt32?, protected: String = ProtectedPrograms.path,
        secondsForHello: Double = WireLimit.secondsForHello, secondsToStand: Double = WireLimit.secondsToStand
    ) {
        self.device = .success(device)
        self.onlyUser = onlyUser
        log = device.parts.log
        self.protected = ProtectedRegistry(path: protected, log: log)
        self.secondsForHello = secondsForHello
        self.secondsToStand = secondsToStand
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
        secondsToStand = WireLimit.secondsToStand
    }

    /// Serves a listening socket until `stop()`.
    public func listen(on fd: Int32) {
        UnixSocket.passCredentials(fd)
        listener = Listener(fd) { [weak self] connection in self?.serve(connection) }
    }

    /// Serves one connected socket: an accepted one, one that another process accepted and checked, or one end of a pair inside this
    /// process.
    public func serve(_ fd: Int32, as arrived: PeerArrived? = nil, with contents: PeerContents? = nil) {
        guard let peer = UnixSocket.peer(of: fd), serves(peer.uid, arrived) else {
            turnAway(fd)
            return
        }
        UnixSocket.passCredentials(fd)
        let session = Session(fd, peer, arrived, contents, self)
        guard makeRoom(for: peer.uid), population.arrive(peer.uid) else {
            session.refuse(.tooManyConnections, call: 0)
            return
        }
        sessions[ObjectIdentifier(session)] = session
        silent.append(session)
        session.open()
        agentsChanged()
    }

    private func turnAway(_ fd: Int32) {
        let peer = UnixSocket.peer(of: fd)
        UnixSocket.close(fd)
        let event = "a connection of another user was closed unheard"
        guard case .success(let device) = device, let peer else { return log(event) }
        device.log(event, of: LogClient(uid: peer.uid, pid: peer.pid))
    }

    /// A login's peer has to be root.
    private func serves(_ uid: UInt32, _ arrived: PeerArrived?) -> Bool {
        onlyUser == nil || uid == (arrived == .login ? 0 : onlyUser)
    }

    /// If a user, or all users together, have as many connections as allowed, the one that has been silent longest is closed. A peer with
    /// something to say says hello at once.
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

    /// Stops listening. Connections stay.
    public func stopListening() {
        listener?.stop()
        listener = nil
    }

    /// Stops listening and closes every connection.
    public func stop() {
        stopListening()
        for session in sessions.values { session.close() }
    }

    /// The same at the very end: also takes every key out of memory and closes the store.
    public func shutDown() {
        stop()
        if case .success(let device) = device { device.shutDown() }
        device = .failure(.storeUnavailable)
    }
}
