import CThumbLinux
public import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// How a process reaches its device. Blocking calls run on their caller's thread; evaluations answer later.
public final class DeviceClient: @unchecked Sendable {
    // @unchecked: every `var` is touched under `lock`.
    public static let shared = DeviceClient()

    /// Held while a connection is made, so that there is one. Everything else asks for `lock` alone: the loop ends contexts, and must never
    /// wait for a thread that is connecting, perhaps to a device on this very loop.
    private let connecting = Lock()
    private let lock = Lock()
    private var connection: DeviceConnection?
    private var welcome: DeviceMode?
    private var lastContext: UInt64 = 0
    private var label: String?
    private var faceUsage: String?
    private let watchers = Locked<[@Sendable () -> Void]>([])
    private let losses = Locked<[@Sendable () -> Void]>([])
    private var watched: DeviceConnection?
    private let sessionWatchers = SessionWatchers()
    private let patience: Double?
    private var attempted: DeviceConnection?

    private let find: @Sendable () throws(ClientError) -> Int32

    /// Where a prompt started by this client connects; nil if none can be.
    private let promptSocket: @Sendable () -> String?

    private init() {
        patience = nil
        find = { () throws(ClientError) in try Finding.connect() }
        promptSocket = { Finding.socketOfPrompts() }
    }

    private init(userMode socket: @escaping @Sendable () -> String?) {
        patience = nil
        find = { () throws(ClientError) in try Finding.connectToUserDaemon() }
        promptSocket = socket
    }

    /// A client of the user's own daemon, even on a machine with the system's. It serves only to move that daemon's items over.
    public static func ofUserMode() -> DeviceClient { DeviceClient(userMode: { Finding.userSocket }) }

    private init(finding find: @escaping @Sendable () throws(ClientError) -> Int32, patience: Double?) {
        self.find = find
        self.patience = patience
        promptSocket = { Finding.socketOfPrompts() }
    }

    /// A client of this machine's device, even if a simulated one is installed in this process.
    ///
    /// - Parameter patience: after how many seconds in which the daemon says nothing a call fails, and the connection with it; nil if it
    ///   may take its time. For calls that ask nobody, on a thread that others need.
    package static func ofThisMachine(patience: Double? = nil) -> DeviceClient {
        DeviceClient(finding: { () throws(ClientError) in try Finding.connectToMachine() }, patience: patience)
    }

    /// A client of its own that connects as `connect` does. To the device each such client is a program of its own.
    package init(patience: Double? = nil, connect: @escaping @Sendable () -> Int32?) {
        self.patience = patience
        find = { () throws(ClientError) in
            guard let fd = connect() else { throw ClientError(.notFound, "the device of this client isn't there") }
            return fd
        }
        promptSocket = { Finding.socketOfPrompts() }
    }

    /// Puts a device inside this process before every other one, or removes it again with nil.
    public func install(_ device: (@Sendable () -> Int32?)?) {
        connecting.withLock {
            Finding.installed.withLock { $0 = device }
            lock.withLock { connection = nil }
        }
    }

    /// Sets what the next connection tells the daemon: the app's bundle identifier, which is a label to show and no proof, and why the app
    /// wants face recognition.
    public func introduce(as label: String?, faceUsage: String? = nil) {
        lock.withLock {
            self.label = label
            self.faceUsage = faceUsage
        }
    }

    /// A context's number, unique in this process.
    public func makeContext() -> UInt64 {
        lock.withLock {
            lastContext += 1
            return lastContext
        }
    }

    // MARK: Word of changes

    /// Calls back, on the loop, whenever the ways to authenticate may have changed, and when the device is gone. A device that replaces it
    /// is watched from the next call on, because watching alone starts no daemon.
    public func watchEnvironment(_ changed: @escaping @Sendable () -> Void) {
        watchers.withLock { $0.append(changed) }
        // Without a device there is nothing to watch; anyone who asks for the state learns that there is none.
        guard let connection = try? connected() else { return }
        watch(connection)
    }

    /// Calls back, on the loop, whenever a connection to the device is lost: whatever answers the next call may be another device. Each
    /// connection is noticed from when it is made on.
    public func watchLoss(_ lost: @escaping @Sendable () -> Void) {
        losses.withLock { $0.append(lost) }
        guard let connection = try? connected() else { return }
        watch(connection)
    }

    /// Calls back, on the loop, with what happens to the owner's session, and with nil when the device is gone. A device that replaces it is
    /// watched from the next call on. Returns the number that `stopWatchingSession` takes.
    public func watchSession(_ told: @escaping @Sendable (SessionEvent?) -> Void) -> Int {
        let number = sessionWatchers.add(told)
        if let connection = try? connected() { sessionWatchers.watch(connection) }
        return number
    }

    public func stopWatchingSession(_ number: Int) { sessionWatchers.remove(number) }

    /// Asks the device to report changes, once for each connection. Not under the lock: what is written may have to wait for the loop.
    private func watch(_ connection: DeviceConnection) {
        if watchers.withLock({ $0.isEmpty }) && losses.withLock({ $0.isEmpty }) { return }
        let isWatched = lock.withLock {
            defer { watched = connection }
            return watched === connection
        }
        if isWatched { return }
        do {
            // A call that stays under way has the loop notice the end of the connection.
            try connection.start(WatchEnvironment()) { answer in
                Self.tell(self.watchers)
                guard case .failure = answer else { return .more }
                Self.tell(self.losses)
                return .finished
            }
        } catch {
            // The connection is lost already; the next one will be watched.
            Self.tell(losses)
        }
    }

    private static func tell(_ all: Locked<[@Sendable () -> Void]>) {
        EventLoop.shared.post { for one in all.withLock({ $0 }) { one() } }
    }

    // MARK: The connection

    func connected() throws(ClientError) -> DeviceConnection {
        if let connection = existing() { return connection }
        return try connecting.withLock { () throws(ClientError) in
            // Another thread may have made it meanwhile.
            if let connection = existing() { return connection }
            let new = DeviceConnection(try find(), socket: Silence.isWatched ? promptSocket() : nil, patience: patience)
            let (label, faceUsage) = lock.withLock {
                if patience != nil { attempted = new }
                return (self.label, self.faceUsage)
            }
            let mode = try new.call(Hello(role: .app, label: label, faceUsage: faceUsage)) { (frame) throws(ClientError) in
                try new.read { () throws(Refusal) in try frame.word(Welcome.self) }.mode
            }
            new.welcome()
            lock.withLock { (connection, welcome) = (new, mode) }
            watch(new)
            sessionWatchers.watch(new)
            return new
        }
    }

    /// Whether the latest connection of a client with patience was given up because the daemon said nothing.
    package var foundSilence: Bool { lock.withLock { attempted }?.endedInSilence ?? false }

    /// The current connection, if there is one; none is made.
    func existing() -> DeviceConnection? { lock.withLock { connection.flatMap { $0.isUsable ? $0 : nil } } }

    /// Which kind of device answers; fails as every call does.
    public func mode() throws(ClientError) -> DeviceMode {
        _ = try connected()
        return lock.withLock { welcome } ?? .user
    }

    func startPrompt(
        _ wanted: WantedPrompt, on connection: DeviceConnection, call: UInt32
    ) throws(ClientError) -> PromptStarter? {
        if let socket = promptSocket(),
            let prompt = PromptStarter(
                ticket: wanted.ticket, socket: socket, isAtDisplay: wanted.isAtDisplay,
                isSystem: lock.withLock { welcome } == .system)
        {
            return prompt
        }
        try connection.tell(PromptUnavailable(ticket: wanted.ticket), call: call)
        return nil
    }
}

extension Finding {
    /// Where a prompt started by this process connects.
    static func socketOfPrompts() -> String? { installed.withLock { $0 != nil } ? nil : DevicePlace()?.socket }
}

/// A prompt that is to be started, and whether a window would be seen.
struct WantedPrompt {
    let ticket: [UInt8]
    let isAtDisplay: Bool

    /// nil if the frame says something else.
    init?(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .promptNeeded: (ticket, isAtDisplay) = (try frame.word(PromptNeeded.self).ticket, false)
        case .windowNeeded: (ticket, isAtDisplay) = (try frame.word(WindowNeeded.self).ticket, true)
        default: return nil
        }
    }
}
