import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn key remove`
enum KeyRemove {
    static let command = Command(
        "remove", "remove a key for good",
        discussion: [
            "Removes the key; nothing brings it back. Data encrypted to it can't be decrypted any more. Nobody is asked."
        ],
        operands: [Keys.known],
        examples: [Example("Remove a key that nothing is encrypted to any more", "thumbturn key remove release")]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let reason = "remove the \(key.shown)"
        try Daemon.keychain(about: key.thing, reason: reason) { () throws(KeychainFailure) in
            try DeviceClient.shared.remove(
                Query(
                    itemClass: .key, sync: .any, persistentRef: key.item.persistentRef, limit: nil,
                    asking: AskingTerms(words: PromptWords(reason: reason))))
        }
        return Outcome(.removed(key.thing), json: .object([("name", .text(key.name)), ("removed", .flag(true))]))
    }
}
