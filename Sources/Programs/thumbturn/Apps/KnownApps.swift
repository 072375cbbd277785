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

    static func judge(_ app: ExactName, _ wish: AppWish, _ verdict: AppVerdict?) throws(Failure) -> Outcome {
        do throws(KeychainFailure) {
            try DeviceClient.shared.judge(app, verdict, on: wish)
        } catch .itemNotFound {
            throw .appNotFound(app: app.text, wish: words(wish))
        } catch {
            throw Failure(changing: .apps, error)
        }
        let notice: Notice =
            switch verdict {
            case .allowed, .noted: .appMay(app.text, wish: words(wish))
            case .denied: .appMayNot(app.text, wish: words(wish))
            case nil: .appForgotten(app.text, wish: words(wish))
            }
        return Outcome(
            notice,
            json: .object(
                [("app", .text(app.text))] + wanted(wish) + [("verdict", verdict.map { .text(name($0)) } ?? .null)]))
    }

    static func row(_ known: KnownApp) -> [String] {
        [
            SafeText(known.app.text, limit: 60).description,
            CallerClasses.named(SafePath(ExactName(known.name), limit: 60).description, known.kind), words(known.wish),
            name(known.verdict), Dates.local(known.date),
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

    private static func words(_ wish: AppWish) -> String {
        switch wish {
        case .face: "face recognition"
        case .group(let group): "group '\(SafeText(group.text, limit: 60))'"
        case .program(let path): "its name in \(SafePath(path, limit: 60))"
        case .folder(let path): "its name in programs below \(SafePath(path, limit: 60))"
        case .keptItem(let id): "the kept item \(SafeText(id.text, limit: 60))"
        }
    }

    private static func wanted(_ wish: AppWish) -> [(String, JSON)] {
        switch wish {
        case .face: [("wants", .text("face"))]
        case .group(let group): [("wants", .text("group")), ("group", .text(group.text))]
        case .program(let path): [("wants", .text("program")), ("program", .text(path.text))]
        case .folder(let path): [("wants", .text("folder")), ("folder", .text(path.text))]
        case .keptItem(let id): [("wants", .text("item")), ("item", .text(id.text))]
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
