internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let apps: Command = .init(
        name: "apps", summary: "list the apps that wanted something of the owner, and change what they may",
        discussion: [
            "Lists the apps that the owner was asked about when they first wanted face recognition, or an access group that another "
                + "program made, and what was answered. 'allow', 'deny' and 'forget' change it, after the passcode.",
            "An app is called here by what it says of itself: its bundle identifier or its path. The first program that uses a bundle "
                + "identifier is noted; when another one says the same, the owner is asked. One in a sandbox is called as the sandbox "
                + "calls it.",
        ],
        subcommands: [appsAllow, appsDeny, appsForget]
    ) { _ throws(Failure) in
        try Device.connect()
        let apps = try KnownApps.all()
        let heads = ["APP", "NAME", "WANTS", "WORD", "DECIDED"]
        return Outcome(
            apps.isEmpty ? [] : Columns.lines([heads] + apps.map(KnownApps.row)),
            json: .object([("apps", .list(apps.map(KnownApps.json)))]),
            notices: apps.isEmpty ? ["No app has asked for anything yet."] : [])
    }

    static let appsAllow = judging(
        "allow", .allowed, "let an app use face recognition, or a group",
        "From now on the app may use face recognition, or with --group that access group, unasked.")
    static let appsDeny = judging(
        "deny", .denied, "keep face recognition, or a group, from an app",
        "From now on the app finds no sensor (it may still ask for the passcode), or with --group nothing in that access group.")
    static let appsForget = judging(
        "forget", nil, "forget what was said about an app",
        "The owner is asked again when the app next wants face recognition, or with --group that access group.")

    private static func judging(_ name: String, _ verdict: AppVerdict?, _ summary: String, _ effect: String) -> Command {
        Command(
            name: name, summary: summary,
            discussion: [effect, "Asks for the passcode first. Only an app that has asked already can be judged."],
            operands: [Operand(name: "APP", help: "the app, as 'thumbturn apps' lists it")],
            options: [.group, .program, .folder]
        ) { invocation throws(Failure) in
            try Device.connect()
            let wishes: [AppWish] = [
                invocation.value(.group).map { .group(ExactName($0)) },
                invocation.value(.program).map { .program(ExactName($0)) },
                invocation.value(.folder).map { .folder(ExactName($0)) },
            ].compactMap { $0 }
            guard wishes.count < 2 else { throw .usage("--group, --program and --folder exclude each other", invocation.path) }
            return try KnownApps.judge(ExactName(invocation.operands[0]), wishes.first ?? .face, verdict)
        }
    }
}

extension Command.Option {
    static let group = Command.Option(
        name: "group", help: "an access group that another program made; face recognition unless told", value: .text("GROUP"))
    static let program = Command.Option(
        name: "program", help: "a program that goes on under that name, by its path", value: .text("PATH"))
    static let folder = Command.Option(
        name: "folder", help: "a folder whose programs go on under that name", value: .text("PATH"))
}

/// The owner's word about apps, as it is printed.
private enum KnownApps {
    static func all() throws(Failure) -> [KnownApp] {
        do throws(KeychainFailure) {
            return try DeviceClient.shared.apps()
        } catch {
            throw Failure(error, "list of apps")
        }
    }

    static func judge(_ app: ExactName, _ wish: AppWish, _ verdict: AppVerdict?) throws(Failure) -> Outcome {
        let shown = "app '\(SafeText(app.text, limit: 60))'"
        do throws(KeychainFailure) {
            try DeviceClient.shared.judge(app, verdict, on: wish)
        } catch .itemNotFound {
            throw Failure(
                "appNotFound", .notFound, "no \(shown) has asked for \(thing(wish))",
                advice: "'thumbturn apps' lists those that have")
        } catch .authenticationFailed {
            throw Failure("authenticationFailed", .no, "the owner was not recognized; nothing was changed")
        } catch {
            throw Failure(error, shown)
        }
        let word = verdict.map(name) ?? "forgotten"
        return Outcome(
            ["\(word.prefix(1).uppercased() + word.dropFirst()): \(shown)" + (wish == .face ? "" : ", \(thing(wish))")],
            json: .object(
                [("app", .text(app.text))] + wanted(wish) + [("verdict", verdict.map { .text(name($0)) } ?? .null)]))
    }

    static func row(_ known: KnownApp) -> [String] {
        [
            SafeText(known.app.text, limit: 60).description,
            CallerClasses.named(SafePath(ExactName(known.name), limit: 60).description, known.kind), thing(known.wish),
            name(known.verdict),
            Dates.local(known.date),
        ]
    }

    static func json(_ known: KnownApp) -> JSON {
        .object(
            [
                ("app", .text(known.app.text)), ("name", .text(known.name)), ("class", .text(CallerClasses.name(known.kind))),
            ] + wanted(known.wish) + [
                ("verdict", .text(name(known.verdict))), ("decided", .text(Dates.universal(known.date))),
            ])
    }

    private static func thing(_ wish: AppWish) -> String {
        switch wish {
        case .face: "face recognition"
        case .group(let group): "group '\(SafeText(group.text, limit: 60))'"
        case .program(let path): "the name, for \(SafePath(path, limit: 60))"
        case .folder(let path): "the name, for programs in \(SafePath(path, limit: 60))"
        }
    }

    private static func wanted(_ wish: AppWish) -> [(String, JSON)] {
        switch wish {
        case .face: [("wants", .text("face"))]
        case .group(let group): [("wants", .text("group")), ("group", .text(group.text))]
        case .program(let path): [("wants", .text("program")), ("program", .text(path.text))]
        case .folder(let path): [("wants", .text("folder")), ("folder", .text(path.text))]
        }
    }

    private static func name(_ verdict: AppVerdict) -> String {
        switch verdict {
        case .allowed: "allowed"
        case .denied: "denied"
        case .noted: "first to use it"
        }
    }
}
