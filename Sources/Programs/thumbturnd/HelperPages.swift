import ThumbCommands

/// The man pages of the programs that the daemon and the command line start. People don't pass them options.
enum HelperPages {
    static let all = [prompt, window, launcher, passcode, simulator, secretService, signIn]

    private static let prompt = FurtherPage(
        "thumbturn-prompt", section: 8, "Thumbturn's question in a terminal",
        paragraphs: [
            "A program that asks for its owner starts this one on its own terminal. It shows what the daemon says, and sends the "
                + "daemon what you type. It decides nothing.",
            "In system mode the program has a group of its own, by which the daemon recognizes it. `thumbturn doctor` says when "
                + "it has lost that group.",
        ],
        seeAlso: ["thumbturn(1)", "thumbturn-protect(1)", "thumbturn-window(8)"])

    private static let window = FurtherPage(
        "thumbturn-window", section: 8, "Thumbturn's question in a window",
        synopsis: ["thumbturn-window --agent [--socket PATH]"],
        paragraphs: [
            "The user's systemd starts it when a program of the graphical session has something to ask, and it ends a minute after the last "
                + "question. `systemctl --user status thumbturn-window.socket` says whether it can be started.",
            "Run `thumbturn verify` with THUMBTURN_PROMPT=window to see it.",
        ],
        seeAlso: ["thumbturn(1)", "thumbturn-window-launcher(8)"])

    private static let launcher = FurtherPage(
        "thumbturn-window-launcher", section: 8, "start the window with the group by which the daemon recognizes it",
        synopsis: ["thumbturn-window-launcher --agent"],
        paragraphs: [
            "In system mode this program has a group that root gave it. It drops all but a few plain variables of the user's "
                + "environment and executes the window. In user mode it only starts the window.",
            "It exits with 64 if its arguments are wrong, 77 if it lacks the group that it should have, and 78 if the window "
                + "isn't installed beside it.",
        ],
        seeAlso: ["thumbturn-window(8)", "thumbturn-protect(1)"])

    private static let passcode = FurtherPage(
        "thumbturn-passcode", section: 8, "check an account's password, or a face, through PAM",
        synopsis: ["thumbturn-passcode [--face]"],
        paragraphs: [
            "The daemon has a service manager start one for each question, with a socket as standard input. It runs PAM's "
                + "modules. These are other people's code, so they don't run in a process that holds keys. It reports the result "
                + "and ends."
        ],
        seeAlso: ["thumbturn-pam(5)", "thumbturn-face-models(5)", "thumbturnd(8)", "pam(8)"])

    private static let simulator = FurtherPage(
        "thumbturn-simulator", section: 8, "a device with a scripted finger",
        paragraphs: [
            "`thumbturn simulate` starts it in a temporary folder and ends it with the program that runs on it. It reaches no real device and no "
                + "store of anybody's."
        ],
        seeAlso: ["thumbturn-simulate(1)"])

    private static let secretService = FurtherPage(
        "thumbturn-secret-service", section: 8, "read the items of the desktop's keyring",
        paragraphs: [
            "`thumbturn import --from secret-service` starts it. It asks the Secret Service of the session for the items, which "
                + "any program of the user could, and passes them on. It changes nothing there."
        ],
        seeAlso: ["thumbturn-import(1)"])

    private static let signIn = FurtherPage(
        "thumbturn-sign-in", section: 8, "talk to a sign-in server",
        paragraphs: [
            "`thumbturn sign-in` executes this program in its own place after it has read the command line and the password. It "
                + "speaks HTTP with the server, and asks the daemon for each signature."
        ],
        seeAlso: ["thumbturn-sign-in(1)", "thumbturn-server(8)"])
}
