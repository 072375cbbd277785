import CThumbLinux
import ThumbCommands
import ThumbDaemonProcess
import ThumbLoop

// System mode's front: reads its arguments, hardens itself, and passes clients on to their users' devices.

/// Ends with what is wrong with the command line.
func refuse(_ message: String) -> Never {
    Output.error("thumbturn-front: \(message)")
    Output.error("  " + Misuse.advice(["thumbturn-front"]))
    exit(64)
}

let arguments: Arguments
do throws(Misuse) {
    switch try Arguments.Line.program.read(Array(CommandLine.arguments.dropFirst())) {
    case .about(let about):
        Output.write(Arguments.Line.program.overview.text(about), to: 1)
        exit(0)
    case .work(let action, let given):
        do throws(Arguments.Problem) { arguments = try action(given) } catch { refuse(error.message) }
    }
} catch {
    refuse(error.message)
}
let manager = ServiceManager.taken()
Hardening.apply()
RunningFront.start(arguments, manager)
// The loop's thread does everything; this one only lives as long as the process.
while true { pause() }
