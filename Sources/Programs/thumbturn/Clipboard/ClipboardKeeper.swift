import CThumbLinux
import ThumbCommands
import ThumbSystem

/// `thumbturn keep-clipboard`: takes the clipboard with one of the tools, and clears it after a while if it is still ours. It outlives the
/// command that started it, and never sees the secret: the tool reads it from the standard input that it inherits.
///
/// It is still ours as long as the tool runs, because each tool ends when another program takes the clipboard.
enum ClipboardKeeper {
    /// What it writes to standard output when the clipboard has the secret.
    static let report: [UInt8] = Array("1".utf8)
    /// How many seconds a tool has to end when it is told to.
    private static let secondsToEnd = 2

    private static let name = "keep-clipboard"

    static func words(_ tool: ClipboardTool, _ seconds: Int) -> [String] { [name, tool.rawValue, "\(seconds)"] }

    static let command = Command(
        name, "hold the clipboard for a while",
        operands: [
            Operand(.choice("TOOL", ClipboardTool.allCases.map(\.rawValue)), "the program that holds it"),
            Operand(.number("SECONDS", Clipboard.seconds), "for how long"),
        ], isHidden: true
    ) { invocation throws(Failure) in
        // Parsing accepts nothing else.
        guard let tool = ClipboardTool(rawValue: invocation.operands[0]), let seconds = Int(invocation.operands[1]) else {
            return Outcome(handedOn: Exit.failed.rawValue)
        }
        do throws(SystemError) {
            if tool.keepsFile { try keep(tool, seconds, in: folder()) } else { try keep(tool, seconds) }
        } catch {
            throw .secret(.clipboardFailed)
        }
        return Outcome(handedOn: Exit.done.rawValue)
    }

    private static func folder() throws(SystemError) -> MemoryFolder {
        do throws(Failure) { return try MemoryFolder.made() } catch { throw SystemError(ENOTSUP) }
    }

    /// The tool's file is removed with the folder, whatever the tool does.
    private static func keep(_ tool: ClipboardTool, _ seconds: Int, in folder: borrowing MemoryFolder) throws(SystemError) {
        _ = unsafe setenv("TMPDIR", folder.path, 1)
        try keep(tool, seconds)
    }

    private static func keep(_ tool: ClipboardTool, _ seconds: Int) throws(SystemError) {
        // What the tool leaves in the background becomes this process's child.
        _ = thumb_prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        let children = ChildSignals()
        let status = try start(tool.words, input: 0).wait()
        guard status == 0 else { throw SystemError(ECANCELED) }
        try Transfer.write(report, to: 1)
        // The command may be in a pipe, whose reader waits until nobody can write into it any more.
        detach()
        if children.areGone(within: seconds) { return }
        if let words = tool.clearingWords { _ = try start(words, input: nil).wait() }
        if children.areGone(within: tool.clearingWords == nil ? 0 : secondsToEnd) { return }
        for signal in [SIGTERM, SIGKILL] {
            for child in ChildSignals.children { kill(child, signal) }
            if children.areGone(within: secondsToEnd) { return }
        }
    }

    private static func start(_ words: [String], input: Int32?) throws(SystemError) -> Child {
        try Spawn(words[0], words, environment: .own, descriptors: .only([input])).start()
    }

    /// Lets go of everything that was inherited, the end of the pipe with the secret first of all.
    private static func detach() {
        let null = unsafe thumb_open("/dev/null", O_RDWR, 0)
        for number in Int32(0)..<3 { _ = dup2(null, number) }
        close(null)
    }
}

/// The ends of this process's children, waited for with a limit.
final class ChildSignals {
    /// Readable when a child has ended.
    private let ends: Int32

    /// From here on children that end are noticed.
    init() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGCHLD)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        ends = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    }

    deinit { close(ends) }

    /// Waits until there are no children any more; false if there still are some after that time. The time runs on while the machine sleeps.
    func areGone(within seconds: Int) -> Bool {
        if haveEnded { return true }
        // A timer that is set to 0 never rings.
        guard seconds > 0 else { return false }
        let timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC))
        defer { close(timer) }
        var time = itimerspec(it_interval: timespec(), it_value: timespec(tv_sec: seconds, tv_nsec: 0))
        guard unsafe timerfd_settime(timer, 0, &time, nil) == 0 else { return false }
        while true {
            var waits = [timer, ends].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            do throws(SystemError) { _ = try polled(&waits, milliseconds: -1) } catch { return false }
            var signal = signalfd_siginfo()
            if waits[1].revents != 0 { _ = unsafe read(ends, &signal, MemoryLayout<signalfd_siginfo>.size) }
            if haveEnded { return true }
            if waits[0].revents != 0 { return false }
        }
    }

    /// Whether there are no children any more.
    private var haveEnded: Bool {
        var status: Int32 = 0
        var ended: pid_t
        repeat { ended = uninterrupted { unsafe waitpid(-1, &status, WNOHANG) } } while ended > 0
        return ended < 0
    }

    /// The children that there are now. Only the first thread has any.
    static var children: [pid_t] {
        guard let text = Transfer.file("/proc/self/task/\(getpid())/children", atMost: listBytes) else { return [] }
        return text.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }

    /// More than a clipboard's tool ever starts.
    private static let listBytes = 1 << 16
}
