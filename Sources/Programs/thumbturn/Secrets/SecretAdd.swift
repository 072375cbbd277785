import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// `thumbturn secret add`
enum SecretAdd {
    static let command = Command(
        "add", "keep a new secret",
        discussion: [
            "Reads the secret from standard input, up to its end and exactly as it is. In a terminal you type it twice, hidden. "
                + "The secret is never an argument, because every program of the machine can read those.",
            "Unless --protect says otherwise, you must show that you are there to get the secret, by finger or passcode: the "
                + "daemon can't tell who runs this program. With `--protect none` every program that you run can read it.",
            "--protect takes `presence` (a finger, a face or the passcode), `passcode`, `biometry` (any enrolled finger or face), "
                + "`current-biometry` (only those enrolled now), `companion` (your yes at a machine that is paired then) or `none`.",
            "--class takes `after-first-unlock` (once you have given the passcode since the daemon started), `when-unlocked` "
                + "(the same, and only while your session is unlocked), `when-passcode-set` (as when-unlocked, and destroyed "
                + "when the passcode is removed) or `always`.",
            "With --field the secret has fields, each with a name and a value, and is read one field at a time. You type each value, or give "
                + "them on standard input: one value as it is, several on a line each. With --replace only these fields change.",
            "A backup (`thumbturn export`) has a copy of the secret unless it is bound to this device: by --only-here, by the class "
                + "when-passcode-set, or by `--protect current-biometry`.",
        ],
        operands: [SecretName.operand],
        options: [
            SecretName.accountOption, label, Protection.option, Protection.classOption, Protection.staysHereOption, replace,
            FieldOption.several,
        ],
        examples: [
            Example("Keep a password that you type twice", "thumbturn secret add mail --account anna"),
            Example(
                "Keep the contents of a file, for your finger alone",
                "thumbturn secret add deploy-key --protect biometry <id_ed25519"),
            Example(
                "Keep a name and a password together, and read one of them",
                "thumbturn secret add mail --field username --field password",
                "thumbturn secret get mail --field username"),
        ],
        excess: "The secret can't be an argument, where every program could read it; give it on standard input."
    ) { invocation throws(Failure) in
        let name = try SecretName(new: invocation)
        let fields = try FieldOption.all(invocation)
        let addition = try SecretAddition(name, invocation, try Daemon.status())
        guard fields.isEmpty else {
            let values = try SecretInput.readFields(fields)
            return try addition.perform(fields: zip(fields, values).map { (name: $0, value: $1) }).outcome
        }
        let secret = try SecretInput.read()
        return try addition.perform(secret).outcome
    }

    static let label = Option("label", "a text that lists and prompts show beside the name", .text("LABEL"))
    static let replace = Option("replace", "replace the secret if there already is one")
}

/// A secret that is being put into the keychain.
struct SecretAddition {
    let name: SecretName
    let rule: AccessRule
    let label: String?
    let replaces: Bool
    /// Whether the command line gave a rule, which then also replaces an older one.
    let ruleIsGiven: Bool
    /// Why an item under the rule could never be read again. It doesn't matter for an item that keeps its own rule.
    let objection: Failure?

    init(_ name: SecretName, _ invocation: Invocation, _ status: DeviceStatus) throws(Failure) {
        self.name = try Self.name(name, invocation)
        label = invocation.value(SecretAdd.label)
        replaces = invocation.has(SecretAdd.replace)
        ruleIsGiven = Protection.isGiven(invocation)
        rule = try Protection.rule(invocation)
        objection = Protection.objection(rule, status, .secret, orAnotherRule: !invocation.has(Protection.option))
        if let objection, ruleIsGiven || !replaces { throw objection }
    }

    /// What is replaced without --account is the secret that every other command would take: the only one of its name, if all have accounts.
    private static func name(_ name: SecretName, _ invocation: Invocation) throws(Failure) -> SecretName {
        guard invocation.has(SecretAdd.replace), !invocation.has(SecretName.accountOption) else { return name }
        return try WantedSecret(invocation).keptIfThere()?.name ?? name
    }

    /// - Parameter since: when the secret that it replaces was changed last. If that isn't so any more, it fails as if there were none.
    func perform(_ secret: SecretBytes, context: UInt64? = nil, since: AttributeValue? = nil) throws(Failure) -> AdditionReport {
        // If there is nothing to replace, this is a new one.
        if replaces, let before = try WantedSecret(name).keptIfThere() {
            try Daemon.release(about: name.thing, reason: reason) { () throws(ReleaseFailure) in
                try update(secret, before.attributes, context: context, since: since)
            }
            return outcome(isNew: false)
        }
        if let objection { throw objection }
        do throws(Failure) {
            try Daemon.keychain(about: name.thing, reason: reason) { () throws(KeychainFailure) in try add(secret) }
        } catch .keychain(.duplicateItem, about: let thing) {
            throw .secretExists(thing)
        }
        return outcome(isNew: true)
    }

    var reason: String { "keep the \(name.shown)" }

    private func update(
        _ secret: SecretBytes, _ before: Attributes, context: UInt64?, since: AttributeValue?
    ) throws(ReleaseFailure) {
        var attributes = SecretForm.attributes(of: secret, replacing: before)
        if let label { attributes[.label] = .text(label) }
        let change = ItemChange(attributes: attributes, rule: ruleIsGiven ? rule : nil, secret: secret)
        var query = name.query(limit: nil, reason: reason, context: context)
        if let since { query.attributes[.modified] = since }
        try DeviceClient.shared.change(query, to: change)
    }

    private func add(_ secret: SecretBytes) throws(KeychainFailure) {
        var attributes = name.attributes.merging(SecretForm.attributes(of: secret)) { $1 }
        if let label { attributes[.label] = .text(label) }
        _ = try DeviceClient.shared.add(
            NewItem(itemClass: .genericPassword, attributes: attributes, rule: rule, secret: secret))
    }

    private func outcome(isNew: Bool) -> AdditionReport {
        // Without a given rule, an update leaves the rule as it is.
        let protection: JSON = isNew || ruleIsGiven ? .text(Protection.name(rule)) : .null
        return AdditionReport(
            notice: isNew ? .added(name.thing) : .replaced(name.thing),
            json: name.json + [("replaced", .flag(!isNew)), ("protection", protection)])
    }
}

/// What is said about a secret that was put into the keychain.
struct AdditionReport: Sendable {
    let notice: Notice
    let json: [(String, JSON)]

    var outcome: Outcome { Outcome(notice, json: .object(json)) }
}
