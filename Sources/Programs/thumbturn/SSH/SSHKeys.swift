import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn ssh-key`
enum SSHKeys {
    static let command = Command(
        "ssh-key", "make, show and remove the keys of your SSH agent",
        examples: [
            Example(
                "Make a key, let a server know it, and sign in with it", "thumbturn ssh-key create work",
                "thumbturn ssh-key public work | ssh server 'cat >>.ssh/authorized_keys'", "ssh server")
        ],
        subcommands: [create, list, show, remove])

    private static let name = Operand(.text("NAME"), "what the key is called")
    /// The same for a key that there is.
    private static let known = Operand(Names.Kind.sshKeys.value(name.name), name.help)

    private static let create = Command(
        "create", "make a key that `thumbturn ssh-agent` offers",
        discussion: [
            "Makes a P-256 key that never leaves the TPM or the daemon, and prints its public half as `authorized_keys` wants "
                + "it.",
            "Unless --protect says otherwise, you are asked for every signature. With `--protect none` every program that you "
                + "run can have it sign, and it isn't offered to other machines that you forward the agent to.",
        ],
        operands: [name], options: [Protection.usesOption, Protection.classOption],
        examples: [
            Example("Let a server know your key", "thumbturn ssh-key create work | ssh server 'cat >>.ssh/authorized_keys'")
        ]
    ) { invocation throws(Failure) in
        let name = try SSHKeyName(invocation)
        let status = try Daemon.status()
        let plain = try Protection.rule(invocation, staysHere: true)
        if let objection = Protection.objection(plain, status, .key) { throw objection }
        // Names are for people: in a prompt nobody could tell two keys with the same name apart.
        if try !name.keys().isEmpty { throw .keyExists(name.thing) }
        let key = try Daemon.keychain(about: name.thing, reason: "make the \(name.shown)") { () throws(KeychainFailure) in
            try SSHKey.make(name.text, AccessRule(plain.accessibility, plain.constraints.union(.privateKeyUsage)))
        }
        return Outcome(lines: [key.line], json: .object(key.json))
    }

    private static let list = Command(
        "list", "list your SSH keys",
        discussion: [
            "Prints what the keys are called, how they are protected, what holds them, and their fingerprints. Nobody is asked."
        ],
        examples: [Example("See which keys the agent offers", "thumbturn ssh-key list")]
    ) { _ throws(Failure) in
        try Daemon.connect()
        let keys: [SSHKey]
        do throws(KeychainFailure) {
            keys = try SSHKey.all().sorted { $0.name < $1.name }
        } catch {
            throw Failure(error, about: .sshKeys)
        }
        return Outcome(
            lines: keys.isEmpty ? [] : Columns.lines([["NAME", "PROTECTION", "HELD BY", "FINGERPRINT"]] + keys.map(\.row)),
            json: .object([("keys", .list(keys.map { .object($0.json) }))]), asides: keys.isEmpty ? [.noSSHKeys] : [])
    }

    private static let show = Command(
        "public", "print a key's public half, as `authorized_keys` wants it", operands: [known],
        examples: [Example("Copy it to a file", "thumbturn ssh-key public work >work.pub")]
    ) { invocation throws(Failure) in
        try Daemon.connect()
        let key = try SSHKeyName(invocation).key()
        return Outcome(lines: [key.line], json: .object(key.json))
    }

    private static let remove = Command(
        "remove", "remove a key for good",
        discussion: [
            "Removes the key; nothing brings it back. Nobody is asked. Servers still know its public half; remove it there too."
        ],
        operands: [known], examples: [Example("Remove a key that no server accepts any more", "thumbturn ssh-key remove work")]
    ) { invocation throws(Failure) in
        try Daemon.connect()
        let name = try SSHKeyName(invocation)
        let key = try name.key()
        do throws(KeychainFailure) {
            try key.remove()
        } catch {
            throw Failure(error, about: name.thing)
        }
        return Outcome(.removed(name.thing), json: .object([("name", .text(name.text)), ("removed", .flag(true))]))
    }
}

/// A key's name: its comment in SSH's files, and its name in prompts.
struct SSHKeyName: Sendable {
    private static let longest = 60

    let text: String

    init(_ invocation: Invocation) throws(Failure) {
        text = invocation.operands[0]
        guard !text.isEmpty, text.count <= Self.longest, SafeText(text).description == text else {
            throw .usage(.nameLine(longest: Self.longest), invocation.path)
        }
    }

    var thing: Thing { .sshKey(text) }
    var shown: String { thing.name }

    func keys() throws(Failure) -> [SSHKey] {
        do throws(KeychainFailure) {
            return try SSHKey.all(named: text)
        } catch {
            throw Failure(error, about: thing)
        }
    }

    func key() throws(Failure) -> SSHKey {
        guard let key = try keys().first else { throw .keychain(.itemNotFound, about: thing) }
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
