import CThumbLinux
import ThumbDaemonProcess
import ThumbLoop

// The daemon: reads its arguments, hardens itself, builds the one device and serves it.

let arguments = ProcessLine.read(Arguments.Line.program)

switch arguments.job {
case .launch: exit(Launcher.launch(arguments, .taken()))
case .recover, .acceptLosses:
    let user = UserPlaces.taken()
    Hardening.apply(.givenUp)
    exit(Mending.run(arguments, user))
case .serve:
    let (manager, user) = (ServiceManager.taken(), UserPlaces.taken())
    Hardening.apply(.givenUp)
    if let uid = arguments.device {
        RunningDevice.start(uid, arguments, manager, user)
    } else {
        RunningDaemon.start(arguments, manager, user)
    }
    // The loop's thread does everything. This thread only keeps the process alive.
    while true { pause() }
}
