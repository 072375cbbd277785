import CThumbLinux
import ThumbLoop
import ThumbSystem

/// Why an agent has no socket to listen on.
public enum AgentSocketFailure: Error, Sendable, Hashable {
    /// The descriptor that was passed in isn't a listening socket.
    case falseSocket
    case agentRuns
    /// Something other than a socket of this user's is at that path.
    case inTheWay
    /// Others can enter the folder.
    case folderIsOpen
    case pathTooLong(limit: Int)
    case notMade
}

/// The socket that an agent listens on: one that systemd holds, or its own in a folder that only its user can enter.
public struct AgentSocket: Sendable {
    public let descriptor: Int32
    /// Its path; nil for systemd's, which systemd knows.
    public let path: String?
    private var inode: UInt64 = 0

    private init(_ descriptor: Int32, _ path: String?) {
        self.descriptor = descriptor
        self.path = path
        if let path { inode = Self.status(path).map { UInt64($0.st_ino) } ?? 0 }
    }

    /// The socket that was passed in, if there was exactly one.
    public static func taken() throws(AgentSocketFailure) -> AgentSocket? {
        guard variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(), variable("LISTEN_FDS") == "1" else { return nil }
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(3, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
            throw .falseSocket
        }
        _ = thumb_fcntl(3, F_SETFD, Int(FD_CLOEXEC))
        return AgentSocket(3, nil)
    }

    /// Makes a socket, replacing that of a dead agent.
    public static func made(at path: String) throws(AgentSocketFailure) -> AgentSocket {
        let folder = try openedFolder(of: path)
        // If two agents start at once, the second sees that the first one's socket listens.
        guard flock(folder.number, LOCK_EX) == 0 else { throw notMade(path) }
        if case .success(let other) = UnixSocket.connect(to: path) {
            UnixSocket.close(other)
            throw .agentRuns
        }
        if let there = status(path) {
            guard thumb_is_socket(there.st_mode) != 0, there.st_uid == getuid() else {
                throw .inTheWay
            }
            unsafe unlink(path)
        }
        guard case .success(let made) = UnixSocket.listen(at: path) else { throw notMade(path) }
        return AgentSocket(made, path)
    }

    /// Removes the socket, unless another agent has put its own there since.
    public func remove() {
        guard let path else { return }
        if let there = Self.status(path), UInt64(there.st_ino) == inode { unsafe unlink(path) }
        close(descriptor)
    }

    /// The socket's mode alone isn't enough: whoever can write its folder can replace the socket.
    private static func openedFolder(of path: String) throws(AgentSocketFailure) -> Descriptor {
        do throws(PrivateFolder.Problem) {
            return try PrivateFolder.open(FilePlace.folder(of: path), of: getuid(), .fromReaders, follows: true)
        } catch {
            if case .unreachable = error { throw notMade(path) }
            throw .folderIsOpen
        }
    }

    private static func notMade(_ path: String) -> AgentSocketFailure {
        path.utf8.count > UnixSocket.pathLimit ? .pathTooLong(limit: UnixSocket.pathLimit) : .notMade
    }

    private static func status(_ path: String) -> stat? {
        var found = stat()
        return unsafe lstat(path, &found) == 0 ? found : nil
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe thumb_secure_getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
