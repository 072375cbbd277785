import CThumbLinux
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// Where a client looks for its device: installed in this process, named by the environment, the system's, the user's own.
enum Finding {
    /// The sign that this machine has the system service: clients then never look elsewhere.
    static let systemMarker = "/etc/thumbturn/system-mode"
    static let systemSocket = "/run/thumbturn/socket"

    /// A device inside this process, as a simulator installs it: a function that gives one end of a new connection.
    static let installed = Locked<(@Sendable () -> Int32?)?>(nil)

    /// Whether the environment can be believed: not in a program that runs with more rights than its caller has.
    static var environmentIsTrusted: Bool { getauxval(UInt(AT_SECURE)) == 0 }

    static func environment(_ name: String) -> String? {
        guard environmentIsTrusted, let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// A new connection to the device, starting the user's daemon where that is the one to use.
    static func connect() throws(ClientError) -> Int32 {
        if let make = installed.withLock({ $0 }) {
            guard let fd = make() else { throw ClientError(.connectionLost, Advice.connectionLost) }
            return fd
        }
        if let path = environment("THUMBTURN_SOCKET") {
            guard case .success(let fd) = UnixSocket.connect(to: path) else {
                throw ClientError(.notFound, "nothing listens at $THUMBTURN_SOCKET")
            }
            return try checked(fd, ownedBy: [getuid(), 0])
        }
        return try isSystemMode ? connectToSystem() : connectToUserDaemon()
    }

    /// Whether the marker stands. Where that can't be told it does: a look elsewhere would be what it forbids.
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
            // A link, or a folder that another could put a socket into, leads to whoever made it.
            throw ClientError(.impostor, Advice.impostor)
        }
        guard case .success(let fd) = UnixSocket.connect(to: systemSocket) else {
            throw ClientError(.notFound, Advice.systemDown)
        }
        return try checked(fd, ownedBy: [0])
    }

    /// Where the user's own daemon listens, or is to.
    static var userSocket: String? {
        RuntimeFolder.path(uid: getuid(), environment: environment("XDG_RUNTIME_DIR")).map { $0 + "/socket" }
    }

    /// The user's own daemon, started if need be, whatever the marker says.
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
    /// The folder's path, made if it can be; nil where no folder is private to the user.
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
