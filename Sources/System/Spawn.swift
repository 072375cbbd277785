public import CThumbLinux

/// Starts another program with exactly the arguments, variables, descriptors and signals given here. If this program has a group from a
/// set-ID bit, the other program doesn't get it.
public struct Spawn {
    /// The variables that it gets.
    public enum Environment: Sendable {
        /// This program's.
        case own
        /// These, each as NAME=VALUE, and no others.
        case only([String])
    }

    /// The descriptors that it gets.
    public enum Descriptors: Sendable {
        /// All of this program's that aren't closed automatically.
        case own
        /// Only these, as 0, 1, 2 and so on. For nil, and for those of the first three that aren't given, /dev/null.
        case only([Int32?])
    }

    /// Its path, or a name that is looked for in $PATH.
    public var program: String
    /// Its arguments, beginning with its own name.
    public var arguments: [String]
    /// None by default.
    public var environment: Environment
    /// /dev/null three times by default.
    public var descriptors: Descriptors
    /// Whether it gets its own session, which the terminal's signals and its end don't reach.
    public var hasOwnSession: Bool
    /// The signals that it blocks. None by default, because a thread of an app's may have blocked some for its own purposes.
    public var blocked: sigset_t

    /// Describes a program to start.
    public init(
        _ program: String, _ arguments: [String], environment: Environment = .only([]), descriptors: Descriptors = .only([]),
        hasOwnSession: Bool = false
    ) {
        (self.program, self.arguments) = (program, arguments)
        (self.environment, self.descriptors, self.hasOwnSession) = (environment, descriptors, hasOwnSession)
        blocked = sigset_t()
        unsafe sigemptyset(&blocked)
    }

    /// Starts it. Signals that this program ignores for its own sake aren't ignored there.
    public func start() throws(SystemError) -> Child {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        if case .only(let given) = descriptors { try unsafe hand(given, &actions, &copies) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (defaults, blocked) = (sigset_t(), blocked)
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_RESETIDS)
        unsafe posix_spawnattr_setflags(&attributes, hasOwnSession ? flags | thumb_POSIX_SPAWN_SETSID : flags)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let named: [String] =
            switch environment {
            case .own: []
            case .only(let given): given
            }
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe named.map { unsafe strdup($0) } + [nil]
        defer {
            var strings = unsafe words + variables
            while let string = unsafe strings.popLast() { unsafe free(string) }
        }
        var pid: pid_t = 0
        let number =
            switch environment {
            case .own: unsafe posix_spawnp(&pid, program, &actions, &attributes, &words, thumb_environment())
            case .only: unsafe posix_spawnp(&pid, program, &actions, &attributes, &words, &variables)
            }
        guard number == 0 else { throw SystemError(number) }
        return Child(pid: pid)
    }

    /// Whether this is one of the first three, which this program may have been started without. Any other closed one is a mistake.
    private func isMissingStandard(_ source: Int32) -> Bool { source <= 2 && thumb_fcntl(source, F_GETFD, 0) < 0 }

    /// Says which descriptors it gets. If one is at the number where another must go, it is copied out of the way first.
    private func hand(
        _ given: [Int32?], _ actions: inout posix_spawn_file_actions_t, _ copies: inout [Int32]
    ) throws(SystemError) {
        let count = max(3, Int32(given.count))
        for target in 0..<count {
            guard Int(target) < given.count, var source = given[Int(target)], !isMissingStandard(source) else {
                try check(unsafe posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0))
                continue
            }
            if source < target {
                source = thumb_fcntl(source, F_DUPFD_CLOEXEC, Int(count))
                guard source >= 0 else { throw .last }
                copies.append(source)
            }
            try check(unsafe posix_spawn_file_actions_adddup2(&actions, source, target))
        }
        try check(unsafe thumb_spawn_closefrom(&actions, count))
    }

    /// Without one of its actions a program would start with other descriptors than it was given.
    private func check(_ number: Int32) throws(SystemError) {
        if number != 0 { throw SystemError(number) }
    }
}

/// A program that this one started.
public struct Child: Sendable, Hashable {
    /// Its process number.
    public let pid: pid_t

    /// Makes the value for a child with that number.
    public init(pid: pid_t) { self.pid = pid }

    /// How it ended.
    public enum Ending: Sendable, Hashable {
        /// It ended by itself, with this status.
        case exited(Int32)
        /// This signal ended it.
        case killed(Int32)
    }

    /// Waits for its end.
    public func ending() -> Ending {
        var status: Int32 = 0
        // Whoever started this program may have asked the kernel to reap its children by itself. Then it has ended, and the status counts
        // as 0.
        guard uninterrupted({ unsafe waitpid(pid, &status, 0) }) >= 0 else { return .exited(0) }
        return thumb_exited(status) != 0 ? .exited(thumb_exit_status(status)) : .killed(thumb_term_signal(status))
    }

    /// Waits for its end. Returns its exit status, or 128 plus the signal that ended it.
    public func wait() -> Int32 {
        switch ending() {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        }
    }

    /// Kills it.
    public func kill() { _ = CThumbLinux.kill(pid, SIGKILL) }

    /// Asks it to end, so that it can put in order what it has changed.
    public func terminate() { _ = CThumbLinux.kill(pid, SIGTERM) }
}
