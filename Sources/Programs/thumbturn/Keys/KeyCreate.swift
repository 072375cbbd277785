import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbCrypto

/// `thumbturn key create`
enum KeyCreate {
    static let command = Command(
        "create", "make a new key that never leaves this device",
        discussion: [
            "Makes a P-256 key in the TPM, or in software if there is no TPM and `thumbturn allow software-keys` was run. Nobody "
                + "can copy its private half, not even you, and no backup includes it.",
            "Unless --protect says otherwise, you are asked to show that you are there for each use of it, by finger or "
                + "passcode. With --no-presence every program that you run can use it without asking you.",
        ],
        operands: [Keys.name], options: [protect, noPresence, Protection.classOption],
        examples: [
            Example("Make a key that asks for your finger at each use", "thumbturn key create release --protect biometry"),
            Example("Make one that a script can use by itself", "thumbturn key create nightly --no-presence"),
        ]
    ) { invocation throws(Failure) in
        let name = invocation.operands[0]
        if name.isEmpty { throw .usage(.emptyName, invocation.path) }
        if StoredKey.tag(name) == SSHKey.tag { throw .usage(.nameOfSSHKeys, invocation.path) }
        if invocation.has(noPresence) && invocation.has(protect) {
            throw .usage(.together(protect.flag, with: noPresence.flag), invocation.path)
        }
        let status = try Daemon.status()
        let rule = try Protection.keyRule(
            invocation.has(noPresence) ? "none" : invocation.value(protect) ?? "presence",
            invocation.value(Protection.classOption) ?? "when-unlocked")
        if let objection = Protection.objection(rule, status, .key) { throw objection }
        guard try StoredKey.find(name).isEmpty else { throw .keyExists(.key(name)) }
        let key = try make(name, rule)
        let holder = key.custodian.map { $0 == .tpm ? "by the TPM" : "in software" } ?? "in the keychain"
        return Outcome(
            .made(key.thing, holder: holder), json: .object(key.json + [("publicKey", .text(key.publicKey.pem))]))
    }

    private static let protect = Option(
        Protection.option.name, "what you must show for each use of it",
        .choice("WHAT", Protection.names.filter { $0 != "none" }))
    private static let noPresence = Option("no-presence", "let it be used without asking you")

    private static func make(_ name: String, _ rule: AccessRule) throws(Failure) -> StoredKey {
        let reason = "make the \(Thing.key(name).name)"
        let new = NewKey(
            kind: .elliptic(.p256), isEnclave: true, isPermanent: true,
            attributes: [.applicationTag: StoredKey.tag(name), .label: .text(name)], rule: rule,
            asking: AskingTerms(words: PromptWords(reason: reason)))
        let record = try Daemon.keychain(about: .key(name), reason: reason) { () throws(KeychainFailure) in
            try DeviceClient.shared.makeKey(new)
        }
        return try StoredKey(record)
    }
}
