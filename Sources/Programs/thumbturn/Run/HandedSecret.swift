import ThumbCommands

/// A secret for a program: which one, in which variable, and in which form.
struct HandedSecret: Sendable {
    static let fileOption = Option(
        "secret", "put the path of a file with the secret ITEM into the variable NAME", .text("NAME=ITEM"), isRepeatable: true)
    static let environmentOption = Option(
        "in-environment", "put the secret ITEM itself into the variable NAME, where other programs can read it",
        .text("NAME=ITEM"),
        isRepeatable: true)
    static let accountOption = Option(
        "account", "whose secret NAME gets, if there are several of that name", .text("NAME=ACCOUNT"), isRepeatable: true)

    let variable: String
    let wanted: WantedSecret
    let isInEnvironment: Bool

    /// All secrets that the command line names, in order: first files, then variables.
    static func all(_ invocation: Invocation) throws(Failure) -> [HandedSecret] {
        let path = invocation.path
        var accounts: [String: String] = [:]
        for word in invocation.values(accountOption) {
            let (variable, account) = try parts(of: word, accountOption, path)
            if accounts.updateValue(account, forKey: variable) != nil { throw .usage(.variableTwice(variable), path) }
        }
        var all: [HandedSecret] = []
        for option in [fileOption, environmentOption] {
            for word in invocation.values(option) {
                let (variable, item) = try parts(of: word, option, path)
                if item.isEmpty { throw notAnAssignment(option, path) }
                if all.contains(where: { $0.variable == variable }) { throw .usage(.variableTwice(variable), path) }
                all.append(
                    HandedSecret(
                        variable: variable, wanted: WantedSecret(item, account: accounts.removeValue(forKey: variable)),
                        isInEnvironment: option == environmentOption))
            }
        }
        if all.isEmpty { throw .usage(.noSecret, path) }
        if let variable = accounts.keys.min() { throw .usage(.accountOfNobody(variable), path) }
        return all
    }

    private static func parts(
        of word: String, _ option: Option, _ path: [String]
    ) throws(Failure) -> (variable: String, rest: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isVariable(parts[0]) else { throw notAnAssignment(option, path) }
        return (String(parts[0]), String(parts[1]))
    }

    private static func notAnAssignment(_ option: Option, _ path: [String]) -> Failure {
        .usage(.assignment(option: option.flag, form: option.value?.name ?? ""), path)
    }

    /// Whether every shell can read it as `$NAME`.
    private static func isVariable(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0))
        }
    }
}
