import CThumbLinux

/// Where the system's daemon listens.
enum SystemService {
    static let socket = "/run/thumbturn/socket"

    /// Makes the socket's folder; false unless it is a folder, no link, of this daemon's user that nobody else can write. Everybody
    /// may look into it: clients find the socket there.
    static func makeFolder(of socket: String) -> Bool {
        guard let slash = socket.lastIndex(of: "/"), slash != socket.startIndex else { return false }
        let folder = String(socket[..<slash])
        if unsafe mkdir(folder, 0o700) == 0 { unsafe chmod(folder, 0o755) }
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, thumb_is_directory(status.st_mode) != 0 else { return false }
        return status.st_uid == getuid() && status.st_mode & 0o022 == 0
    }
}
