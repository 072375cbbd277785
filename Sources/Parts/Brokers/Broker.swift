public import ThumbConversation
public import ThumbLoop

/// The broker's side of the front's connections: it decides who may connect, and knows how many connections there are and which user each
/// one serves.
///
/// A connection is accepted by the uid that the kernel recorded for its maker. Only its first word says which user it serves.
@OnLoop public final class Broker {
    private let peer: UInt32
    private let perUser: Int
    private let inAll: Int
    private let patience: Double
    private var connections: [ObjectIdentifier: BrokerConnection] = [:]
    private var listener: Listener?
    /// Called with each word on a connection that serves a user. A refusal ends the connection.
    public var hears: (Frame, BrokerConnection) throws(Refusal) -> Void = { (_, _) in }
    /// Called when a connection that served a user is closed.
    public var ends: (BrokerConnection) -> Void = { _ in }
    /// Called with the number of connections whenever it changes.
    public var onPopulation: (Int) -> Void = { _ in }

    /// - Parameter peer: the user whose connections are accepted: root, in a broker that runs.
    public init(
        peer: UInt32, perUser: Int = WireLimit.brokerConnectionsPerUser, inAll: Int = WireLimit.brokerConnections,
        patience: Double = WireLimit.secondsForServe
    ) {
        (self.peer, self.perUser, self.inAll, self.patience) = (peer, perUser, inAll, patience)
    }

    /// Accepts connections at a listening socket from now on.
    public func listen(on fd: Int32) {
        listener = Listener(fd) { [weak self] accepted in self?.serve(accepted) }
    }

    /// Accepts no more connections.
    public func stopListening() {
        listener?.stop()
        listener = nil
    }

    /// Takes a connection over, and with it its descriptor.
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
