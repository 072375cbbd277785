import CThumbLinux
import ThumbLoop
import ThumbSystem

/// How to reach the processes that run PAM: over a socket beside the daemon's own, if a service manager starts them, or else by starting
/// the program beside the daemon's own. Neither a caller nor the environment can name one.
public struct HelperPrograms: Sendable {
    /// The folder of the daemon's socket.
    private let folder: String

    /// - Parameter socket: where the daemon itself listens.
    public init?(socket: String) {
        guard let end = socket.lastIndex(of: "/") else { return nil }
        folder = String(socket[..<end])
    }

    /// A connection to a helper that judges the account's password; nil if there is none.
    public func passcode() -> Int32? { reach("passcode", []) }

    /// A connection to a helper that looks for the owner's face; nil if there is none.
    public func face() -> Int32? { reach("face", ["--face"]) }

    /// Whether root set up a face service.
    public static func hasFaceService() -> Bool { unsafe access("/etc/pam.d/thumbturn-face", R_OK) == 0 }

    private func reach(_ name: String, _ arguments: [String]) -> Int32? {
        switch Self.connection(to: folder + "/" + name) {
        case .connected(let fd): return fd
        case .foreign: return nil
        case .absent: break
        }
        guard let path = OwnProgram.beside("thumbturn-passcode"), case .success(let (mine, theirs)) = UnixSocket.pair() else {
            return nil
        }
        defer { UnixSocket.close(theirs) }
        let words = ["thumbturn-passcode"] + arguments
        do throws(SystemError) {
            // Nobody waits for this process: it ends with its connection.
            _ = try Spawn(path, words, descriptors: .only([theirs])).start()
        } catch {
            UnixSocket.close(mine)
            return nil
        }
        return mine
    }

    /// What is at a socket's path.
    public enum Connection: Sendable {
        case connected(Int32)
        case absent
        /// Another user listens there, who must not be sent anything.
        case foreign
    }

    /// A connection to a process of root's, or of this process's own user.
    ///
    /// - Parameter waiting: whether to wait if too many others wait to be accepted.
    public static func connection(to path: String, waiting: Bool = true) -> Connection {
        guard case .success(let fd) = UnixSocket.connect(to: path, waiting: waiting) else { return .absent }
        if let peer = UnixSocket.peer(of: fd), peer.uid == 0 || peer.uid == getuid() { return .connected(fd) }
        UnixSocket.close(fd)
        return .foreign
    }
}

/// The folder of this process's own program, where the programs that it starts are.
public enum OwnProgram {
    /// The path of a program beside this one.
    public static func beside(_ name: String) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return nil }
        let own = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.lastIndex(of: "/").map { own[...$0] + name }
    }
}
