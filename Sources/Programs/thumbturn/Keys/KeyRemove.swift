internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let keyRemove: Command = .init(
        name: "remove", summary: "remove a key for good",
        discussion: [
            "Removes the key. Nobody is asked, and nothing brings it back: what was encrypted to it stays closed, and nothing is "
                + "signed with it any more."
        ],
        operands: [.keyName]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let reason = "remove the \(key.shown)"
        try Device.keychain(about: key.shown, reason: reason) { () throws(KeychainFailure) in
            try DeviceClient.shared.remove(
                Query(
                    itemClass: .key, sync: .any, persistentRef: key.item.persistentRef, limit: nil,
                    asking: AskingTerms(words: PromptWords(reason: reason))))
        }
        return Outcome(
            ["Removed: \(key.shown)"], json: .object([("name", .text(key.name)), ("removed", .flag(true))]))
    }
}
