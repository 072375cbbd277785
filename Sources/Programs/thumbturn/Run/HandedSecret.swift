import ThumbCommands

/// A secret for a program: which one, in which variable, and in which form.
struct HandedSecret: Sendable {
    static let fileOption = Option(
        "secret", "put the path of a file with the secret ITEM into the variable NAME",
        Names.Kind.secrets.value("NAME=ITEM", afterEquals: true), isRepeatable: true)
    static let environmentOption = Option(
        "in-environment", "put the secret ITEM itself into the variable NAME, where other programs can read it",
        Names.Kind.secrets.value("NAME=ITEM", afterEquals: true), isRepeatable: true)
    static let accountOption = Option(
        "account", "whose secret NAME gets, if there are several of that name",
        Names.Kind.accounts.value("NAME=ACCOUNT", afterEquals: true), isRepeatable: true)

    let variable: String
    let reference: SecretReference
    let isInEnvironment: Bool

    /// All secrets that the command line names, in order: first files, then variables, then those of files with variables.
    static func all(_ invocation: Invocation, and files: [EnvironmentFile]) throws(Failure) -> [HandedSecret] {
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
                let reference = try reference(item, account: accounts.removeValue(forKey: variable), path)
                all.append(HandedSecret(variable: variable, reference: reference, isInEnvironment: option == environmentOption))
            }
        }
        all += files.flatMap(\.secrets).map {
            HandedSecret(variable: $0.variable, reference: $0.reference, isInEnvironment: true)
        }
        // Whatever comes from where: which of two values the program would get, nobody could tell from the line.
        var variables: Set<String> = []
        for variable in all.map(\.variable) + files.flatMap(\.plain).map(\.variable) where !variables.insert(variable).inserted {
            throw .usage(.variableTwice(variable), path)
        }
        if all.isEmpty && files.isEmpty { throw .usage(.noSecret, path) }
        if let variable = accounts.keys.min() { throw .usage(.accountOfNobody(variable), path) }
        return all
    }

    /// What ITEM names: a reference, or a secret by its name.
    private static func reference(_ item: String, account: String?, _ path: [String]) throws(Failure) -> SecretReference {
        guard item.hasPrefix(SecretReference.scheme) else { return SecretReference(WantedSecret(item, account: account)) }
        guard let reference = SecretReference(item) else {
            throw .usage(.reference(meant: SecretReference.meant(by: item)), path)
        }
        if account != nil { throw .usage(.together(accountOption.flag, with: "a reference"), path) }
        return reference
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
    static func isVariable(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0))
        }
    }
}
