internal import CThumbLinux
internal import ThumbturnSimulator

// A simulated device in a process of its own, for `thumbturn simulate`. The real daemon is another program and can't become one.

let settings: Settings
do {
    settings = try Settings(Array(CommandLine.arguments.dropFirst()))
} catch {
    Control.say("thumbturn-simulator: \(error.message)", to: 2)
    exit(64)
}
thumb_ignore_signal(SIGPIPE)

let device = SimulatedDevice(biometry: settings.biometry, enrolled: settings.enrolled, passcode: settings.passcode)
device.accessGroups = settings.accessGroups
if settings.answers.isEmpty { device.approveEverything() }
for answer in settings.answers { device.answer(answer) }
guard device.listen(at: settings.folder + "/socket"), let control = Control(device, at: settings.folder + "/control") else {
    Control.say("thumbturn-simulator: the sockets can't be made in that folder", to: 2)
    exit(73)
}
// Whoever started us waits for this line, and ends us by closing our standard input.
Control.say("ready", to: 1)
control.serve(until: 0)
device.uninstall()
