import CThumbLinux
import ThumbClient
import ThumbSystem

/// A simulated device in its own process and folder. It ends when its standard input closes, so it never outlives the program that started
/// it, however that one ends.
final class Simulator {
    /// Longest wait for it to end before it is killed. It has a store to close and a folder to remove.
    private static let millisecondsToEnd: Int32 = 10_000
    /// Longest first line.
    private static let lineBytes = 1024

    private let folder: TemporaryFolder
    private let process: Child
    /// The device ends when this is closed.
    private var input: Descriptor?
    /// Its output, which closes when the process ends.
    private let output: Descriptor
    private var isStopped = false

    /// The variables by which a simulator finds this machine's device, to be as strict as that.
    private static let places = [
        "THUMBTURN_SOCKET", "THUMBTURN_LIBEXEC", "THUMBTURN_STATE", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "HOME",
    ]

    private static var machine: [String] {
        places.compactMap { name in unsafe thumb_secure_getenv(name).map { unsafe "\(name)=\(String(cString: $0))" } }
    }

    init(_ settings: [String]) throws(Failure) {
        guard let program = Installed.program("thumbturn-simulator") else {
            throw .programMissing("thumbturn-simulator", code: "noSimulator")
        }
        do throws(SystemError) { folder = try TemporaryFolder("thumbturn-simulate-") } catch { throw .noTemporaryFolder }
        do throws(SystemError) {
            let into = try PipeEnds()
            let out = try PipeEnds()
            process = try Spawn(
                program, ["thumbturn-simulator", "--folder", folder.path] + settings,
                // Its store belongs into the folder too. Whichever of the two processes ends last removes the folder.
                environment: .only(["TMPDIR=" + folder.path] + (settings.contains("this-machine") ? Self.machine : [])),
                descriptors: .only([into.reading.number, out.writing.number, 2]),
                // It must not get the terminal's signals.
                hasOwnSession: true
            ).start()
            input = into.takenWriting()
            output = out.takenReading()
        } catch {
            folder.remove()
            throw .simulatorNotStarted
        }
        try awaitReady()
    }

    deinit { stop() }

    private func awaitReady() throws(Failure) {
        var line: [UInt8] = []
        do throws(SystemError) {
            while line.count < Self.lineBytes, let byte = try Transfer.bytes(from: output.number, count: 1).first, byte != 0x0a {
                line.append(byte)
            }
        } catch {
            throw .simulatorNotStarted
        }
        let said = String(decoding: line, as: UTF8.self)
        if said == "ready" { return }
        let problem = "error: "
        throw said.hasPrefix(problem)
            ? .usage(.simulator(String(said.dropFirst(problem.count))), Simulate.path) : .simulatorNotStarted
    }

    /// Whether its process has ended, or ends within this many milliseconds.
    private func hasEnded(within milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wait, 1, milliseconds) == 1
    }

    private func stop() {
        if isStopped { return }
        isStopped = true
        input = nil
        if !hasEnded(within: Self.millisecondsToEnd) { process.kill() }
        _ = process.wait()
        folder.remove()
    }
}

// Runs a program with the device.
extension Simulator {
    /// Runs the program to its end and returns its exit status. Signals that are sent to us are passed on to it.
    func run(_ words: [String]) throws(Failure) -> Int32 {
        unsafe setenv("THUMBTURN_SOCKET", folder.path + "/socket", 1)
        unsafe setenv("THUMBTURN_SIMULATOR", folder.path + "/control", 1)
        let signals = HandedOnSignals()
        CoreFiles.allowAsBefore()
        var program = Spawn(words[0], words, environment: .own, descriptors: .own)
        program.blocked = signals.before
        let child: Child
        do throws(SystemError) { child = try program.start() } catch {
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

    /// Waits until the child has ended. Returns whether the device was there until then.
    private func wait(for child: Child, _ signals: HandedOnSignals) -> Bool {
        let end = pidfd_open(child.pid, 0)
        defer { close(end) }
        var isThere = true
        while true {
            var waits = [end, signals.descriptor, isThere ? output.number : -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if unsafe poll(&waits, 3, -1) < 0 { continue }
            if waits[1].revents != 0 { signals.handOn(to: child.pid) }
            if waits[2].revents != 0 { isThere = false }
            if waits[0].revents != 0 { return isThere && !hasEnded(within: 0) }
        }
    }
}
