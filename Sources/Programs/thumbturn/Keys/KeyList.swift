import ThumbAccess
import ThumbCommands

/// `thumbturn key list`
enum KeyList {
    static let command = Command(
        "list", "list your keys, what holds them and what their use asks for",
        discussion: [
            "A key is held by the TPM or in software, and never leaves it. A key that an app keeps in the keychain like any secret is listed as "
                + "`keychain`. The SSH agent's keys are listed by `thumbturn ssh-key list`. Nobody is asked."
        ],
        examples: [Example("See which keys there are", "thumbturn key list")]
    ) { _ throws(Failure) in
        try Daemon.connect()
        let keys = try StoredKey.find(nil).sorted { $0.name < $1.name }
        let heads = ["NAME", "ALGORITHM", "HELD BY", "PROTECTION", "CLASS", "CREATED"]
        return Outcome(
            lines: keys.isEmpty ? [] : Columns.lines([heads] + keys.map(row)),
            json: .object([
                ("keys", .list(keys.map { .object($0.json + [("created", .optional(created($0).map(Dates.universal)))]) }))
            ]),
            asides: keys.isEmpty ? [.noKeys] : [])
    }

    private static func row(_ key: StoredKey) -> [String] {
        [
            SafeText(key.name, limit: 40).description, key.algorithm, key.custodian.map(StoredKey.name) ?? "keychain",
            Protection.name(key.item.rule), Protection.className(key.item.rule), created(key).map(Dates.local) ?? "",
        ]
    }

    private static func created(_ key: StoredKey) -> Double? {
        if case .date(let date)? = key.item.attributes[.created] { date } else { nil }
    }
}
