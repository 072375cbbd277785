import CThumbLinux
import ThumbSystem

/// Starts the user's daemon, with an emptied environment and none of our descriptors. The daemon itself checks whether another one runs, so
/// ten clients may try at once.
enum DaemonStarter {
    /// The daemon's exit status if another one has the store and listens elsewhere.
    private static let storeIsTaken: Int32 = 75

    static func start(socket: String) throws(ClientError) {
        guard let program = Installed.program("thumbturnd") else { throw ClientError(.notFound, Advice.notInstalled) }
        let arguments = try ["thumbturnd", "--launch", "--socket", socket] + UserStore.arguments()
        let child: Child
        do throws(SystemError) { child = try Spawn(program, arguments).start() } catch {
            throw ClientError(.notFound, "thumbturnd could not be started")
        }
        // The launcher ends when its daemon listens, or when another daemon already does.
        let status = child.wait()
        if status == storeIsTaken {
            // Its number goes into the advice to end it. So it has to be a daemon of this user's.
            let holder = LockHolder.process(of: UserStore.lock).flatMap { DaemonProcesses.isDaemon($0, of: getuid()) ? $0 : nil }
            throw ClientError(.notFound, Advice.storeIsTaken(by: holder))
        }
        guard status == 0 else {
            throw ClientError(.notFound, "thumbturnd ended with status \(status); its log is in its state folder")
        }
    }
}

/// Where our own programs are.
public enum Installed {
    static let folders = ["/usr/local/libexec/thumbturn", "/usr/libexec/thumbturn", "/usr/lib/thumbturn"]

    /// The path of one of our programs. It is looked for where the environment says, beside the running program, in the system's folders,
    /// and in the home of this program's user.
    public static func program(_ name: String) -> String? {
        var candidates: [String] = []
        if let named = Finding.environment("THUMBTURN_LIBEXEC") { candidates.append(named) }
        if let own = ownFolder() { candidates += [own, own + "/../libexec/thumbturn"].filter(isTrusted) }
        candidates += folders
        if let own = homeFolder() { candidates.append(own) }
        return candidates.map { $0 + "/" + name }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Whether nobody but root and this user can put a program there. A group of this user's own may, as where everybody has one.
    private static func isTrusted(_ folder: String) -> Bool {
        var status = stat()
        guard unsafe stat(folder, &status) == 0, thumb_is_directory(status.st_mode) != 0 else { return false }
        guard status.st_uid == 0 || status.st_uid == getuid() else { return false }
        let isOwnGroup = status.st_uid == getuid() && status.st_gid == getgid()
        return status.st_mode & (isOwnGroup ? 0o002 : 0o022) == 0
    }

    /// Where one of our helpers may be installed: in the folder of the installation that the running program belongs to, and in the
    /// system's folders. The environment has no say in this.
    public static func places(of name: String) -> [String] {
        // `/opt/turn/bin` has its helpers in `/opt/turn/libexec/thumbturn`.
        let own = ownFolder().flatMap { bin in bin.lastIndex(of: "/").map { "\(bin[..<$0])/libexec/thumbturn" } }
        return ((own.map { [$0] } ?? []) + folders).map { $0 + "/" + name }
    }

    /// Where `make install PREFIX=$HOME/.local` puts them. nil in a program with more rights than its caller: it must not trust the
    /// caller's home.
    private static func homeFolder() -> String? {
        guard let home = Finding.environment("HOME") else { return nil }
        let folder = home + "/.local/libexec/thumbturn"
        return PrivateFolder.isPrivate(folder, of: getuid(), .fromWriters, follows: true) ? folder : nil
    }

    private static func ownFolder() -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count), as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
