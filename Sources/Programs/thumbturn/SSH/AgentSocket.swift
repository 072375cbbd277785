internal import CThumbLinux
internal import ThumbClient
internal import ThumbLoop

/// The socket that an agent listens on: one that systemd holds for it, or one of its own in a folder that only its user can enter.
struct AgentSocket: Sendable {
    let descriptor: Int32
    /// nil: systemd's, which knows where it is.
    let path: String?
    private var inode: UInt64 = 0

    private init(_ descriptor: Int32, _ path: String?) {
        self.descriptor = descriptor
        self.path = path
        if let path { inode = Self.status(path).map { UInt64($0.st_ino) } ?? 0 }
    }

    /// The one that was passed in, if there was exactly one.
    static func taken() throws(Failure) -> AgentSocket? {
        guard variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(), variable("LISTEN_FDS") == "1" else { return nil }
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(3, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
            throw Failure("falseSocket", .failed, "what was passed in isn't a socket that listens")
        }
        _ = thumb_fcntl(3, F_SETFD, Int(FD_CLOEXEC))
        return AgentSocket(3, nil)
    }

    /// Makes one, in the place of a dead agent's.
    static func made(at named: String?) throws(Failure) -> AgentSocket {
        guard let path = named ?? ownFolder().map({ $0 + "/ssh-agent" }) else {
            throw Failure(
                "noFolder", .failed, "there is no runtime folder that only this user can write", advice: "give --socket PATH")
        }
        let folder = try openedFolder(of: path)
        defer { close(folder) }
        // Two agents that start at once: the second sees the first one's socket listening.
        guard flock(folder, LOCK_EX) == 0 else { throw notMade(path) }
        if case .success(let other) = UnixSocket.connect(to: path) {
            UnixSocket.close(other)
            throw Failure("agentRuns", .exists, "an agent listens at that socket already")
        }
        if let there = status(path) {
            guard thumb_is_socket(there.st_mode) != 0, there.st_uid == getuid() else {
                throw Failure("inTheWay", .exists, "at that path is something that isn't a socket of yours")
            }
            unsafe unlink(path)
        }
        guard case .success(let made) = UnixSocket.listen(at: path) else { throw notMade(path) }
        return AgentSocket(made, path)
    }

    /// Removes it, unless another agent has put its own there since.
    func remove() {
        guard let path else { return }
        if let there = Self.status(path), UInt64(there.st_ino) == inode { unsafe unlink(path) }
        close(descriptor)
    }

    private static func ownFolder() -> String? { RuntimeFolder.path(uid: getuid(), environment: variable("XDG_RUNTIME_DIR")) }

    /// The socket's mode alone isn't enough: who can write its folder can put another one in its place.
    private static func openedFolder(of path: String) throws(Failure) -> Int32 {
        let name = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        let folder = unsafe thumb_open(name.isEmpty ? "/" : String(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard folder >= 0 else { throw notMade(path) }
        var there = stat()
        guard unsafe fstat(folder, &there) == 0, there.st_uid == getuid(), there.st_mode & 0o077 == 0 else {
            close(folder)
            throw Failure(
                "folderIsOpen", .failed, "others can enter the folder of that socket",
                advice: "put it into a folder of yours with mode 0700")
        }
        return folder
    }

    private static func notMade(_ path: String) -> Failure {
        Failure(
            "noSocket", .failed, "the socket can't be made",
            advice: path.utf8.count > UnixSocket.pathLimit
                ? "its path is longer than the \(UnixSocket.pathLimit) bytes a socket's may have"
                : "look whether its folder is there")
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
