import CThumbLinux
import Foundation
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// A machine with the module before pam_unix: the real libpam and its modules, real programs that ask for a password, and in the daemon's
/// place whoever a test wants there.
public final class LoginStage: Sendable {
    public static let password = "correct horse 7731"
    /// That password as a shadow file has it: `openssl passwd -6 -salt turnturn`.
    private static let hash =
        "$6$turnturn$PUVW6k8iqpIZQWIokc1HmtjAV39XgBlNpMhI/hNE4utLabUBWrwj9e3XOG8WB2ZTJzOA7bI4MJwR5WDiQ0MxK0"

    /// Who listens where the system's daemon does.
    public enum Daemon: Sendable {
        /// A service of the test's own process, which is given each connection that was said to be the owner's.
        case serves(@Sendable (Int32) -> Void)
        /// The daemon of this folder, which has its sockets.
        case folder(String)
        /// Somebody who says so many answers of a daemon's and is silent then, with the connection open or closed.
        case silent(after: Int, closes: Bool)
        /// Somebody who answers everything with these bytes.
        case says([UInt8])
        /// Somebody who answers each frame with such bytes, and knows in which role the peer said hello. At its end there is no frame.
        case answers(@Sendable (_ role: Hello.Role?, _ frame: Frame?) -> [UInt8])
        case none
    }

    /// A module of libpam-wrapper's that sets PAM's items from the environment.
    private static let itemSetter =
        ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/pam_wrapper/pam_set_items.so" }
        .first { FileManager.default.fileExists(atPath: $0) } ?? "pam_set_items.so"

    private let folder: Scratch
    public let module: BuiltModule
    private let listener: Int32?
    private let run: String
    private var etc: String { folder.path + "/etc" }

    /// - Parameters:
    ///   - owner: the number of the account `owner`.
    ///   - daemonUser: who listens where the system's daemon does, as those who connect see it.
    public init(
        _ daemon: Daemon, module kind: BuiltModule.Kind = .plain, owner: UInt32 = 0, isSystemMode: Bool = true,
        daemonUser: UInt32 = 0
    ) throws {
        module = try BuiltModule.get(kind)
        folder = try Scratch(inMemory: false)
        if case .folder(let path) = daemon { run = path } else { run = folder.path + "/run" }
        let stack =
            "auth [success=done conv_err=die default=ignore] \(module.path)\n"
            + "auth required pam_unix.so try_first_pass nodelay\naccount required pam_permit.so\nsession required pam_permit.so\n"
        for name in ["/run", "/etc", "/etc/pam.d", "/etc/thumbturn"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        }
        chmod(folder.path, 0o755)
        listener =
            switch daemon {
            case .none, .folder: nil
            case .serves, .silent, .says, .answers: try UnixSocket.listen(at: run + "/login").get()
            }
        if let listener, daemonUser != 0 { try Self.listen(on: listener, as: daemonUser) }
        for name in ["ld.so.cache", "nsswitch.conf", "login.defs"] {
            try FileManager.default.copyItem(atPath: "/etc/" + name, toPath: etc + "/" + name)
        }
        let root = owner == 0 ? "" : "root:x:0:0::/:/bin/sh\n"
        try write("passwd", root + "owner:x:\(owner):\(owner)::/:/bin/sh\nother:x:2:2::/:/bin/sh\n")
        try write("group", "owner:x:\(owner):\n")
        try write("shadow", "root:*:19000:0:99999:7:::\nowner:\(Self.hash):19000:0:99999:7:::\n")
        try write("sudoers", "Defaults !lecture,timestamp_timeout=0\nowner ALL=(ALL) ALL\n")
        guard chmod(etc + "/sudoers", 0o440) == 0 else { throw Errno(thumb_errno()) }
        // And without the module.
        try write("pam.d/bare", stack.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n")
        for service in ["su", "sudo", "sshd", "polkit-1"] { try write("pam.d/" + service, stack) }
        // Lines for logins; `su-l` has one too, which isn't for it.
        let logins = stack.replacing(module.path, with: module.path + " login")
        for service in ["login", "su-l", "vlock"] { try write("pam.d/" + service, logins) }
        // As GDM's package has it, with our module in the place of fprintd's.
        try write(
            "pam.d/gdm-fingerprint",
            "auth required pam_succeed_if.so user != root quiet_success\nauth required \(module.path)\naccount required pam_permit.so\n"
        )
        // A login whose password goes to the daemon.
        let typed =
            "auth required pam_unix.so nodelay\nauth optional \(module.path) password\nsession optional \(module.path)\nsession required pam_permit.so\n"
            + "account required pam_permit.so\n"
        try write("pam.d/typed", typed)
        // The same for a session of another account, $PAM_USER's.
        try write("pam.d/elsewhere", "session required \(Self.itemSetter)\n" + typed)
        try write("pam.d/sudo-i", stack + "auth optional \(module.path) password\nsession optional \(module.path)\n")
        if isSystemMode { try write("thumbturn/system-mode", "") }
        listen(daemon)
    }

    deinit {
        guard let listener else { return }
        // Its thread wakes up by that, and ends.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: etc + "/" + name)) }

    /// Listens once more as another user: whoever connects is told of the one who listened last.
    private static func listen(on listener: Int32, as user: UInt32) throws {
        let done = DispatchSemaphore(value: 0)
        // Written before the semaphore is signalled, and read after.
        nonisolated(unsafe) var isDone = false
        Thread.detachNewThread {
            let uid = Int(user)
            // The bare call changes this thread alone, which ends afterwards.
            isDone = thumb_syscall(Int(SYS_setresuid), uid, uid, uid, 0) == 0 && CThumbLinux.listen(listener, 16) == 0
            done.signal()
        }
        done.wait()
        guard isDone else { throw CannotStart(program: "a daemon of user \(user)") }
    }

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
        var role: Hello.Role?
        while case .frame(let body) = frames.read(from: fd, waiting: true), let frame = try? Frame(body) {
            switch daemon {
            case .serves(let serve):
                guard frame.kind == .whose, send(Done().frame(call: frame.call).bytes, to: fd) else {
                    return UnixSocket.close(fd)
                }
                return serve(fd)
            case .silent(let after, let closes):
                if said == after {
                    if closes { return UnixSocket.close(fd) }
                    continue
                }
                said += 1
                let answer: any Word = frame.kind == .whose ? Done() : Welcome(mode: .system)
                _ = send(answer.frame(call: frame.call).bytes, to: fd)
            case .says(let bytes): _ = send(bytes, to: fd)
            case .answers(let answer):
                if frame.kind == .hello { role = try? frame.word(Hello.self).role }
                _ = send(answer(role, frame), to: fd)
            case .none, .folder: break
            }
        }
        if case .answers(let answer) = daemon { _ = answer(role, nil) }
        UnixSocket.close(fd)
    }

    private static func send(_ bytes: [UInt8], to fd: Int32) -> Bool {
        bytes.withUnsafeBytes { CThumbLinux.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    /// A program on a terminal of its own, on this machine. It is the process that was started, with nothing around it.
    public func start(_ words: [String]) throws -> Applicant {
        let script = """
            mount --bind "$1" /etc && mount -t tmpfs tmpfs /run && mkdir /run/thumbturn && mount --bind "$2" /run/thumbturn &&
            shift 2 && exec "$@"
            """
        let all =
            ["/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh", etc, run, "/usr/bin/env"]
            + module.environment.map { "\($0.key)=\($0.value)" } + words
        return try Applicant(all, on: self)
    }

    /// What starts somebody who asks for a password as su does.
    public static func asking(service: String = "su") -> [String] {
        ["/usr/bin/pamtester", "-I", "ruser=ada", "-I", "tty=/dev/tty2", service, "owner", "authenticate"]
    }

    /// Somebody who asks for a password as su does.
    public func su(service: String = "su") throws -> Applicant { try start(Self.asking(service: service)) }

    /// Somebody who asks for a password as login does, and then has PAM do more.
    public func login(andThen more: [String] = []) throws -> Applicant {
        try start(["/usr/bin/pamtester", "-I", "tty=/dev/tty2", "login", "owner", "authenticate"] + more)
    }
}
