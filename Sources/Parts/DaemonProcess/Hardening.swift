import CThumbLinux

/// How a process that holds keys gives up rights of its own and keeps others out.
public enum Hardening {
    /// What becomes of the group that a process has by its program's file, or by that of the program which started it.
    public enum FileGroup: Sendable {
        /// A protected program that starts the daemon has a group of its own. The daemon must not keep that group.
        case givenUp
        /// By its group root vouches for the program.
        case kept
    }

    /// Does it once, at the start.
    public static func apply(_ group: FileGroup) {
        if group == .givenUp { _ = thumb_setresgid(getgid(), getgid(), getgid()) }
        // No other program of this user may trace it, read its memory, or find it in a core dump.
        _ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(numericCast(thumb_RLIMIT_CORE), &none)
        // Whatever the environment says (libraries' settings, search paths) came from somebody else.
        clearenv()
        // The TPM stack would write lines of its own among ours. Its errors are in our lines already.
        unsafe setenv("TSS2_LOG", "all+none", 1)
        // One heap for all threads: each further one would grow a page at a time, with a system call for each page.
        mallopt(M_ARENA_MAX, 1)
        umask(0o077)
        thumb_ignore_signal(SIGPIPE)
        // Helpers end by themselves, and the kernel reaps them.
        thumb_ignore_signal(SIGCHLD)
        unsafe chdir("/")
    }
}
