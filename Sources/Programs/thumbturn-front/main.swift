import CThumbLinux
import ThumbDaemonProcess
import ThumbLoop

// System mode's front: reads its arguments, hardens itself, and passes clients on to their users' devices.

let arguments = ProcessLine.read(Arguments.Line.program)
let manager = ServiceManager.taken()
Hardening.apply(.givenUp)
RunningFront.start(arguments, manager)
// The loop's thread does everything. This thread only keeps the process alive.
while true { pause() }
