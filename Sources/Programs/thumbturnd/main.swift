import CThumbLinux
import ThumbCommands
import ThumbDaemonProcess
import ThumbLoop

// The daemon: reads its arguments, hardens itself, builds the one device and serves it.

/// Ends with what is wrong with the command line.
func refuse(_ message: String) -> Never {
    Output.error("thumbturnd: \(message)")
    Output.error("  " + Misuse.advice(["thumbturnd"]))
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

switch arguments.job {
case .launch: exit(Launcher.launch(arguments, .taken()))
case .recover, .acceptLosses:
    let user = UserPlaces.taken()
    Hardening.apply()
    exit(Mending.run(arguments, user))
case .serve:
    let (manager, user) = (ServiceManager.taken(), UserPlaces.taken())
    Hardening.apply()
    if let uid = arguments.device {
        RunningDevice.start(uid, arguments, manager, user)
    } else {
        RunningDaemon.start(arguments, manager, user)
    }
    // The loop's thread does everything; this one only lives as long as the process.
    while true { pause() }
}
