import CThumbLinux

/// Another program that this one starts and waits for.
struct Spawned: Sendable {
    let pid: pid_t

    struct Refused: Error { let number: Int32 }

    /// What the new program gets.
    struct Terms {
        /// Found along $PATH where it has no slash.
        var program: String
        var arguments: [String]
        /// nil: this program's own.
        var environment: [String]?
        /// Standard input and output; nil: this program's own, with every other descriptor that isn't closed by itself.
        var descriptors: (input: Int32, output: Int32)?
        /// The signals that it blocks.
        var blocked: sigset_t
    }

    /// Starts it. What was ignored here for this program's own sake isn't ignored there.
    init(_ terms: Terms) throws(Refused) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        if let (input, output) = terms.descriptors {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
            unsafe thumb_spawn_closefrom(&actions, 3)
            // A session of its own: the terminal's signals are not for it.
            flags |= thumb_POSIX_SPAWN_SETSID
        }
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        var blocked = terms.blocked
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe terms.arguments.map { unsafe strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe (terms.environment ?? []).map { unsafe strdup($0) } + [nil]
        defer {
            var strings = unsafe argv + envp
            while let string = unsafe strings.popLast() { unsafe free(string) }
        }
        var child: pid_t = 0
        let result =
            terms.environment == nil
            ? unsafe posix_spawnp(&child, terms.program, &actions, &attributes, &argv, thumb_environment())
            : unsafe posix_spawnp(&child, terms.program, &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw Refused(number: result) }
        pid = child
    }

    /// Waits for its end; its exit status, or 128 and the signal that ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && thumb_errno() == EINTR {}
        return thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
    }

    /// Runs a program of the system's with nothing to read and nothing to say; its exit status, or nil where it can't be run.
    @Sendable static func quietly(_ program: String, _ arguments: [String]) -> Int32? {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        let null = unsafe thumb_open("/dev/null", O_RDWR | O_CLOEXEC, 0)
        defer { close(null) }
        let terms = Terms(
            program: program, arguments: arguments, environment: ["PATH=/usr/sbin:/usr/bin"], descriptors: (null, null),
            blocked: none)
        return (try? Spawned(terms))?.wait()
    }
}
