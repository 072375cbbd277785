import CThumbLinux
import ThumbClient

/// A simulated device in a process and a folder of its own. It ends when its standard input does, so that it outlives nobody who
/// started it, however they end.
final class Simulator {
    /// Longest wait for its end before it is ended by force; it has a store to close and a folder to remove.
    private static let millisecondsToEnd: Int32 = 10_000
    /// Longest first line.
    private static let lineBytes = 1024

    private let folder: TemporaryFolder
    private let process: Spawned
    /// It ends when this is closed.
    private let input: Int32
    /// At its end when the process is.
    private let output: Int32
    private var isStopped = false

    init(_ settings: [String]) throws(Failure) {
        guard let program = Installed.program("thumbturn-simulator") else {
            throw .programMissing("thumbturn-simulator", code: "noSimulator")
        }
        var into: [Int32] = [-1, -1]
        var out: [Int32] = [-1, -1]
        guard unsafe thumb_pipe2(&into, O_CLOEXEC) == 0, unsafe thumb_pipe2(&out, O_CLOEXEC) == 0 else {
            throw .simulatorNotStarted
        }
        folder = try TemporaryFolder()
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        let started = try? Spawned(
            Spawned.Terms(
                program: program, arguments: ["thumbturn-simulator", "--folder", folder.path] + settings,
                // Its store belongs into the folder too: whoever of the two ends last removes it.
                environment: ["TMPDIR=" + folder.path], descriptors: (into[0], out[1]), blocked: blocked))
        close(into[0])
        close(out[1])
        (input, output) = (into[1], out[0])
        guard let started else {
            folder.remove()
            throw .simulatorNotStarted
        }
        process = started
        try awaitReady()
    }

    deinit { stop() }

    private func awaitReady() throws(Failure) {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < Self.lineBytes {
            let count = unsafe read(output, &byte, 1)
            if count < 0 && thumb_errno() == EINTR { continue }
            if count <= 0 || byte == 0x0a { break }
            line.append(byte)
        }
        let said = String(decoding: line, as: UTF8.self)
        if said == "ready" { return }
        let problem = "error: "
        throw said.hasPrefix(problem)
            ? .usage(.simulator(String(said.dropFirst(problem.count))), Simulate.path) : .simulatorNotStarted
    }

    /// Whether its process has ended, or ends before `milliseconds` are over.
    private func hasEnded(within milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wait, 1, milliseconds) == 1
    }

    private func stop() {
        if isStopped { return }
        isStopped = true
        close(input)
        if !hasEnded(within: Self.millisecondsToEnd) { kill(process.pid, SIGKILL) }
        _ = process.wait()
        close(output)
        folder.remove()
    }
}

// Running a program on it.
extension Simulator {
    /// Runs it to its end; its exit status. Signals that somebody sends to us are for it.
    func run(_ words: [String]) throws(Failure) -> Int32 {
        unsafe setenv("THUMBTURN_SOCKET", folder.path + "/socket", 1)
        unsafe setenv("THUMBTURN_SIMULATOR", folder.path + "/control", 1)
        let signals = HandedOnSignals()
        CoreFiles.allowAsBefore()
        let child: Spawned
        do throws(Spawned.Refused) {
            child = try Spawned(Spawned.Terms(program: words[0], arguments: words, blocked: signals.before))
        } catch {
            throw .notStarted(error.number)
        }
        let outlived = wait(for: child, signals)
        let status = child.wait()
        stop()
        guard outlived else {
            throw .simulatorEnded
        }
        return status
    }

    /// Waits until the child has ended; whether the device was there until then.
    private func wait(for child: Spawned, _ signals: HandedOnSignals) -> Bool {
        let end = pidfd_open(child.pid, 0)
        defer { close(end) }
        var isThere = true
        while true {
            var waits = [end, signals.descriptor, isThere ? output : -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if unsafe poll(&waits, 3, -1) < 0 { continue }
            if waits[1].revents != 0 { signals.handOn(to: child.pid) }
            if waits[2].revents != 0 { isThere = false }
            if waits[0].revents != 0 { return isThere && !hasEnded(within: 0) }
        }
    }
}
