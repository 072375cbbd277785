package import CThumbLinux

/// Starting another program with exactly the arguments, environment and descriptors named here.
package enum Spawn {
    /// Starts `program`; the child has `descriptors` as 0, 1, 2 …, `/dev/null` for those of 0–2 that aren't given, and no others.
    package static func run(_ program: String, _ arguments: [String], environment: [String], descriptors: [Int32]) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for target in 0..<max(3, Int32(descriptors.count)) {
            if target < descriptors.count {
                unsafe posix_spawn_file_actions_adddup2(&actions, descriptors[Int(target)], target)
            } else {
                unsafe posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            }
        }
        unsafe thumb_spawn_closefrom(&actions, max(3, Int32(descriptors.count)))
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A thread of the app's may have signals blocked, as those of its queues do: the child begins with none.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        // A protected program's group is for that program alone.
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_RESETIDS))
        var pid: pid_t = 0
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            var strings = unsafe argv + envp
            while let string = unsafe strings.popLast() { unsafe free(string) }
        }
        return unsafe posix_spawn(&pid, program, &actions, &attributes, &argv, &envp) == 0 ? pid : nil
    }

    /// Waits for a child; its exit status, or 128 and its signal.
    package static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 {
            // Whoever started us may have asked the kernel to reap children unseen.
            guard thumb_errno() == EINTR else { return 0 }
        }
        return thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
    }
}
