internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let apps: Command = .init(
        name: "apps", summary: "list the apps that asked for face recognition, and change what they may",
        discussion: [
            "Lists the apps that the owner was asked about when they first wanted face recognition, and what was answered. "
                + "'allow', 'deny' and 'forget' change it, after the passcode.",
            "An app is called here by what it says of itself: its bundle identifier or its path. Another program of the same user "
                + "can say the same.",
        ],
        subcommands: [appsAllow, appsDeny, appsForget]
    ) { _ throws(Failure) in
        try Device.connect()
        let apps = try KnownApps.all()
        let heads = ["APP", "NAME", "FACE", "DECIDED"]
        return Outcome(
            apps.isEmpty ? [] : Columns.lines([heads] + apps.map(KnownApps.row)),
            json: .object([("apps", .list(apps.map(KnownApps.json)))]),
            notices: apps.isEmpty ? ["No app has asked for face recognition yet."] : [])
    }

    static let appsAllow = judging(
        "allow", .allowed, "let an app use face recognition", "From now on the app may use face recognition, unasked.")
    static let appsDeny = judging(
        "deny", .denied, "keep face recognition from an app",
        "From now on the app finds no sensor. It may still ask for the passcode.")
    static let appsForget = judging(
        "forget", nil, "forget what was said about an app",
        "The owner is asked again when the app next wants face recognition.")

    private static func judging(_ name: String, _ verdict: AppVerdict?, _ summary: String, _ effect: String) -> Command {
        Command(
            name: name, summary: summary,
            discussion: [effect, "Asks for the passcode first. Only an app that has asked already can be judged."],
            operands: [Operand(name: "APP", help: "the app, as 'thumbturn apps' lists it")]
        ) { invocation throws(Failure) in
            try Device.connect()
            return try KnownApps.judge(invocation.operands[0], verdict)
        }
    }
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

    static func judge(_ app: String, _ verdict: AppVerdict?) throws(Failure) -> Outcome {
        let shown = "app '\(SafeText(app, limit: 60))'"
        do throws(KeychainFailure) {
            try DeviceClient.shared.judge(app, verdict)
        } catch .itemNotFound {
            throw Failure(
                "appNotFound", .notFound, "no \(shown) has asked for face recognition",
                advice: "'thumbturn apps' lists those that have")
        } catch .authenticationFailed {
            throw Failure("authenticationFailed", .no, "the owner was not recognized; nothing was changed")
        } catch {
            throw Failure(error, shown)
        }
        let word = verdict.map(name) ?? "forgotten"
        return Outcome(
            ["\(word.prefix(1).uppercased() + word.dropFirst()): \(shown)"],
            json: .object([("app", .text(app)), ("verdict", verdict.map { .text(name($0)) } ?? .null)]))
    }

    static func row(_ known: KnownApp) -> [String] {
        [
            SafeText(known.app, limit: 60).description, SafeText(known.name, limit: 30).description, name(known.verdict),
            Dates.local(known.date),
        ]
    }

    static func json(_ known: KnownApp) -> JSON {
        .object([
            ("app", .text(known.app)), ("name", .text(known.name)), ("verdict", .text(name(known.verdict))),
            ("decided", .text(Dates.universal(known.date))),
        ])
    }

    private static func name(_ verdict: AppVerdict) -> String {
        switch verdict {
        case .allowed: "allowed"
        case .denied: "denied"
        }
    }
}
