internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let sshKey: Command = .init(
        name: "ssh-key", summary: "make, show and remove the keys of the SSH agent",
        subcommands: [sshKeyCreate, sshKeyList, sshKeyPublic, sshKeyRemove])

    static let sshKeyCreate: Command = .init(
        name: "create", summary: "make a key that 'thumbturn ssh-agent' offers",
        discussion: [
            "Makes a P-256 key that stays where it is made, and prints its public half as authorized_keys takes it.",
            "Unless --protect says otherwise, the owner shows presence for every signature. With --protect none whatever you run "
                + "can have it sign, and it isn't offered to other machines that the agent is forwarded to.",
        ],
        operands: [.sshKeyName], options: [.protect, .itemClass]
    ) { invocation throws(Failure) in
        let name = try SSHKeyName(invocation)
        let status = try Device.status()
        let plain = try Protection.rule(
            invocation.value(.protect) ?? "presence", invocation.value(.itemClass) ?? "when-unlocked", staysHere: true)
        if let objection = Protection.objection(plain, status, loss: "the key could never be used") { throw objection }
        // Names are for people: two keys of one name could not be told apart in a prompt.
        if try !name.keys().isEmpty { throw Failure("duplicateItem", .exists, "there is \(name.shown) already") }
        let key = try Device.keychain(about: name.shown, reason: "make the \(name.shown)") { () throws(KeychainFailure) in
            try SSHKey.make(name.text, AccessRule(plain.accessibility, plain.constraints.union(.privateKeyUsage)))
        }
        return Outcome([key.line], json: .object(key.json))
    }

    static let sshKeyList: Command = .init(
        name: "list", summary: "list the SSH agent's keys",
        discussion: ["Prints what the keys are called, how they are protected, who holds them, and their fingerprints."]
    ) { _ throws(Failure) in
        try Device.connect()
        let keys: [SSHKey]
        do throws(KeychainFailure) {
            keys = try SSHKey.all().sorted { $0.name < $1.name }
        } catch {
            throw Failure(error, "the list")
        }
        return Outcome(
            keys.isEmpty ? [] : Columns.lines([["NAME", "PROTECTION", "HELD BY", "FINGERPRINT"]] + keys.map(\.row)),
            json: .object([("keys", .list(keys.map { .object($0.json) }))]),
            notices: keys.isEmpty ? ["There are no SSH keys yet."] : [])
    }

    static let sshKeyPublic: Command = .init(
        name: "public", summary: "print a key's public half, as authorized_keys takes it", operands: [.sshKeyName]
    ) { invocation throws(Failure) in
        try Device.connect()
        let key = try SSHKeyName(invocation).key()
        return Outcome([key.line], json: .object(key.json))
    }

    static let sshKeyRemove: Command = .init(
        name: "remove", summary: "remove a key for good",
        discussion: ["Removes the key. Nobody is asked: what is gone signs nothing. Servers that know its public half still do."],
        operands: [.sshKeyName]
    ) { invocation throws(Failure) in
        try Device.connect()
        let name = try SSHKeyName(invocation)
        let key = try name.key()
        do throws(KeychainFailure) {
            try key.remove()
        } catch {
            throw Failure(error, name.shown)
        }
        return Outcome(["Removed: \(name.shown)"], json: .object([("name", .text(name.text)), ("removed", .flag(true))]))
    }
}

/// What a key is called: its comment in SSH's files, and what prompts name.
struct SSHKeyName: Sendable {
    private static let longest = 60

    let text: String

    init(_ invocation: Invocation) throws(Failure) {
        text = invocation.operands[0]
        guard !text.isEmpty, text.count <= Self.longest, SafeText(text).description == text else {
            throw .usage("NAME is a line of 1 to \(Self.longest) characters", invocation.path)
        }
    }

    var shown: String { "SSH key '\(text)'" }

    func keys() throws(Failure) -> [SSHKey] {
        do throws(KeychainFailure) {
            return try SSHKey.all(named: text)
        } catch {
            throw Failure(error, shown)
        }
    }

    func key() throws(Failure) -> SSHKey {
        guard let key = try keys().first else { throw Failure(KeychainFailure.itemNotFound, shown) }
        return key
    }
}

extension SSHKey {
    fileprivate var row: [String] {
        [SafeText(name, limit: 40).description, Protection.name(rule), custodianName, fingerprint]
    }

    fileprivate var json: [(String, JSON)] {
        [
            ("name", .text(name)), ("protection", .text(Protection.name(rule))), ("class", .text(Protection.className(rule))),
            ("custodian", .text(custodianName)), ("fingerprint", .text(fingerprint)), ("publicKey", .text(line)),
            ("created", .optional(created.map(Dates.universal))),
        ]
    }
}

extension Command.Operand {
    static let sshKeyName = Command.Operand(name: "NAME", help: "what the key is called")
}
