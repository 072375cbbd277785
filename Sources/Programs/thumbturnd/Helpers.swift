import CThumbLinux
import ThumbAssembly
import ThumbLoop
import ThumbSystem

/// Where the processes that run PAM are: behind a socket beside the daemon's own, where a service manager starts them; else the
/// program beside the daemon's own. Neither a caller nor the environment names one.
struct Helpers: Sendable {
    /// The folder of the daemon's socket.
    private let folder: String
    /// The folder of the daemon's program.
    private let programs: String

    init?(socket: String) {
        guard let end = socket.lastIndex(of: "/"), let program = Self.ownProgram, let slash = program.lastIndex(of: "/") else {
            return nil
        }
        folder = String(socket[..<end])
        programs = String(program[..<slash])
    }

    /// A connection to a helper that judges the account's password; nil where there is none.
    func passcode() -> Int32? { reach("passcode", []) }

    /// A connection to a helper that looks for the owner's face; nil where there is none.
    func face() -> Int32? { reach("face", ["--face"]) }

    /// Whether root set up a face service.
    func hasFace() -> Bool { unsafe access("/etc/pam.d/thumbturn-face", R_OK) == 0 }

    private func reach(_ name: String, _ arguments: [String]) -> Int32? {
        if case .success(let fd) = UnixSocket.connect(to: folder + "/" + name) {
            if let peer = UnixSocket.peer(of: fd), peer.uid == 0 || peer.uid == getuid() { return fd }
            // Somebody else listens there: a password is not for them.
            UnixSocket.close(fd)
            return nil
        }
        guard case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
        defer { UnixSocket.close(theirs) }
        let words = ["thumbturn-passcode"] + arguments
        do throws(SystemError) {
            // Nobody waits for it: it ends with its connection.
            _ = try Spawn(programs + "/thumbturn-passcode", words, descriptors: .only([theirs])).start()
        } catch {
            UnixSocket.close(mine)
            return nil
        }
        return mine
    }

    private static var ownProgram: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count)
        return count > 0 ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
