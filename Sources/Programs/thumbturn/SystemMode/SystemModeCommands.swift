import CThumbLinux
import ThumbCommands
import ThumbProtectedPrograms

/// `thumbturn system-mode`
enum SystemModeCommands {
    static let command = Command(
        "system-mode", "serve every user of this machine with one daemon, or stop doing so",
        discussion: [
            "In user mode each user has a daemon of their own, which protects what it keeps from a stolen disk and from other users. In system "
                + "mode one service keeps a store for each user, out of reach of the users' own programs.",
            "Each mode has stores of its own, and nothing is moved or removed when you switch. After switching system mode on, each user sets a "
                + "passcode, and `thumbturn migrate` brings along what their own daemon keeps.",
        ],
        examples: [
            Example("Switch it on, and see that it is", "sudo thumbturn system-mode on", "thumbturn system-mode status"),
            Example(
                "Switch it on in an image of a system, before that has ever run", "thumbturn system-mode on --root /mnt/image"),
        ],
        subcommands: [on, off, status])

    private static let on = Command(
        "on", "serve every user with one daemon (as root)",
        discussion: [
            "Tells programs to ask the system's daemon and no other, lets Thumbturn's own prompts show its questions, and has systemd start the "
                + "daemon when a program asks. It stays so when the machine starts again and when Thumbturn is upgraded."
        ],
        options: [root]
    ) { invocation throws(Failure) in
        let machine = try machine(invocation)
        do throws(SystemModeFailure) {
            try machine.switchOn()
        } catch {
            throw .systemMode(error)
        }
        return outcome(isOn: true, isListening: nil, notice: .systemModeSwitchedOn)
    }

    private static let off = Command(
        "off", "let each user have a daemon of their own again (as root)",
        discussion: [
            "Stops the system's daemon. What it keeps for its users stays below /var/lib/thumbturn, and is there again when you switch system "
                + "mode on. To take something along to a user's own daemon, that user exports it first, with `thumbturn export`."
        ],
        options: [root]
    ) { invocation throws(Failure) in
        let machine = try machine(invocation)
        do throws(SystemModeFailure) {
            try machine.switchOff()
        } catch {
            throw .systemMode(error)
        }
        return outcome(isOn: false, isListening: nil, notice: .systemModeSwitchedOff)
    }

    private static let status = Command(
        "status", "tell which mode this machine is in", options: [root],
        exits: [ExitStatus(0, "system mode is on"), ExitStatus(1, "system mode is off, or its daemon's socket isn't there")]
    ) { invocation throws(Failure) in
        let machine = try ModeSwitch(root: invocation.value(root))
        // Nothing runs of a system in a folder.
        let isListening = machine.isElsewhere ? nil : machine.isOn && machine.isListening
        guard machine.isOn else {
            return outcome(isOn: false, isListening: isListening, notice: .systemModeIsOff, exit: .no)
        }
        return isListening == false
            ? outcome(isOn: true, isListening: false, notice: .systemModeIsDown, exit: .no)
            : outcome(isOn: true, isListening: isListening, notice: .systemModeIsOn)
    }

    private static let root = Option(
        "root", "work on a system that lies in this folder, where nothing is started or stopped", .folder("FOLDER"))

    private static func machine(_ invocation: Invocation) throws(Failure) -> ModeSwitch {
        guard geteuid() == 0 else { throw .systemMode(.notRoot(invocation.path.joined(separator: " "))) }
        return try ModeSwitch(root: invocation.value(root))
    }

    private static func outcome(isOn: Bool, isListening: Bool?, notice: Notice, exit: Exit = .done) -> Outcome {
        let listening = isListening.map { [("isListening", JSON.flag($0))] } ?? []
        return Outcome(
            notice, json: .object([("systemMode", .object([("isOn", .flag(isOn))] + listening))]), exit: exit)
    }
}
