import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn secret rename`
enum SecretRename {
    static let command = Command(
        "rename", "give a secret another name",
        discussion: [
            "The secret keeps its account, its label and its protection. You are asked as if you read it, because it is sealed again "
                + "under its new name. A secret that already has that name stays as it is, and nothing is renamed."
        ],
        operands: [SecretName.known, Operand(.text("NEW"), "what it is called from now on")],
        options: [SecretName.accountOption],
        examples: [Example("Call the secret `mail` by another name", "thumbturn secret rename mail old-mail")]
    ) { invocation throws(Failure) in
        let old = SecretName(invocation)
        let new = SecretName(invocation.operands[1], account: old.account)
        if new.name.isEmpty { throw .usage(.emptyName, invocation.path) }
        try SecretReference.refuse(asName: new.name, invocation)
        try Daemon.connect()
        // Both are known before anybody is asked.
        guard try old.isThere() else { throw .keychain(.itemNotFound, about: old.thing) }
        if try new.isThere() { throw .keychain(.duplicateItem, about: new.thing) }
        let reason = "rename the \(old.shown)"
        do throws(Failure) {
            try Daemon.keychain(about: old.thing, reason: reason) { () throws(KeychainFailure) in
                try DeviceClient.shared.update(
                    old.query(limit: nil, reason: reason), with: ItemChange(attributes: [.service: .text(new.name)]))
            }
        } catch .keychain(.duplicateItem, about: _) {
            throw .keychain(.duplicateItem, about: new.thing)
        }
        return Outcome(
            .renamed(old.thing, to: new.name),
            json: .object([("name", .text(new.name)), ("account", .text(new.account)), ("oldName", .text(old.name))]))
    }
}

extension SecretName {
    /// Whether there is such a secret. Nobody is asked.
    func isThere() throws(Failure) -> Bool {
        do throws(KeychainFailure) {
            return try !DeviceClient.shared.find(query(limit: 1, reason: "")).isEmpty
        } catch .itemNotFound {
            return false
        } catch {
            throw Failure(error, about: thing)
        }
    }
}
