import ThumbAccess
import ThumbClient
import ThumbCommands

/// A secret as a command line names it: with its account, or by its name alone if that is enough.
struct WantedSecret: Sendable {
    let name: String
    /// nil if the line says nothing about it.
    let account: String?

    init(_ invocation: Invocation) {
        self.init(invocation.operands[0], account: invocation.value(SecretName.accountOption))
    }

    init(_ name: String, account: String?) { (self.name, self.account) = (name, account) }

    /// A secret that is known exactly.
    init(_ name: SecretName) { self.init(name.name, account: name.account) }

    /// For messages.
    var thing: Thing { .secret(name, account: account ?? "") }

    /// The one secret that is meant: without an account in the line that is the one that has none, or else the only one of its name.
    /// Nothing is opened, so nobody is asked.
    func kept() throws(Failure) -> KeptSecret {
        let found = try Daemon.keychain(about: thing, reason: "find the \(thing.name)") { () throws(KeychainFailure) in
            try DeviceClient.shared.find(query)
        }.map { KeptSecret(name, $0) }
        if let plain = found.first(where: { $0.name.account.isEmpty }) { return plain }
        let accounts = Set(found.map { ExactName($0.name.account) })
        guard accounts.count == 1 else { throw .severalSecrets(thing, accounts: accounts.map(\.text).sorted(), reference: nil) }
        return found[0]
    }

    /// The same; nil if there is none.
    func keptIfThere() throws(Failure) -> KeptSecret? {
        do throws(Failure) { return try kept() } catch .keychain(.itemNotFound, about: _) { return nil }
    }

    private var query: Query {
        var attributes: Attributes = [.service: .text(name)]
        if let account { attributes[.account] = .text(account) }
        return Query(itemClass: .genericPassword, attributes: attributes, sync: .any, limit: nil, shape: .attributes)
    }
}

/// A secret that there is, as far as it is known without opening it.
struct KeptSecret: Sendable {
    let name: SecretName
    let rule: AccessRule
    let attributes: Attributes

    init(_ name: String, _ item: FoundItem) {
        let account = item.attributes[.account].map { String(decoding: $0.comparable, as: UTF8.self) }
        self.name = SecretName(name, account: account ?? "")
        (rule, attributes) = (item.rule, item.attributes)
    }
}
