import ThumbAccess
import ThumbCommands

/// The owner's name for a secret, and how the keychain finds it: a generic password whose service is the name.
struct SecretName: Sendable {
    let name: String
    let account: String

    /// The name of a secret that the command line wants to be made.
    init(new invocation: Invocation) throws(Failure) {
        let name = invocation.operands[0]
        // Nobody could name it in a line again, or tell it from nothing in a prompt.
        if name.isEmpty { throw .usage(.emptyName, invocation.path) }
        try SecretReference.refuse(asName: name, invocation)
        self.init(name, account: invocation.value(Self.accountOption) ?? "")
    }

    init(_ name: String, account: String) {
        self.name = name
        self.account = account
    }

    /// For messages.
    var thing: Thing { .secret(name, account: account) }
    var shown: String { thing.name }

    /// The same, short enough for several in one line.
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

    static let operand = Operand(.text("NAME"), "what the secret is called")
    /// The same for a secret that there is.
    static let known = Operand(Names.Kind.secrets.value(operand.name), operand.help)
    static let accountOption = Option(
        "account", "whose secret it is, if there are several of that name", Names.Kind.accounts.value("ACCOUNT"))
}
