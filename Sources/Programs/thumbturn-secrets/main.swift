import CThumbLinux
import ThumbDaemonProcess
import ThumbLoop

// Answers as the Secret Service on the user's session bus: reads its arguments, hardens itself, and serves.

let arguments = ProcessLine.read(Arguments.program)
let manager = ServiceManager.taken()
let isStarted = RunningProvider.isStartedByTheBus
let place = RunningProvider.testDevice
Hardening.apply(.kept)
RunningProvider.keep(place)
RunningProvider.start(arguments, manager, isStartedByTheBus: isStarted)
// The loop's thread does everything. This thread only keeps the process alive.
while true { pause() }
