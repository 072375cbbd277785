public import ThumbBrokers
import ThumbConversation
public import ThumbLoop

/// The reader's broker: the one process of system mode that speaks with fprintd, because fprintd lets only root name another user. Users
/// share the reader through a line that is fair between them.
@OnLoop public final class ReaderBroker {
    /// Accepts the connections.
    public let broker: Broker
    private let line: ReaderLine
    private let makes: (UInt32, ReaderLine) -> (Fingerprint?, FaceModelFiles)
    private var sessions: [ObjectIdentifier: ReaderSession] = [:]

    /// A broker of the reader.
    ///
    /// - Parameters:
    ///   - place: where fprintd and its templates are; its user isn't used.
    ///   - models: where the machine's face models are named.
    ///   - peer: the user whose connections it accepts.
    ///   - name: returns a user's name; nil for a user without one.
    ///   - hash: a collision-resistant digest; nil if none can be made.
    public init(
        _ place: Fingerprint.Place, models: FaceModelPlace = .machines, peer: UInt32, line: ReaderLine = ReaderLine(),
        name: @escaping (UInt32) -> String?, hash: @escaping @Sendable ([UInt8]) -> [UInt8]?, log: @escaping (String) -> Void
    ) {
        self.line = line
        broker = Broker(peer: peer)
        let worker = Worker(limit: WireLimit.brokerConnections * WireLimit.readerQuestions)
        makes = { uid, line in
            let user = name(uid)
            let own: (String) -> Void = { log("user \(uid): \($0)") }
            let faces = FaceModelFiles(of: uid, name: user, models, worker: worker, hash: hash, log: own)
            guard let user else { return (nil, faces) }
            var place = place
            place.user = user
            return (Fingerprint(place, turns: line, hash: hash, log: own), faces)
        }
        broker.hears = { [weak self] (frame, connection) throws(Refusal) in
            try self?.session(of: connection)?.take(frame)
        }
        broker.ends = { [weak self] connection in
            self?.sessions.removeValue(forKey: ObjectIdentifier(connection))?.end()
        }
    }

    /// The session of a connection. It is made with the connection's first word.
    private func session(of connection: BrokerConnection) -> ReaderSession? {
        guard let uid = connection.uid else { return nil }
        let key = ObjectIdentifier(connection)
        if let session = sessions[key] { return session }
        let (fingerprint, faces) = makes(uid, line)
        let session = ReaderSession(connection, fingerprint, faces)
        sessions[key] = session
        return session
    }

    /// Closes every connection. Whatever they had of the reader is released.
    public func shutDown() { broker.shutDown() }
}
