public import ThumbConversation
public import ThumbLoop

/// Where the front connects for its users: who may connect, how many connections there are, and whose each one is.
///
/// A connection is let in by the uid that the kernel noted of whoever made it. Whom it serves then says its first word alone.
@OnLoop public final class Broker {
    private let peer: UInt32
    private let perUser: Int
    private let inAll: Int
    private let patience: Double
    private var connections: [ObjectIdentifier: BrokerConnection] = [:]
    private var listener: Watch?
    /// Called with each word on a connection that serves somebody; a refusal ends it.
    public var hears: (Frame, BrokerConnection) throws(Refusal) -> Void = { (_, _) in }
    /// Called when a connection that served somebody is closed.
    public var ends: (BrokerConnection) -> Void = { _ in }
    /// Called with how many connections there are, whenever that changes.
    public var onPopulation: (Int) -> Void = { _ in }

    /// - Parameter peer: whose connections are let in: root's, in a broker that runs.
    public init(
        peer: UInt32, perUser: Int = WireLimit.brokerConnectionsPerUser, inAll: Int = WireLimit.brokerConnections,
        patience: Double = WireLimit.secondsForServe
    ) {
        (self.peer, self.perUser, self.inAll, self.patience) = (peer, perUser, inAll, patience)
    }

    /// Takes on whoever connects at a listening socket from now on.
    public func listen(on fd: Int32) {
        listener = Watch(fd, .readable) { [weak self] _ in
            if let accepted = UnixSocket.accept(fd, waiting: false) { self?.serve(accepted) }
        }
    }

    /// Takes nobody else on.
    public func stopListening() {
        listener?.remove()
        listener = nil
    }

    /// Takes a connection on, and its descriptor over.
    public func serve(_ fd: Int32) {
        guard UnixSocket.peer(of: fd)?.uid == peer, connections.count < inAll else { return UnixSocket.close(fd) }
        let connection = BrokerConnection(fd, patience) { [weak self] uid in self.map { $0.count(of: uid) < $0.perUser } ?? false
        }
        connections[ObjectIdentifier(connection)] = connection
        connection.hears = { [weak self, unowned connection] (frame) throws(Refusal) in try self?.hears(frame, connection) }
        connection.onEnd = { [weak self, unowned connection] in self?.ended(connection) }
        onPopulation(connections.count)
    }

    /// How many connections a user has.
    public func count(of uid: UInt32) -> Int { connections.values.count { $0.uid == uid } }

    private func ended(_ connection: BrokerConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if connection.uid != nil { ends(connection) }
        onPopulation(connections.count)
    }

    /// Closes every connection.
    public func shutDown() {
        stopListening()
        for connection in connections.values { connection.close() }
    }
}
