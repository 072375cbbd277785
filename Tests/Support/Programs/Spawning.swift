import CThumbLinux
import Foundation

public struct CannotStart: Error, CustomStringConvertible {
    public let program: String
    public init(program: String) { self.program = program }
    public var description: String { "\(program) can't be started" }
}

/// What a program finds as one of its descriptors.
public enum Given: Sendable {
    case descriptor(Int32)
    /// Opened by the program itself, to read and write: a session's leader gets the first terminal that it opens.
    case file(String)
    /// The same as an earlier one of its own.
    case same(Int32)

    public static let nothing = Given.file("/dev/null")
}

/// Where this build's programs lie: beside the tests.
public let builtPrograms = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

/// Starts a program with exactly these variables and descriptors, from 0 on, and none of the tests' own.
///
/// - Parameter words: its path, or a name to be searched, and its arguments.
public func spawn(
    _ words: [String], _ environment: [String: String], _ descriptors: [Given], inOwnSession: Bool = true
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Copied up first: what is given may itself stand where another is to go.
    var high: [Int32] = []
    defer { for fd in high { close(fd) } }
    for (target, given) in zip(Int32(0)..., descriptors) {
        switch given {
        case .descriptor(let fd):
            high.append(thumb_fcntl(fd, F_DUPFD_CLOEXEC, 100))
            posix_spawn_file_actions_adddup2(&actions, high[high.count - 1], target)
        case .file(let path): posix_spawn_file_actions_addopen(&actions, target, path, O_RDWR, 0)
        case .same(let earlier): posix_spawn_file_actions_adddup2(&actions, earlier, target)
        }
    }
    thumb_spawn_closefrom(&actions, Int32(descriptors.count))
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tests' threads block signals that a program started from a shell gets.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Tests that run in the background, or under nohup, ignore these, and a shell can't trap what it was started to ignore.
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGHUP, SIGINT, SIGQUIT] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, flags | (inOwnSession ? thumb_POSIX_SPAWN_SETSID : 0))
    var argv = words.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, words[0], &actions, &attributes, &argv, &envp) == 0 else { throw CannotStart(program: words[0]) }
    return pid
}

/// Waits for a program's end; its exit status, or 128 and the signal that ended it.
public func waited(for pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && thumb_errno() == EINTR {}
    return thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
}

/// A pipe whose ends no program inherits unless it is given them.
public func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
    return (ends[0], ends[1])
}

/// A terminal: the test's side of it, the program's side, and its path. The program's side is to be kept open until the program has
/// it: a terminal that nobody has open is at its end.
public func makeTerminal() throws -> (mine: Int32, theirs: Int32, path: String) {
    var (mine, theirs): (Int32, Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard openpty(&mine, &theirs, &path, nil, nil) == 0 else { throw CannotStart(program: "a terminal") }
    return (mine, theirs, String(cString: path))
}
