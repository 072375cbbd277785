import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn secret list`
enum SecretList {
    static let command = Command(
        "list", "list your secrets without opening any",
        discussion: [
            "Prints what your secrets are called, how they are protected, and when they were made and changed. Nobody is asked."
        ],
        examples: [
            Example(
                "See them, or their names alone", "thumbturn secret list",
                "thumbturn secret list --json | jq -r '.secrets[].name'")
        ]
    ) { _ throws(Failure) in
        try Daemon.connect()
        let entries = try SecretEntry.all().sorted { ($0.name, $0.account) < ($1.name, $1.account) }
        let heads = ["NAME", "ACCOUNT", "PROTECTION", "CLASS", "CREATED", "CHANGED"]
        return Outcome(
            lines: entries.isEmpty ? [] : Columns.lines([heads] + entries.map(\.row)),
            json: .object([("secrets", .list(entries.map(\.json)))]),
            asides: entries.isEmpty ? [.noSecrets] : [])
    }
}

/// One line of the list.
private struct SecretEntry {
    private let item: FoundItem

    static func all() throws(Failure) -> [SecretEntry] {
        let query = Query(itemClass: .genericPassword, sync: .any, limit: nil, shape: .attributes)
        do throws(KeychainFailure) {
            return try DeviceClient.shared.find(query).map { SecretEntry(item: $0) }
        } catch .itemNotFound {
            return []
        } catch {
            throw Failure(error, about: .secrets)
        }
    }

    var name: String { text(.service) }
    var account: String { text(.account) }

    var row: [String] {
        [
            SafeText(name, limit: 40).description, SafeText(account, limit: 40).description, Protection.name(item.rule),
            Protection.className(item.rule), date(.created).map(Dates.local) ?? "", date(.modified).map(Dates.local) ?? "",
        ]
    }

    var json: JSON {
        .object([
            ("name", .text(name)), ("account", .text(account)),
            ("label", item.attributes[.label].map { .text(Self.text($0)) } ?? .null),
            ("protection", .text(Protection.name(item.rule))), ("class", .text(Protection.className(item.rule))),
            ("created", .optional(date(.created).map(Dates.universal))),
            ("modified", .optional(date(.modified).map(Dates.universal))),
        ])
    }

    private func text(_ attribute: AttributeName) -> String { item.attributes[attribute].map(Self.text) ?? "" }

    private static func text(_ value: AttributeValue) -> String {
        // An app may have stored bytes where text belongs.
        if case .text(let text) = value { text } else { String(decoding: value.comparable, as: UTF8.self) }
    }

    private func date(_ attribute: AttributeName) -> Double? {
        if case .date(let date) = item.attributes[attribute] { date } else { nil }
    }
}
