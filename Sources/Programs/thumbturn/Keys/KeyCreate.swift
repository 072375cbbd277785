internal import ThumbAccess
internal import ThumbClient
internal import ThumbCrypto

extension Command {
    static let keyCreate: Command = .init(
        name: "create", summary: "make a new key that never leaves this device",
        discussion: [
            "Makes a P-256 key where it is to stay. Its private half never comes out, not for its owner either, and no backup takes "
                + "it along.",
            "Unless something else is said, each use of it asks for the owner's presence, by finger or passcode. With "
                + "--no-presence everything you run can use it unasked.",
            "Where there is no TPM it can be held in software, once 'thumbturn allow software-keys' says so.",
        ],
        operands: [.keyName], options: [.keyProtect, .noPresence, .itemClass]
    ) { invocation throws(Failure) in
        let name = invocation.operands[0]
        if name.isEmpty { throw .usage("NAME is empty", invocation.path) }
        if StoredKey.tag(name) == SSHKey.tag {
            throw .usage("that name marks the SSH agent's keys: 'thumbturn ssh-key' makes them", invocation.path)
        }
        if invocation.has(.noPresence) && invocation.has(.keyProtect) {
            throw .usage("--protect and --no-presence exclude each other", invocation.path)
        }
        let status = try Device.status()
        let rule = try Protection.keyRule(
            invocation.has(.noPresence) ? "none" : invocation.value(.keyProtect) ?? "presence",
            invocation.value(.itemClass) ?? "when-unlocked")
        if let objection = Protection.objection(rule, status, loss: "the key could never be used") { throw objection }
        guard try StoredKey.find(name).isEmpty else {
            throw Failure(
                "duplicateItem", .exists, "there is a \(StoredKey.shown(name)) already",
                advice: "'thumbturn key remove' removes it, for good")
        }
        let key = try make(name, rule)
        let holder = key.custodian.map { "held by " + (($0 == .tpm) ? "the TPM" : "software") } ?? "in the keychain"
        return Outcome(
            ["Made: \(key.shown), \(holder)"], json: .object(key.json + [("publicKey", .text(key.publicKey.pem))]))
    }

    private static func make(_ name: String, _ rule: AccessRule) throws(Failure) -> StoredKey {
        let reason = "make the \(StoredKey.shown(name))"
        let new = NewKey(
            kind: .elliptic(.p256), isEnclave: true, isPermanent: true,
            attributes: [.applicationTag: StoredKey.tag(name), .label: .text(name)], rule: rule,
            asking: AskingTerms(words: PromptWords(reason: reason)))
        let record = try Device.keychain(about: StoredKey.shown(name), reason: reason) { () throws(KeychainFailure) in
            try DeviceClient.shared.makeKey(new)
        }
        return try StoredKey(record)
    }
}

extension Command.Option {
    static let keyProtect = Command.Option(
        name: "protect", help: "what the owner shows for each use of it",
        value: .choice("WHAT", Protection.names.filter { $0 != "none" }))
    static let noPresence = Command.Option(name: "no-presence", help: "let it be used without asking for the owner")
}
