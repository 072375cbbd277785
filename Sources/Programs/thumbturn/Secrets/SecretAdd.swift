internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets

extension Command {
    static let secretAdd: Command = .init(
        name: "add", summary: "keep a new secret",
        discussion: [
            "Reads the secret from standard input, to its end and exactly as it is; in a terminal it is typed, twice and unseen. "
                + "It is never an argument: every program of the machine can read those.",
            "Unless --protect says otherwise, the secret comes out only when the owner shows presence, by finger or passcode: to "
                + "the daemon this is one program, whoever runs it. With --protect none it comes out for everything you run.",
            "A backup ('thumbturn export') takes it along unless it is bound to this device: by --only-here, by the class "
                + "when-passcode-set, or by --protect current-biometry.",
        ],
        operands: [.secretName], options: [.account, .label, .protect, .itemClass, .staysHere, .replace]
    ) { invocation throws(Failure) in
        let status = try Device.status()
        let addition = try SecretAddition(invocation, status)
        let secret = try SecretInput.read()
        return try addition.perform(secret)
    }
}

extension Command.Option {
    static let label = Command.Option(name: "label", help: "what lists and prompts show beside the name", value: .text("LABEL"))
    static let protect = Command.Option(
        name: "protect", help: "what the owner shows before it comes out", value: .choice("WHAT", Protection.names))
    static let itemClass = Command.Option(
        name: "class", help: "when it can come out at all", value: .choice("WHEN", Protection.classes))
    static let staysHere = Command.Option(name: "only-here", help: "keep it on this device, out of every backup")
    static let replace = Command.Option(name: "replace", help: "put it in the place of one that is there")
}

/// A secret on its way into the keychain.
private struct SecretAddition {
    let name: SecretName
    let rule: AccessRule
    let label: String?
    let replaces: Bool
    /// Whether the rule was asked for, so that it also replaces an older one.
    let ruleIsGiven: Bool
    /// Why an item under the rule could not be read again; without consequence for one that keeps its own rule.
    let objection: Failure?

    init(_ invocation: Invocation, _ status: DeviceStatus) throws(Failure) {
        name = SecretName(invocation)
        label = invocation.value(.label)
        replaces = invocation.has(.replace)
        ruleIsGiven = invocation.has(.protect) || invocation.has(.itemClass) || invocation.has(.staysHere)
        rule = try Protection.rule(
            invocation.value(.protect) ?? "presence", invocation.value(.itemClass) ?? "when-unlocked",
            staysHere: invocation.has(.staysHere))
        objection = Protection.objection(rule, status).map { objection in
            var told = objection
            if !invocation.has(.protect), let advice = told.advice { told.advice = advice + ", or choose another --protect" }
            return told
        }
        if let objection, ruleIsGiven || !replaces { throw objection }
    }

    func perform(_ secret: SecretBytes) throws(Failure) -> Outcome {
        if replaces {
            do throws(Failure) {
                try Device.keychain(about: name.shown, reason: reason) { () throws(KeychainFailure) in try update(secret) }
                return outcome("Replaced")
            } catch  where error.exit == .notFound {
                // Nothing to replace: a new one.
            }
        }
        if let objection { throw objection }
        try Device.keychain(about: name.shown, reason: reason) { () throws(KeychainFailure) in try add(secret) }
        return outcome("Kept")
    }

    private var reason: String { "keep the \(name.shown)" }

    private func update(_ secret: SecretBytes) throws(KeychainFailure) {
        let change = ItemChange(
            attributes: label.map { [.label: .text($0)] } ?? [:], rule: ruleIsGiven ? rule : nil, secret: secret)
        try DeviceClient.shared.update(name.query(limit: nil, reason: reason), with: change)
    }

    private func add(_ secret: SecretBytes) throws(KeychainFailure) {
        var attributes = name.attributes
        if let label { attributes[.label] = .text(label) }
        _ = try DeviceClient.shared.add(
            NewItem(itemClass: .genericPassword, attributes: attributes, rule: rule, secret: secret))
    }

    private func outcome(_ verb: String) -> Outcome {
        // An update leaves the rule as it is unless one was given.
        let protection: JSON = verb == "Kept" || ruleIsGiven ? .text(Protection.name(rule)) : .null
        return Outcome(
            ["\(verb): \(name.shown)"],
            json: .object(name.json + [("replaced", .flag(verb == "Replaced")), ("protection", protection)]))
    }
}
