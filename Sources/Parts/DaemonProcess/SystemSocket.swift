import CThumbLinux
import ThumbLoop
import ThumbSystem

/// Where system mode listens.
public enum SystemSocket {
    /// The folder of system mode's sockets, which only root can write.
    public static let folder = "/run/thumbturn"

    /// Makes a socket that everybody may connect to, or only its owner, in a folder that everybody may look into. nil unless that is a real
    /// folder (no link) of this process's user that nobody else can write.
    public static func listen(at path: String, isForAll: Bool) -> Int32? {
        guard makeFolder(of: path) else { return nil }
        // Whatever is there belongs to a dead process.
        unsafe unlink(path)
        guard case .success(let fd) = UnixSocket.listen(at: path) else { return nil }
        // The kernel tells who connects. The folder keeps others from replacing the socket by their own.
        if isForAll { unsafe chmod(path, 0o666) }
        return fd
    }

    private static func makeFolder(of socket: String) -> Bool {
        let folder = FilePlace.folder(of: socket)
        if unsafe mkdir(folder, 0o700) == 0 { unsafe chmod(folder, 0o755) }
        return PrivateFolder.isPrivate(folder, of: getuid(), .fromWriters)
    }
}
