import CThumbLinux
import ThumbturnSimulator

// A simulated device in its own process, for `thumbturn simulate`. The real daemon is another program and can't become a simulated one.

// The program that started us waits for the first line: `ready`, or what went wrong. It ends us by closing our standard input.
func end(_ status: Int32, _ problem: String) -> Never {
    Control.say("error: \(problem)", to: 1)
    exit(status)
}

let settings: Settings
do {
    settings = try Settings(Array(CommandLine.arguments.dropFirst()))
} catch {
    end(64, error.message)
}
thumb_ignore_signal(SIGPIPE)

if let problem = settings.machine?.problem { end(69, "this machine's device can't be asked: \(problem)") }
let device =
    settings.machine.map { SimulatedDevice(as: $0, enrolled: settings.enrolled, passcode: settings.passcode) }
    ?? SimulatedDevice(biometry: settings.biometry ?? .touchID, enrolled: settings.enrolled, passcode: settings.passcode)
device.accessGroups = settings.accessGroups
device.bundleIdentifier = settings.bundleID
if settings.answers.isEmpty { device.approveEverything() }
for answer in settings.answers { device.answer(answer) }
guard device.listen(at: settings.folder + "/socket"), let control = Control(device, at: settings.folder + "/control") else {
    device.uninstall()
    end(73, "the sockets can't be made in that folder")
}
Control.say("ready", to: 1)
control.serve(until: 0)
device.uninstall()
// The program that started us may be gone, and then can't clean up.
for name in ["/socket", "/control", ""] { _ = unsafe remove(settings.folder + name) }
