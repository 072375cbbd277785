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
        let wanted = invocation.operands[1]
        if wanted.isEmpty { throw .usage(.emptyName, invocation.path) }
        try SecretReference.refuse(asName: wanted, invocation)
        try Daemon.connect()
        // Both are known before anybody is asked.
        let old = try WantedSecret(invocation).kept().name
        let new = SecretName(wanted, account: old.account)
        if try WantedSecret(new).keptIfThere() != nil { throw .keychain(.duplicateItem, about: new.thing) }
        let reason = "rename the \(old.shown)"
        do throws(Failure) {
            try Daemon.release(about: old.thing, reason: reason) { () throws(ReleaseFailure) in
                try DeviceClient.shared.change(
                    old.query(limit: nil, reason: reason), to: ItemChange(attributes: [.service: .text(new.name)]))
            }
        } catch .keychain(.duplicateItem, about: _) {
            throw .keychain(.duplicateItem, about: new.thing)
        }
        return Outcome(
            .renamed(old.thing, to: new.name),
            json: .object([("name", .text(new.name)), ("account", .text(new.account)), ("oldName", .text(old.name))]))
    }
}
