internal import ThumbAccess

/// What the owner calls a secret, and how the keychain finds it: a generic password whose service is the name.
struct SecretName: Sendable {
    let name: String
    let account: String

    init(_ invocation: Invocation) { self.init(invocation.operands[0], account: invocation.value(.account) ?? "") }

    init(_ name: String, account: String) {
        self.name = name
        self.account = account
    }

    /// For messages.
    var shown: String {
        "secret '\(SafeText(name, limit: 60))'" + (account.isEmpty ? "" : " of account '\(SafeText(account, limit: 60))'")
    }

    /// The same where several stand in one line.
    var shownShort: String {
        "'\(SafeText(name, limit: 30))'" + (account.isEmpty ? "" : " of '\(SafeText(account, limit: 30))'")
    }

    var attributes: Attributes { [.service: .text(name), .account: .text(account)] }

    func query(limit: Int?, shape: ResultShape = [], reason: String, context: UInt64? = nil) -> Query {
        Query(
            itemClass: .genericPassword, attributes: attributes, sync: .any, limit: limit, shape: shape,
            asking: AskingTerms(context: context, words: PromptWords(reason: reason)))
    }

    var json: [(String, JSON)] { [("name", .text(name)), ("account", .text(account))] }
}

extension Command.Operand {
    static let secretName = Command.Operand(name: "NAME", help: "what the secret is called")
}

extension Command.Option {
    static let account = Command.Option(
        name: "account", help: "whose secret of that name, where there are several", value: .text("ACCOUNT"))
}
