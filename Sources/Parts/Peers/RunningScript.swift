import CThumbLinux
public import ThumbAccess

/// What an interpreter's process runs, found by its command line.
public enum RunningScript: ~Copyable {
    case file(OpenFile)
    case text([UInt8])
    case module(ExactName)
    case interactive
    case unknown

    /// What a process runs whose program is at that path.
    ///
    /// The command line lies in the process's own memory. A program can change its own, and so say that it is another script of this user.
    public static func of(_ folder: borrowing ProcessFolder, _ arguments: [[UInt8]], by program: ExactName) -> RunningScript {
        switch InterpreterArguments.run(arguments, by: program) {
        case .script(let name):
            guard let file = RunningFile.script(name, of: folder), !wasChanged(file, since: folder) else { return .unknown }
            return .file(file)
        case .text(let text): return .text(text)
        case .module(let name): return .module(name)
        case .interactive: return .interactive
        case .unknown: return .unknown
        }
    }

    /// Whether somebody may have changed a script since the process began. Then the process may have read something else than what is there
    /// now. What root keeps is known by its path, whatever its contents.
    private static func wasChanged(_ script: borrowing OpenFile, since folder: borrowing ProcessFolder) -> Bool {
        guard script.file.place == .changeable else { return false }
        guard let stamp = script.stamp(), let start = folder.stat()?.started else { return true }
        return stamp.isChanged(after: start - tickSeconds)
    }

    /// A process's start is known in hundredths of a second, and a file's change in the kernel's ticks, both rounded down. A change that
    /// may have come after the start counts as one that did, so a script that was written just before has no identity in its first run.
    private static let tickSeconds = 0.02
}

extension ProcessStat {
    /// When the process was started, in seconds since 1970 by today's clock.
    var started: Double {
        var (boot, now) = (timespec(), timespec())
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
        _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
        return now.seconds - boot.seconds + Double(start) / Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
    }
}

extension timespec {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1e9 }
}
