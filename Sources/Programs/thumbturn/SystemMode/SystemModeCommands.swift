import CThumbLinux
import ThumbCommands
import ThumbProtectedPrograms

/// `thumbturn system-mode`
enum SystemModeCommands {
    static let command = Command(
        "system-mode", "give each user a sandboxed daemon, out of reach of their own programs",
        discussion: [
            "In user mode each user's daemon runs as that user. It protects their items from a stolen disk and from other users, "
                + "but not from their own programs. In system mode each user's daemon runs in a sandbox, as a user that systemd "
                + "makes for it, and is out of reach of their own programs too.",
            "Each mode has stores of its own, and nothing is moved or removed when you switch. After switching system mode on, "
                + "each user sets a passcode, and `thumbturn migrate` copies the items of their own daemon.",
        ],
        examples: [
            Example("Switch it on, and see that it is", "sudo thumbturn system-mode on", "thumbturn system-mode status"),
            Example(
                "Switch it on in an image of a system, before that has ever run", "thumbturn system-mode on --root /mnt/image"),
        ],
        subcommands: [on, off, status])

    private static let on = Command(
        "on", "give each user a sandboxed daemon (as root)",
        discussion: [
            "From then on programs ask the system service and nothing else, only Thumbturn's own prompts show its questions, and "
                + "systemd starts the service when a program asks. It stays so when the machine starts again and when Thumbturn "
                + "is upgraded."
        ],
        options: [root], examples: [Example("Switch it on", "sudo thumbturn system-mode on")]
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
            "Stops the daemons. The stores stay below /var/lib/thumbturn and are used again when you switch system mode on. To "
                + "move items to your own daemon, export them first, with `thumbturn export`."
        ],
        options: [root],
        examples: [
            Example(
                "Take your items along", "thumbturn export mine.backup", "sudo thumbturn system-mode off",
                "thumbturn import mine.backup")
        ]
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
        "status", "show which mode this machine is in", options: [root],
        exits: [ExitStatus(0, "system mode is on"), ExitStatus(1, "system mode is off, or its daemon's socket isn't there")],
        examples: [Example("Switch it on where it is off", "thumbturn system-mode status || sudo thumbturn system-mode on")]
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
