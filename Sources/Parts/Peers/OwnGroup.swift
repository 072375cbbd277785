import CThumbLinux

/// The user's own group, for looking at the user's other programs.
///
/// The kernel shows a process's file only to somebody whose user *and* group are that process's. A program with a set-group-ID bit has
/// another group. For a while this thread looks at files with the group of the user who started the program, which gives it nothing that
/// each of the user's programs doesn't have.
public enum OwnGroup {
    /// Runs `body` with the user's own group. The calls in it are this thread's alone, so it never waits for anything.
    public static func looking<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
    {
        let (own, effective) = (getgid(), getegid())
        guard own != effective else { return try body() }
        _ = thumb_setfsgid(own)
        defer { _ = thumb_setfsgid(effective) }
        return try body()
    }
}
