import ThumbDaemonProcess
import ThumbLogging
import ThumbSystem

/// Starts the daemon in its own session and ends when it listens, so that the process that waits for us knows that it may connect.
enum Launcher {
    static func launch(_ arguments: Arguments, _ user: UserPlaces) -> Int32 {
        do throws(SystemError) {
            let pipe = try PipeEnds()
            // In its own session the daemon gets neither the terminal's signals nor its end.
            let child = try Spawn(
                "/proc/self/exe", words(arguments), environment: .only(user.variables),
                descriptors: .only([nil, nil, nil, pipe.writing.number]), hasOwnSession: true
            ).start()
            let ready = pipe.takenReading()
            if try Transfer.bytes(from: ready.number, count: 1).count == 1 { return 0 }
            // It ended without listening: because another one listens (0), or because it couldn't.
            guard case .exited(let status) = child.ending() else { return 70 }
            return status
        } catch {
            Output.error("thumbturnd: The daemon could not be started in the background.")
            return 71
        }
    }

    private static func words(_ arguments: Arguments) -> [String] {
        var words = ["thumbturnd", "--serve", "--ready-fd", "3", "--idle", "\(arguments.idleSeconds)"]
        if let socket = arguments.socket { words += ["--socket", socket] }
        if let state = arguments.state { words += ["--state", state] }
        if let protected = arguments.protected { words += ["--protected", protected] }
        if let tpm = arguments.tpm { words += ["--tpm", tpm] }
        if let bus = arguments.bus { words += ["--bus", bus] }
        if let owner = arguments.busOwner { words += ["--bus-owner", "\(owner)"] }
        if arguments.logForm != .logfmt { words += ["--log-format", arguments.logForm.rawValue] }
        if arguments.isSeatOpen { words += ["--seat", "open"] }
        if let templates = arguments.templates { words += ["--templates", templates] }
        return words
    }
}
