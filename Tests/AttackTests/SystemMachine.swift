import CThumbLinux
import Foundation
import thumbturn_test_daemon
import thumbturn_test_programs

/// A machine with the system's daemon: `/run`, `/etc` and `/var/lib` of its own, which nobody outside sees, and the machine's
/// processes and users. Takes root.
final class SystemMachine {
    /// Two who have nothing on the real machine.
    let (ada, eve) = (FreshUser.next, FreshUser.next)
    let programs: Scratch
    private let holder = OwnProcess()
    private let (hands, said) = (Pipe(), Pipe())
    private var daemon: Child?

    static let marker = "/etc/thumbturn/system-mode"

    /// - Parameter more: what it has of this build's programs beside those that every test wants.
    init(marked: Bool = true, _ more: [String] = []) throws {
        programs = try Scratch(inMemory: false)
        chmod(programs.path, 0o755)
        for name in ["thumbturn-front", "thumbturnd", "thumbturn-test-client", "thumbturn-test-attacker"] + more {
            try copyProgram(name, to: programs.path + "/" + name)
        }
        holder.executableURL = URL(filePath: "/usr/bin/unshare")
        let script = """
            set -e
            for folder in /run /var/lib; do mount -t tmpfs -o mode=755 none $folder; done
            cp -a /etc /run/etc-of-a-test && mount --bind /run/etc-of-a-test /etc
            echo ready
            exec cat
            """
        holder.arguments = ["--mount", "--propagation", "private", "/bin/sh", "-c", script]
        (holder.standardInput, holder.standardOutput) = (hands, said)
        try holder.run()
        guard Machine.line(said) == "ready" else { throw CannotStart(program: "a mount namespace") }
        if marked { try inside("mkdir -p /etc/thumbturn && touch \(Self.marker)") }
    }

    deinit {
        daemon?.killed()
        try? hands.fileHandleForWriting.close()
        holder.waitUntilExit()
        for uid in [ada, eve] { try? FileManager.default.removeItem(atPath: "/tmp/thumbturn-\(uid)") }
    }

    /// nsenter's words for this machine.
    var entering: [String] { ["--mount", "--target", "\(holder.processIdentifier)"] }

    /// Root's own doing on this machine; its exit status.
    @discardableResult
    func attempt(_ script: String, as uid: UInt32 = 0) throws -> Int32 {
        let drop = uid == 0 ? [] : ["/usr/bin/setpriv", "--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups"]
        return try Child("/usr/bin/nsenter", entering + drop + ["/bin/sh", "-c", script], path: "/usr/sbin:/usr/bin:/sbin:/bin")
            .end()
    }

    func inside(_ script: String) throws {
        guard try attempt(script) == 0 else { throw CannotStart(program: script) }
    }

    /// System mode's front, where it is looked for; each user's device is a child of its.
    @discardableResult
    func serve(_ more: [String] = ["--idle", "0"], _ environment: [String: String] = [:]) throws -> Child {
        let child = try start("thumbturn-front", ["--devices", "/var/lib/thumbturn"] + more, environment: environment)
        daemon = child
        return child
    }

    /// What system mode runs: the front, which has what it started for children.
    private var processes: [pid_t] {
        guard let front = daemon?.pid else { return [] }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(front)/task")) ?? []
        let children = threads.flatMap { thread in
            ((try? String(contentsOfFile: "/proc/\(front)/task/\(thread)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { pid_t($0) }
        }
        return [front] + children
    }

    /// The process of a user's device.
    func device(of uid: UInt32) -> pid_t? {
        processes.first { process in
            let line = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
            return line.contains("--device\0\(uid)\0")
        }
    }

    /// The memory of the largest of them, in KiB.
    func greatestMemory() -> Int { processes.map { Memory.anonymous(of: $0) }.max() ?? 0 }

    /// Ends the front, and waits for its devices: each has its store until it has ended too.
    func stop() {
        let ending = processes.map { pidfd_open($0, 0) }.filter { $0 >= 0 }
        daemon?.killed()
        daemon = nil
        for process in ending {
            var wait = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
            _ = poll(&wait, 1, 60_000)
            close(process)
        }
    }

    /// A user's own daemon, which listens.
    func start(_ words: [String], as uid: UInt32 = 0, environment: [String: String] = [:]) throws -> Child {
        try start("thumbturnd", words + ["--bus", "none", "--tpm", "none"], as: uid, environment: environment)
    }

    private func start(
        _ program: String, _ words: [String], as uid: UInt32 = 0, environment: [String: String] = [:]
    ) throws -> Child {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        let drop = ["/usr/bin/setpriv", "--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups"]
        let child = try Child(
            "/usr/bin/nsenter",
            entering + drop + ["\(programs.path)/\(program)"] + words + ["--ready-fd", "3"],
            environment: environment, passing: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: program) }
        return child
    }

    /// Any program of this build's, with `input` on its standard input.
    func run(
        _ words: [String], as uid: UInt32, _ environment: [String: String], input: Int32? = nil, passing: Int32? = nil
    ) throws -> Child {
        let drop = ["/usr/bin/setpriv", "--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups"]
        let program = words[0].hasPrefix("/") ? words[0] : programs.path + "/" + words[0]
        let inside = entering + drop + [program] + words.dropFirst()
        guard let input else { return try Child("/usr/bin/nsenter", inside, environment: environment, passing: passing) }
        let script = ["-c", "exec \"$@\" <&3 3<&-", "sh", "/usr/bin/nsenter"] + inside
        return try Child("/bin/sh", script, environment: environment, passing: input)
    }

    /// A path of this machine's as the tests outside see it.
    func outside(_ path: String) -> String { "/proc/\(holder.processIdentifier)/root\(path)" }

    /// An app of this user's, in the user's own group or in another.
    func speaker(_ uid: UInt32, _ environment: [String: String] = [:], in group: UInt32? = nil) throws -> Speaker {
        try Speaker([programs.path + "/thumbturn-test-client"], as: uid, environment, in: group, entering: entering)
    }

    /// The group by which root vouches for what shows windows on this machine.
    static let windows: UInt32 = 64_991

    func vouchForWindows() throws {
        let line = "\(Self.windows) window /usr/libexec/thumbturn/thumbturn-window-launcher"
        try inside("mkdir -p /etc/thumbturn && echo '\(line)' > /etc/thumbturn/protected && chmod 644 /etc/thumbturn/protected")
    }

    /// What the attacker's program makes of it.
    func attack(_ words: String, as uid: UInt32) throws -> Attacker.Outcome {
        switch try attempt("exec \(programs.path)/thumbturn-test-attacker \(words)", as: uid) {
        case 0: .succeeded
        case 1: .failed
        case let status: .unclear(status)
        }
    }
}
