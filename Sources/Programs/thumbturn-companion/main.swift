import CThumbLinux
import ThumbDaemonProcess

// Carries sealed frames between this user's daemon and the user's other machines; or pairs one. Everything that it carries is sealed by the
// two daemons, so it keeps nothing secret and stays visible, as a program that a prompt names has to.

thumb_ignore_signal(SIGPIPE)
switch ProcessLine.read(Arguments.program) {
case .carry(let address, let port): Carrying.run(address: address, port: port)
case .pair(let place, let wish): Pairing.pair(place, wish)
case .wait(let port, let wish): Pairing.wait(port: port, wish)
}
