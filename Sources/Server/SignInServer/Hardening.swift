import CThumbLinux
import ThumbSystem

/// How the server's process gives up rights of its own and keeps others out.
public enum Hardening {
    /// Lets nobody trace the process or find it in a core dump, and allows it enough descriptors for its connections.
    public static func apply() {
        _ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(numericCast(thumb_RLIMIT_CORE), &none)
        var files = rlimit()
        let wanted = rlim_t(Limits.connections + Limits.otherDescriptors)
        if unsafe getrlimit(numericCast(thumb_RLIMIT_NOFILE), &files) == 0, files.rlim_cur < wanted {
            files.rlim_cur = min(wanted, files.rlim_max)
            unsafe setrlimit(numericCast(thumb_RLIMIT_NOFILE), &files)
        }
        umask(0o077)
        thumb_ignore_signal(SIGPIPE)
    }
}

/// The process around a server.
public enum ServerProcess {
    /// Blocks the signals that a server listens to. Call it before the first thread starts, because that could get one.
    public static func holdSignals() {
        var set = signals()
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits until the process is told to end. SIGHUP asks it to read its files again, for which `reload` is called.
    ///
    /// SIGHUP is also what a process gets when its terminal goes. Then it ends, as any program of a terminal does, unless it was started
    /// with that signal ignored, as nohup does.
    public static func waitForEnd(reload: () -> Void) {
        var set = signals()
        let stays = thumb_ignores_signal(SIGHUP) != 0
        let hadTerminal = hasTerminal()
        while true {
            var info = unsafe siginfo_t()
            let number = unsafe sigwaitinfo(&set, &info)
            if number < 0 { continue }
            guard number == SIGHUP else { return }
            // The kernel itself tells of a terminal that goes. A shell that goes with it tells its programs before it ends.
            let isHangUp = unsafe info.si_code == thumb_SI_KERNEL || (hadTerminal && !hasTerminal())
            if isHangUp && !stays { return }
            reload()
        }
    }

    private static func hasTerminal() -> Bool {
        do throws(SystemError) {
            _ = try Descriptor(opening: "/dev/tty", O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch { return false }
        return true
    }

    private static func signals() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        return set
    }

    /// Writes a line at once, to standard output or to standard error.
    public static func say(_ text: String, toError: Bool = false) {
        Transfer.say(text + "\n", to: toError ? 2 : 1)
    }

    /// Ends the process.
    public static func end(_ status: Int32) -> Never { exit(status) }

    /// The wall clock.
    public static func now() -> Int64 { Int64(time(nil)) }

    /// The folder for the database: the service manager's, or the user's own. It is made if it doesn't exist.
    ///
    /// Fails with `folder` if there is none that only this user can write.
    public static func stateFolder() throws(ServerError) -> String {
        let path: String
        if let given = unsafe thumb_secure_getenv("STATE_DIRECTORY") {
            path = unsafe String(cString: given)
        } else {
            do throws(DataFolder.Problem) { path = try DataFolder("thumbturn-server", sign: "sign-in.db").find() } catch {
                throw ServerError(.folder, "there is no place for a database: \(error); or say where with --database")
            }
        }
        guard path.hasPrefix("/") else { throw ServerError(.folder, "the data folder isn't a whole path") }
        PrivateFolder.makeWithParents(path)
        // The service manager's folder may be a link.
        guard PrivateFolder.isPrivate(path, of: getuid(), .fromWriters, follows: true) else {
            throw ServerError(.folder, "the data folder can't be made, or others could write to it")
        }
        return path
    }

    /// A variable of the environment.
    public static func variable(_ name: String) -> String? {
        unsafe thumb_secure_getenv(name).map { unsafe String(cString: $0) }
    }

    /// The bytes of a file of settings; nil if there is none and none is needed.
    ///
    /// Fails with `settings` if it can't be read, is longer than any good one, or could have been written by another user than root and
    /// the one who runs the server.
    public static func settings(_ path: String, mayBeMissing: Bool) throws(ServerError) -> [UInt8]? {
        do throws(SystemError) {
            let file = try Descriptor(opening: path, O_RDONLY)
            let status = try file.status()
            // What isn't a file on a disk, such as a pipe, has nobody's lines but those of whoever named it.
            if thumb_is_regular(status.st_mode) != 0 {
                guard status.st_uid == 0 || status.st_uid == getuid(), status.st_mode & 0o022 == 0 else {
                    throw SystemError(EPERM)
                }
            }
            guard let bytes = try Transfer.all(from: file.number, atMost: Limits.settings) else { throw SystemError(EFBIG) }
            return bytes
        } catch {
            if mayBeMissing, error.number == ENOENT || error.number == ENOTDIR { return nil }
            let text =
                error.number == EPERM
                ? "the settings in \(path) could have been written by another user; give them to root, with mode 644"
                : "the settings in \(path) can't be read"
            throw ServerError(.settings, text, systemError: error.number == EPERM ? 0 : error.number)
        }
    }

    /// A file's bytes, a megabyte at most. Fails with `certificate`.
    public static func read(_ path: String) throws(ServerError) -> [UInt8] {
        do throws(SystemError) {
            let file = try Descriptor(opening: path, O_RDONLY)
            guard let bytes = try Transfer.all(from: file.number, atMost: 1 << 20) else { throw SystemError(EFBIG) }
            return bytes
        } catch {
            throw ServerError(.certificate, "a file of TLS can't be read", systemError: error.number)
        }
    }
}
