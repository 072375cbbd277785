import CThumbLinux
import ThumbSystem

/// Where the system's daemon listens.
enum SystemService {
    static let socket = "/run/thumbturn/socket"

    /// Makes the socket's folder; false unless it is a folder, no link, of this daemon's user that nobody else can write. Everybody
    /// may look into it: clients find the socket there.
    static func makeFolder(of socket: String) -> Bool {
        guard let slash = socket.lastIndex(of: "/"), slash != socket.startIndex else { return false }
        let folder = String(socket[..<slash])
        if unsafe mkdir(folder, 0o700) == 0 { unsafe chmod(folder, 0o755) }
        return PrivateFolder.isPrivate(folder, of: getuid(), .fromWriters)
    }
}
