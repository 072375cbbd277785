import CThumbLinux
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// Where a client looks for its device: in this process, where the environment says, at the system's socket, at the user's own.
enum Finding {
    /// The file that says that this machine has the system service. If it exists, clients never look elsewhere.
    static let systemMarker = "/etc/thumbturn/system-mode"
    static let systemSocket = "/run/thumbturn/socket"

    /// A device inside this process, which a simulator installs: a function that returns one end of a new connection.
    static let installed = Locked<(@Sendable () -> Int32?)?>(nil)

    /// Whether the environment can be trusted. It can't in a program that runs with more rights than its caller.
    static var environmentIsTrusted: Bool { getauxval(UInt(AT_SECURE)) == 0 }

    static func environment(_ name: String) -> String? {
        guard environmentIsTrusted, let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// A new connection to the device. Starts the user's daemon if that is the one to use.
    static func connect() throws(ClientError) -> Int32 {
        if let make = installed.withLock({ $0 }) {
            guard let fd = make() else { throw ClientError(.connectionLost, Advice.connectionLost) }
            return fd
        }
        return try connectToMachine()
    }

    /// The same, whatever is installed in this process.
    static func connectToMachine() throws(ClientError) -> Int32 {
        if let path = environment("THUMBTURN_SOCKET") {
            guard case .success(let fd) = UnixSocket.connect(to: path) else {
                throw ClientError(.notFound, "nothing listens at $THUMBTURN_SOCKET")
            }
            return try checked(fd, ownedBy: [getuid(), 0])
        }
        return try isSystemMode ? connectToSystem() : connectToUserDaemon()
    }

    /// Whether the marker exists. If this can't be found out, the answer is yes, because the marker forbids looking anywhere else.
    static var isSystemMode: Bool {
        if unsafe access(systemMarker, F_OK) == 0 { return true }
        return thumb_errno() != ENOENT && thumb_errno() != ENOTDIR
    }

    private static func connectToSystem() throws(ClientError) -> Int32 {
        guard let slash = systemSocket.lastIndex(of: "/") else { throw ClientError(.notFound, Advice.systemDown) }
        do throws(PrivateFolder.Problem) {
            try PrivateFolder.check(String(systemSocket[..<slash]), of: 0, .fromWriters)
        } catch {
            if case .unreachable = error { throw ClientError(.notFound, Advice.systemDown) }
            // Whoever made the link, or can write to the folder, could have put a socket of their own there.
            throw ClientError(.impostor, Advice.impostor)
        }
        guard case .success(let fd) = UnixSocket.connect(to: systemSocket) else {
            throw ClientError(.notFound, Advice.systemDown)
        }
        return try checked(fd, ownedBy: [0])
    }

    /// Where the user's own daemon listens, or will listen once it runs.
    static var userSocket: String? {
        RuntimeFolder.path(uid: getuid(), environment: environment("XDG_RUNTIME_DIR")).map { $0 + "/socket" }
    }

    /// Connects to the user's own daemon, whatever the marker says. Starts the daemon if necessary.
    static func connectToUserDaemon() throws(ClientError) -> Int32 {
        guard let path = userSocket else {
            throw ClientError(.notFound, "there is no runtime folder that only this user can write")
        }
        if case .success(let fd) = UnixSocket.connect(to: path) { return try checked(fd, ownedBy: [getuid()]) }
        try DaemonStarter.start(socket: path)
        guard case .success(let fd) = UnixSocket.connect(to: path) else {
            throw ClientError(.notFound, "thumbturnd was started but doesn't listen; its log is in its state folder")
        }
        return try checked(fd, ownedBy: [getuid()])
    }

    private static func checked(_ fd: Int32, ownedBy allowed: [UInt32]) throws(ClientError) -> Int32 {
        guard let peer = UnixSocket.peer(of: fd), allowed.contains(peer.uid) else {
            UnixSocket.close(fd)
            throw ClientError(.impostor, Advice.impostor)
        }
        return fd
    }
}

/// The folder of the user's socket: private to the user, or none.
public enum RuntimeFolder {
    /// The folder's path. The folder is made if possible; nil if the user has no private folder.
    public static func path(uid: UInt32, environment: String?) -> String? {
        var bases: [String] = []
        if let environment { bases.append(environment) }
        bases.append("/run/user/\(uid)")
        for base in bases where PrivateFolder.isPrivate(base, of: uid, .fromWriters) {
            if makePrivate(base + "/thumbturn", uid) { return base + "/thumbturn" }
        }
        let last = "/tmp/thumbturn-\(uid)"
        return makePrivate(last, uid) ? last : nil
    }

    private static func makePrivate(_ path: String, _ uid: UInt32) -> Bool {
        do throws(SystemError) { try PrivateFolder.make(path) } catch { return false }
        return PrivateFolder.isPrivate(path, of: uid, .fromWriters)
    }
}
