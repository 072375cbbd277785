import CThumbLinux

/// What a process that holds keys takes away from itself and from others.
public enum Hardening {
    /// Does it once, at the start.
    public static func apply() {
        // A protected program that starts it has a group of its own, and that group isn't the daemon's.
        _ = thumb_setresgid(getgid(), getgid(), getgid())
        // No other program of this user may trace it, read its memory, or find it in a core dump.
        _ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(numericCast(thumb_RLIMIT_CORE), &none)
        // Whatever it is told through the environment (libraries' settings, search paths) came from somebody else.
        clearenv()
        // The TPM stack would write lines of its own among ours; what it answers is in ours.
        unsafe setenv("TSS2_LOG", "all+none", 1)
        umask(0o077)
        thumb_ignore_signal(SIGPIPE)
        // Helpers end by themselves; the kernel buries them.
        thumb_ignore_signal(SIGCHLD)
        unsafe chdir("/")
    }
}
