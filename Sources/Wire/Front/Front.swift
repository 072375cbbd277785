import ThumbConversation
import ThumbInside
public import ThumbLoop
import ThumbPeers
import ThumbSystem

/// The entrance of system mode. It accepts every user's clients, finds out who they are, and passes each on to its user's device. It reads
/// nothing that a client says.
@OnLoop public final class Front {
    private let places: any ProcessPlaces
    private let idleSeconds: Double
    private let log: (String) -> Void
    private var entries: [UInt32: DeviceEntry] = [:]
    private var listeners: [Listener] = []
    private var logins: [ObjectIdentifier: LoginWait] = [:]
    /// Called when the number of devices changes.
    public var onDevices: (Int) -> Void = { _ in }

    /// - Parameter idleSeconds: how long a device that nobody uses stays; 0 means as long as the front does.
    public init(_ places: any ProcessPlaces, idleSeconds: Double, log: @escaping (String) -> Void) {
        self.places = places
        self.idleSeconds = idleSeconds
        self.log = log
    }

    /// Accepts clients at a listening socket.
    public func listen(on fd: Int32) {
        UnixSocket.passCredentials(fd)
        listeners.append(Listener(fd) { [weak self] connection in self?.take(connection) })
    }

    /// Accepts the system's logins at a listening socket of their own.
    public func listenForLogins(on fd: Int32) {
        UnixSocket.passCredentials(fd)
        listeners.append(Listener(fd) { [weak self] connection in self?.takeLogin(connection) })
    }

    /// Stops listening and lets go of the devices, which end once nobody uses them.
    public func stop() {
        for listener in listeners { listener.stop() }
        listeners = []
        for entry in entries.values { entry.end() }
    }

    // MARK: Clients

    private func take(_ connection: Int32) {
        // The process is gone already, so nobody knows whose connection it was.
        guard let peer = UnixSocket.peer(of: connection), let found = ProcessFacts.of(peer, on: connection) else {
            return UnixSocket.close(connection)
        }
        pass(connection, .program(found.facts), found.contents, to: peer.uid)
    }

    private func pass(_ connection: Int32, _ word: PeerArrived, _ contents: PeerContents? = nil, to uid: UInt32) {
        if let entry = entries[uid] { return entry.take(connection, word, contents) }
        // Each device leaves something on the disk and in the TPM, and a user has thousands of these uids.
        do throws(SystemError) {
            guard try !SubordinateUsers.contain(uid) else {
                log("user \(uid): a number for the inside of a container has no device")
                return Self.refuse(connection, .storeUnavailable)
            }
        } catch {
            log("user \(uid): /etc/subuid can't be read now, so no device is started")
            return Self.refuse(connection, .storeUnavailable)
        }
        // A login names any account that somebody typed. Where there is no store, neither a finger nor a password opens one.
        guard word != .login || places.hasStore(of: uid) else { return Self.refuse(connection, .storeUnavailable) }
        if entries.count >= FrontLimit.devices {
            guard let unused = entries.values.first(where: \.isUnused) else {
                return Self.refuse(connection, .tooManyConnections)
            }
            unused.retire()
        }
        let entry = DeviceEntry(uid, places, idleSeconds: idleSeconds, log: log) { [weak self] in self?.ended(uid) }
        entries[uid] = entry
        onDevices(entries.count)
        entry.take(connection, word, contents)
        entry.begin()
    }

    private func ended(_ uid: UInt32) {
        entries[uid] = nil
        onDevices(entries.count)
    }

    /// Tells a client why it can't be served, and closes its connection.
    static func refuse(_ connection: Int32, _ refusal: Refusal) {
        var frame = OutgoingFrame(plain: refusal.frame(call: 0).plain, secrets: [])
        // If this can't be sent, the client still sees that its connection ends.
        _ = frame.send(to: connection, waiting: false)
        UnixSocket.close(connection)
    }

    // MARK: Logins

    private func takeLogin(_ connection: Int32) {
        guard UnixSocket.peer(of: connection)?.uid == 0 else {
            UnixSocket.close(connection)
            return log("a login that isn't root's was closed unheard")
        }
        let wait = LoginWait(connection) { [weak self] wait, uid in
            self?.logins[ObjectIdentifier(wait)] = nil
            guard let uid else { return UnixSocket.close(connection) }
            self?.pass(connection, .login, to: uid)
        }
        logins[ObjectIdentifier(wait)] = wait
    }
}
