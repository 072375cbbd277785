import CThumbLinux
public import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// A process's way to its device. Blocking calls run on their caller's thread; evaluations answer later.
public final class DeviceClient: @unchecked Sendable {
    // @unchecked: every `var` is touched under `lock`.
    public static let shared = DeviceClient()

    private let lock = Lock()
    private var connection: DeviceConnection?
    private var welcome: DeviceMode?
    private var lastContext: UInt64 = 0
    private var label: String?
    private var faceUsage: String?
    // Under a lock of its own: the loop reads it, and the loop must never wait for somebody who is connecting.
    private let watchers = Locked<[@Sendable () -> Void]>([])
    private var watched: DeviceConnection?

    private let find: @Sendable () throws(ClientError) -> Int32

    /// Where a prompt started by this client connects; nil where none can be.
    private let promptSocket: @Sendable () -> String?

    private init() {
        find = { () throws(ClientError) in try Finding.connect() }
        promptSocket = { Finding.socketOfPrompts() }
    }

    private init(userMode socket: @escaping @Sendable () -> String?) {
        find = { () throws(ClientError) in try Finding.connectToUserDaemon() }
        promptSocket = socket
    }

    /// A client of the user's own daemon even where the machine has the system's: for bringing its items over, and for nothing else.
    public static func ofUserMode() -> DeviceClient { DeviceClient(userMode: { Finding.userSocket }) }

    /// A client of its own, which connects as `connect` does: to a device, many of them are many programs.
    package init(connect: @escaping @Sendable () -> Int32?) {
        find = { () throws(ClientError) in
            guard let fd = connect() else { throw ClientError(.notFound, "the device of this client isn't there") }
            return fd
        }
        promptSocket = { Finding.socketOfPrompts() }
    }

    /// Puts a device inside this process before every other one, or takes it away again with nil.
    public func install(_ device: (@Sendable () -> Int32?)?) {
        Finding.installed.withLock { $0 = device }
        lock.withLock { connection = nil }
    }

    /// What is told at the next connection: the app's bundle identifier, a label to show and not proof, and why it wants face
    /// recognition.
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

    /// Calls back, on the loop, whenever the ways to authenticate may have changed, and when the device is gone. A device that
    /// takes its place is watched from the next call on: watching alone starts no daemon.
    public func watchEnvironment(_ changed: @escaping @Sendable () -> Void) {
        watchers.withLock { $0.append(changed) }
        // Where there is no device now, whoever asks for the state sees its absence.
        guard let connection = try? connected() else { return }
        lock.withLock { watch(connection) }
    }

    /// Has the device say what changes, once for each connection; under the lock.
    private func watch(_ connection: DeviceConnection) {
        if watched === connection || watchers.withLock({ $0.isEmpty }) { return }
        watched = connection
        do {
            try connection.start(WatchEnvironment()) { answer in
                EventLoop.shared.post {
                    for changed in self.watchers.withLock({ $0 }) { changed() }
                }
                if case .failure = answer { return .finished }
                return .more
            }
        } catch {
            // A connection that is lost already: the next one is watched.
        }
    }

    // MARK: The connection

    func connected() throws(ClientError) -> DeviceConnection {
        try lock.withLock { () throws(ClientError) in
            if let connection, connection.isUsable { return connection }
            let new = DeviceConnection(try find())
            welcome = try new.call(Hello(role: .app, label: label, faceUsage: faceUsage)) { (frame) throws(ClientError) in
                try new.read { () throws(Refusal) in try frame.word(Welcome.self) }.mode
            }
            connection = new
            watch(new)
            return new
        }
    }

    /// The connection there is, without making one.
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

    /// nil where the daemon says something else.
    init?(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .promptNeeded: (ticket, isAtDisplay) = (try frame.word(PromptNeeded.self).ticket, false)
        case .windowNeeded: (ticket, isAtDisplay) = (try frame.word(WindowNeeded.self).ticket, true)
        default: return nil
        }
    }
}
