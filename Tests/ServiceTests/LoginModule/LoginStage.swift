import CThumbLinux
import Foundation
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

@testable import ThumbService

/// A machine with the module before pam_unix: the real libpam and its modules, real programs that ask for a password, and a service of
/// this process in the system's place.
final class LoginStage: Sendable {
    static let password = "correct horse 7731"
    /// That password as a shadow file has it: `openssl passwd -6 -salt turnturn`.
    private static let hash =
        "$6$turnturn$PUVW6k8iqpIZQWIokc1HmtjAV39XgBlNpMhI/hNE4utLabUBWrwj9e3XOG8WB2ZTJzOA7bI4MJwR5WDiQ0MxK0"

    /// Who listens where the system's daemon does.
    enum Daemon {
        case service(Stand)
        /// Somebody who says so many answers of a daemon's and is silent then, with the connection open or closed.
        case silent(after: Int, closes: Bool)
        /// Somebody who answers everything with these bytes.
        case says([UInt8])
        case none
    }

    private let folder: Scratch
    let module: BuiltModule
    private let listener: Int32?
    private var run: String { folder.path + "/run" }
    private var etc: String { folder.path + "/etc" }

    /// - Parameters:
    ///   - owner: the number of the account `owner`.
    ///   - hasHook: whether `su` and `su-l` have the hook that gives the daemon a password, `su` with the line that keeps it from asking.
    init(
        _ daemon: Daemon, module kind: BuiltModule.Kind = .plain, owner: UInt32 = 0, isSystemMode: Bool = true,
        hasHook: Bool = false
    ) throws {
        module = try BuiltModule.get(kind)
        folder = try Scratch(inMemory: false)
        let stack =
            "auth [success=done conv_err=die default=ignore] \(module.path)\n"
            + "auth required pam_unix.so try_first_pass nodelay\naccount required pam_permit.so\nsession required pam_permit.so\n"
        for name in ["/run", "/etc", "/etc/pam.d", "/etc/thumbturn"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        }
        chmod(folder.path, 0o755)
        listener = if case .none = daemon { nil } else { try UnixSocket.listen(at: folder.path + "/run/login").get() }
        for name in ["ld.so.cache", "nsswitch.conf", "login.defs"] {
            try FileManager.default.copyItem(atPath: "/etc/" + name, toPath: etc + "/" + name)
        }
        let root = owner == 0 ? "" : "root:x:0:0::/:/bin/sh\n"
        try write("passwd", root + "owner:x:\(owner):\(owner)::/:/bin/sh\nother:x:2:2::/:/bin/sh\n")
        try write("group", "owner:x:\(owner):\n")
        try write("shadow", "root:*:19000:0:99999:7:::\nowner:\(Self.hash):19000:0:99999:7:::\n")
        try write("sudoers", "Defaults !lecture,timestamp_timeout=0\nowner ALL=(ALL) ALL\n")
        guard chmod(etc + "/sudoers", 0o440) == 0 else { throw Errno(thumb_errno()) }
        for service in ["su", "sudo", "sshd"] { try write("pam.d/" + service, stack) }
        // Lines for logins; `su-l` has one too, which isn't for it.
        let logins = stack.replacing(module.path, with: module.path + " login")
        for service in ["login", "su-l"] { try write("pam.d/" + service, logins) }
        if hasHook { try writeHook(stack) }
        if isSystemMode { try write("thumbturn/system-mode", "") }
        listen(daemon)
    }

    deinit {
        guard let listener else { return }
        // Its thread wakes up by that, and ends.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The stack as the common part has it, and the hook behind it.
    private func writeHook(_ stack: String) throws {
        let hook = "auth required pam_permit.so\n%auth optional pam_exec.so expose_authtok quiet /bin/true\naccount required"
        let common = stack.replacing("success=done", with: "success=1").replacing("account required", with: hook)
        let line = "auth [success=1 default=ignore] \(module.path) touched\n"
        try write("pam.d/su", common.replacing("%", with: line))
        try write("pam.d/su-l", common.replacing("%", with: ""))
    }

    private func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: etc + "/" + name)) }

    private func listen(_ daemon: Daemon) {
        guard let listener else { return }
        Thread.detachNewThread {
            while let fd = UnixSocket.accept(listener) { Thread.detachNewThread { Self.serve(fd, daemon) } }
        }
    }

    /// The front's part: it asks whose device is wanted, and passes the connection on.
    private static func serve(_ fd: Int32, _ daemon: Daemon) {
        var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frameBeforeWelcome)
        var said = 0
        while case .frame(let body) = frames.read(from: fd, waiting: true), let frame = try? Frame(body) {
            switch daemon {
            case .service(let stand):
                guard frame.kind == .whose, send(Done().frame(call: frame.call).bytes, to: fd) else {
                    return UnixSocket.close(fd)
                }
                return stand.onLoop { $0.service.serve(fd, as: .login) }
            case .silent(let after, let closes):
                if said == after {
                    if closes { return UnixSocket.close(fd) }
                    continue
                }
                said += 1
                let answer: any Word = frame.kind == .whose ? Done() : Welcome(mode: .system)
                _ = send(answer.frame(call: frame.call).bytes, to: fd)
            case .says(let bytes): _ = send(bytes, to: fd)
            case .none: break
            }
        }
        UnixSocket.close(fd)
    }

    private static func send(_ bytes: [UInt8], to fd: Int32) -> Bool {
        bytes.withUnsafeBytes { CThumbLinux.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    /// A program on a terminal of its own, on this machine. It is the process that was started, with nothing around it.
    func start(_ words: [String]) throws -> Applicant {
        let script = """
            mount --bind "$1" /etc && mount -t tmpfs tmpfs /run && mkdir /run/thumbturn && mount --bind "$2" /run/thumbturn &&
            shift 2 && exec "$@"
            """
        let all =
            ["/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh", etc, run, "/usr/bin/env"]
            + module.environment.map { "\($0.key)=\($0.value)" } + words
        return try Applicant(all, on: self)
    }

    /// Somebody who asks for a password as su does.
    func su(service: String = "su") throws -> Applicant {
        try start(["/usr/bin/pamtester", "-I", "ruser=ada", "-I", "tty=/dev/tty2", service, "owner", "authenticate"])
    }

    /// Somebody who asks for a password as login does.
    func login() throws -> Applicant {
        try start(["/usr/bin/pamtester", "-I", "tty=/dev/tty2", "login", "owner", "authenticate"])
    }
}

/// A program that asks for a password, on a terminal that the test holds.
final class Applicant {
    struct TookTooLong: Error { let said: String }

    let pid: pid_t
    /// There for as long as the program is.
    private let stage: LoginStage
    private let terminal: (mine: Int32, theirs: Int32, path: String)
    /// Marks the program and whatever it starts.
    private let mark = UUID().uuidString
    private(set) var said = ""
    private var ended: Int32?
    private static let patience = 60.0

    init(_ words: [String], on stage: LoginStage) throws {
        self.stage = stage
        terminal = try makeTerminal()
        pid = try spawn(
            words, ["PATH": "/usr/bin:/bin", "TURN_MARK": mark, "LANG": "C.UTF-8"], [.file(terminal.path), .same(0), .same(0)])
    }

    deinit {
        if ended == nil {
            kill(pid, SIGKILL)
            _ = waited(for: pid)
        }
        close(terminal.mine)
        close(terminal.theirs)
    }

    func type(_ text: String) { writeQuietly(Array(text.utf8), to: terminal.mine) }

    /// Reads what has come within a moment.
    private func read(within milliseconds: Int32) {
        var wait = pollfd(fd: terminal.mine, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, milliseconds) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = CThumbLinux.read(terminal.mine, &buffer, buffer.count)
        if count > 0 { said += String(decoding: buffer[..<count], as: UTF8.self) }
    }

    func wait(for words: String, times: Int = 1) throws {
        let end = EventLoop.now + Self.patience
        while said.ranges(of: words).count < times {
            guard EventLoop.now < end else { throw TookTooLong(said: said) }
            read(within: 50)
        }
    }

    /// Presses a key, and again each second until it has had its effect: a program that takes a signal between its question and its reading,
    /// as sudo can, reads on.
    func press(_ key: Character, until isDone: () -> Bool) throws {
        let end = EventLoop.now + Self.patience
        while EventLoop.now < end {
            type(String(key))
            let next = EventLoop.now + 1
            while EventLoop.now < next {
                read(within: 20)
                if isDone() { return }
            }
        }
        throw TookTooLong(said: said)
    }

    /// Whether it has ended.
    var hasEnded: Bool {
        var status: Int32 = 0
        if ended == nil, waitpid(pid, &status, WNOHANG) == pid {
            ended = thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
        }
        return ended != nil
    }

    /// Its exit status, or 128 and the signal that ended it.
    func end() throws -> Int32 {
        let end = EventLoop.now + Self.patience
        while !hasEnded {
            guard EventLoop.now < end else { throw TookTooLong(said: said) }
            read(within: 5)
        }
        read(within: 0)
        return ended ?? 0
    }

    /// Whether the terminal shows what is typed.
    var echoes: Bool {
        var modes = termios()
        return tcgetattr(terminal.theirs, &modes) == 0 && modes.c_lflag & UInt32(ECHO) != 0
    }

    /// What a shell would read behind the program: the line that was begun, ended now.
    func lineLeft() -> String {
        type("\n")
        var wait = pollfd(fd: terminal.theirs, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1 else { return "nothing" }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = CThumbLinux.read(terminal.theirs, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// The processes that it has left, or that it still has beside itself.
    var others: [pid_t] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { pid_t($0) }.filter { found in
            guard found != pid, let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(found)/environ")) else { return false }
            return String(decoding: bytes, as: UTF8.self).contains(mark)
        }
    }

    /// Waits until it has left none.
    func isAlone() -> Bool {
        for _ in 0..<2000 {
            if others.isEmpty { return true }
            usleep(5000)
        }
        return false
    }
}
