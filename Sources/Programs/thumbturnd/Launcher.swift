import CThumbLinux

/// Starts the daemon in a session of its own and ends when it listens, so that whoever waits for us knows it may connect.
enum Launcher {
    static func launch(_ arguments: Arguments) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe thumb_pipe2(&ends, O_CLOEXEC) == 0 else { return 71 }
        guard let child = spawn(arguments, ready: ends[1]) else {
            Output.error("thumbturnd: The daemon could not be started in the background.")
            return 71
        }
        close(ends[1])
        var byte: UInt8 = 0
        let count = unsafe read(ends[0], &byte, 1)
        if count == 1 { return 0 }
        // It ended without listening: because another one does (0), or because it couldn't.
        var status: Int32 = 0
        unsafe waitpid(child, &status, 0)
        return thumb_exited(status) != 0 ? thumb_exit_status(status) : 70
    }

    private static func spawn(_ arguments: Arguments, ready: Int32) -> pid_t? {
        var words = ["thumbturnd", "--serve", "--ready-fd", "3", "--idle", "\(arguments.idleSeconds)"]
        if let socket = arguments.socket { words += ["--socket", socket] }
        if let state = arguments.state { words += ["--state", state] }
        if let protected = arguments.protected { words += ["--protected", protected] }
        if let tpm = arguments.tpm { words += ["--tpm", tpm] }
        if let bus = arguments.bus { words += ["--bus", bus] }
        if let owner = arguments.busOwner { words += ["--bus-owner", "\(owner)"] }
        if arguments.isSeatOpen { words += ["--seat", "open"] }
        if let templates = arguments.templates { words += ["--templates", templates] }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for target: Int32 in 0...2 { unsafe posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ready, 3)
        unsafe thumb_spawn_closefrom(&actions, 4)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A session of its own: the terminal's signals and its end are not the daemon's.
        unsafe posix_spawnattr_setflags(&attributes, thumb_POSIX_SPAWN_SETSID)
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        defer {
            while let string = unsafe argv.popLast() { unsafe free(string) }
        }
        var pid: pid_t = 0
        return unsafe posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, &argv, &envp) == 0 ? pid : nil
    }
}
