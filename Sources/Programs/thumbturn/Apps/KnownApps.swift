import ThumbAccess
import ThumbClient

/// The owner's answers about apps: changing and printing them.
enum KnownApps {
    static func all() throws(Failure) -> [KnownApp] {
        do throws(KeychainFailure) {
            return try DeviceClient.shared.apps()
        } catch {
            throw Failure(error, about: .apps)
        }
    }

    static func judge(
        _ app: ExactName, _ wish: AppWish, _ verdict: AppVerdict?, _ item: NamedItem? = nil
    ) throws(Failure) -> Outcome {
        do throws(KeychainFailure) {
            try DeviceClient.shared.judge(app, verdict, on: wish)
        } catch .itemNotFound {
            throw .appNotFound(app: app.text, wish: words(wish, item))
        } catch {
            throw Failure(changing: .apps, error)
        }
        let notice: Notice =
            switch verdict {
            case .allowed, .noted: .appMay(app.text, wish: words(wish, item))
            case .denied: .appMayNot(app.text, wish: words(wish, item))
            case nil: .appForgotten(app.text, wish: words(wish, item))
            }
        return Outcome(
            notice,
            json: .object(
                [("app", .text(app.text))] + wanted(wish, item) + [("verdict", verdict.map { .text(name($0)) } ?? .null)]))
    }

    static func row(_ known: KnownApp, _ items: [ExactName: NamedItem]) -> [String] {
        [
            SafeText(shown(known), limit: 60).description,
            CallerClasses.named(SafePath(ExactName(known.name), limit: 60).description, known.kind),
            words(known.wish, item(known.wish, items)),
            name(known.verdict), Dates.local(known.date),
        ]
    }

    static func json(_ known: KnownApp, _ items: [ExactName: NamedItem]) -> JSON {
        .object(
            [
                ("app", .text(known.app.text)), ("name", .text(known.name)), ("class", .text(CallerClasses.name(known.kind))),
            ] + wanted(known.wish, item(known.wish, items)) + [
                ("verdict", .text(name(known.verdict))), ("decided", .text(Dates.universal(known.date))),
            ])
    }

    /// The decision about an item that the command line means: the app as the list shows it, or its whole identity.
    static func reader(_ app: String, of item: NamedItem) throws(Failure) -> ExactName {
        let about = try all().filter { $0.wish == item.wish }
        if about.contains(where: { $0.app == ExactName(app) }) { return ExactName(app) }
        let shown = about.filter { ExactName(Self.shown($0)) == ExactName(app) }
        guard shown.count == 1 else { return ExactName(app) }
        return shown[0].app
    }

    /// The app as the list shows it. A reader's digests are left out, because nobody would read or type them.
    private static func shown(_ known: KnownApp) -> String {
        if case .keptItem = known.wish { KeptItem.words(of: known.app, limit: .max) } else { known.app.text }
    }

    private static func item(_ wish: AppWish, _ items: [ExactName: NamedItem]) -> NamedItem? {
        if case .keptItem(let id) = wish { items[id] } else { nil }
    }

    static func words(_ wish: AppWish, _ item: NamedItem? = nil) -> String {
        switch wish {
        case .face: "face recognition"
        case .group(let group): "group '\(SafeText(group.text, limit: 60))'"
        case .program(let path): "its name in \(SafePath(path, limit: 60))"
        case .folder(let path): "its name in programs below \(SafePath(path, limit: 60))"
        case .keptItem(let id): "item '\(item?.shown ?? SafeText(id.text, limit: 60).description)'"
        }
    }

    private static func wanted(_ wish: AppWish, _ item: NamedItem?) -> [(String, JSON)] {
        switch wish {
        case .face: [("wants", .text("face"))]
        case .group(let group): [("wants", .text("group")), ("group", .text(group.text))]
        case .program(let path): [("wants", .text("program")), ("program", .text(path.text))]
        case .folder(let path): [("wants", .text("folder")), ("folder", .text(path.text))]
        case .keptItem(let id):
            [("wants", .text("item")), ("item", .text(id.text)), ("label", item.map { .text($0.label) } ?? .null)]
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
