import CThumbLinux
import ThumbDaemonProcess
import ThumbLoop

// Polkit's agent in a user's session: reads its arguments, hardens itself, and serves.

let arguments = ProcessLine.read(Arguments.program)
let manager = ServiceManager.taken()
let locale = RunningAgent.locale
Hardening.apply(.kept)
// The touch is lent to a helper by its number, which is the helper's own until it was waited for.
thumb_default_signal(SIGCHLD)
RunningAgent.start(arguments, manager, locale: locale)
// The loop's thread does everything. This thread only keeps the process alive.
while true { pause() }
