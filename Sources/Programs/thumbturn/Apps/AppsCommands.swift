import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn apps`
enum AppsCommands {
    static let command = Command(
        "apps", "list the apps that asked for something, and change what they may do",
        discussion: [
            "Lists the apps that you were asked about when they first wanted face recognition, or an access group that another program made, "
                + "and what you answered. It also lists the programs that may read a password that another program of your desktop saved. "
                + "`allow`, `deny` and `forget` change your answer, after the passcode.",
            "APP is what an app says of itself: its bundle identifier or its path. The first program that uses a bundle identifier is noted; "
                + "when another one uses the same, you are asked. An app in a sandbox has the name that the sandbox gives it.",
        ],
        examples: [
            Example(
                "See what you answered, and change one answer", "thumbturn apps", "thumbturn apps deny org.example.camera")
        ],
        subcommands: [allow, deny, forget]
    ) { _ throws(Failure) in
        try Daemon.connect()
        let apps = try KnownApps.all()
        let items = try KeptItems.named(in: apps)
        let heads = ["APP", "NAME", "WANTS", "ANSWER", "DECIDED"]
        return Outcome(
            lines: apps.isEmpty ? [] : Columns.lines([heads] + apps.map { KnownApps.row($0, items) }),
            json: .object([("apps", .list(apps.map { KnownApps.json($0, items) }))]), asides: apps.isEmpty ? [.noApps] : [])
    }

    private static let allow = judging(
        "allow", .allowed, "let an app use face recognition or an access group",
        "From now on the app can use face recognition, or with --group that access group, without asking you.",
        Example("Let an app use the camera", "thumbturn apps allow org.example.login"))
    private static let deny = judging(
        "deny", .denied, "keep an app from face recognition or from an access group",
        "From now on the app can't use face recognition, but can still ask for the passcode; with --group, it can't reach that "
            + "access group.",
        Example("Keep an app out of a group", "thumbturn apps deny org.example.reader --group org.example.mail"))
    private static let forget = judging(
        "forget", nil, "forget your answer about an app",
        "You are asked again when the app next wants face recognition, or with --group that access group.",
        Example(
            "Be asked again about another file that uses an app's name",
            "thumbturn apps forget org.example.login --program /opt/login/bin/login"))

    private static func judging(
        _ name: String, _ verdict: AppVerdict?, _ summary: String, _ effect: String, _ example: Example
    ) -> Command {
        Command(
            name, summary, discussion: [effect, "Asks for the passcode first. APP must be one that has asked already."],
            operands: [Operand(Names.Kind.apps.value("APP"), "the app, as `thumbturn apps` lists it")],
            options: [group, program, folder, item], examples: [example]
        ) { invocation throws(Failure) in
            try Daemon.connect()
            let item = try invocation.value(item).map { (name) throws(Failure) in try KeptItems.item(name) }
            let wishes: [AppWish] = [
                invocation.value(group).map { .group(ExactName($0)) },
                invocation.value(program).map { .program(ExactName($0)) },
                invocation.value(folder).map { .folder(ExactName($0)) }, item?.wish,
            ].compactMap { $0 }
            guard wishes.count < 2 else { throw .usage(.oneOf("--group, --program, --folder and --item"), invocation.path) }
            if let item {
                let app = try KnownApps.reader(invocation.operands[0], of: item)
                return try KnownApps.judge(app, item.wish, verdict, item)
            }
            return try KnownApps.judge(ExactName(invocation.operands[0]), wishes.first ?? .face, verdict)
        }
    }

    private static let group = Option(
        "group", "an access group that another program made, instead of face recognition", .text("GROUP"))
    private static let program = Option("program", "a program that uses the app's name, by its path", .file("PATH"))
    private static let item = Option(
        "item", "a password that another program saved, by its label or ID", .text("ITEM"))
    private static let folder = Option("folder", "a folder whose programs use the app's name", .folder("PATH"))
}
