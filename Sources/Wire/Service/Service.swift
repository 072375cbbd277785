public import ThumbAccess
public import ThumbConversation
public import ThumbLoop

/// The listener: takes connections in, keeps their sessions, and knows when nobody is there.
@OnLoop public final class Service {
    let devices: any Devices
    let population = Population()
    private let log: (String) -> Void
    /// Access groups given to every caller, in place of what its identity gives: for simulated devices.
    public var callerGroups: [String]?
    /// Which programs root protected: a file that is root's alone.
    let protected: ProtectedRegistry
    let secondsForHello: Double
    private var sessions: [ObjectIdentifier: Session] = [:]
    private var listener: Watch?
    /// Called whenever the number of connections changes, agents' not counted: they serve others, and nobody's secrets are for them.
    public var onPopulation: ((Int) -> Void)?

    public init(
        _ device: Device, onlyUser: UInt32?, protected: String = ProtectedPrograms.path,
        secondsForHello: Double = WireLimit.secondsForHello
    ) {
        devices = OneDevice(.success(device), onlyUser: onlyUser)
        log = device.parts.log
        self.protected = ProtectedRegistry(path: protected, log: log)
        self.secondsForHello = secondsForHello
    }

    /// A service for many users, each with a device.
    public init(_ devices: UserDevices, protected: String = ProtectedPrograms.path, log: @escaping (String) -> Void) {
        self.devices = devices
        self.log = log
        self.protected = ProtectedRegistry(path: protected, log: log)
        secondsForHello = WireLimit.secondsForHello
    }

    /// A service that tells each client why it can't be served.
    public init(refusing refusal: Refusal, onlyUser: UInt32?) {
        devices = OneDevice(.failure(refusal), onlyUser: onlyUser)
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

    /// Serves one connected socket: an accepted one, or one end of a pair inside this process.
    public func serve(_ fd: Int32) {
        guard let peer = UnixSocket.peer(of: fd), devices.serves(peer.uid) else {
            UnixSocket.close(fd)
            log("a connection of another user was closed unheard")
            return
        }
        UnixSocket.passCredentials(fd)
        let session = Session(fd, peer, self)
        guard population.arrive(peer.uid) else {
            session.refuse(.tooManyConnections, call: 0)
            return
        }
        sessions[ObjectIdentifier(session)] = session
        session.open()
        populationChanged(of: peer.uid)
    }

    func agentsChanged() { onPopulation?(sessions.values.count { !$0.isAgent }) }

    func ended(_ session: Session) {
        guard sessions.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
        population.leave(session.peer.uid)
        populationChanged(of: session.peer.uid)
    }

    func populationChanged(of uid: UInt32) {
        devices.populationChanged(of: uid, population.connections(of: uid))
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
        devices.shutDown()
    }
}
