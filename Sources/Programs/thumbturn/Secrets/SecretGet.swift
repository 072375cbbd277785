internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets

extension Command {
    static let secretGet: Command = .init(
        name: "get", summary: "read a secret",
        discussion: [
            "Writes the secret to standard output exactly as it was given; only in a terminal a newline follows. What a terminal "
                + "would take for commands isn't written to one.",
            "With --json the secret is 'secret' where it is text, 'secretBase64' where it isn't.",
        ],
        operands: [.secretName], options: [.account, .output]
    ) { invocation throws(Failure) in
        let name = SecretName(invocation)
        try Device.connect()
        let secret = try read(name)
        guard let path = invocation.value(.output) else { return try shown(secret, name, invocation.wantsJSON) }
        try Output.write([.secret(secret, .raw)], toNew: path)
        return Outcome([], json: .object(name.json + [("output", .text(path))]))
    }

    private static func read(_ name: SecretName) throws(Failure) -> SecretBytes {
        let reason = "read the \(name.shown)"
        let found = try Device.keychain(about: name.shown, reason: reason) { () throws(KeychainFailure) in
            try DeviceClient.shared.find(name.query(limit: 1, shape: .data, reason: reason))
        }
        guard let secret = found.first?.secret else {
            throw Failure("noData", .notFound, "the \(name.shown) has no data")
        }
        return secret
    }

    private static func shown(_ secret: SecretBytes, _ name: SecretName, _ wantsJSON: Bool) throws(Failure) -> Outcome {
        if !wantsJSON && Output.isTerminal && !UTF8Scalars.areShowable(secret) {
            throw Failure(
                "notText", .failed, "the \(name.shown) isn't plain text, and a terminal may take it for commands",
                advice: "use --output FILE, --json, or a pipe")
        }
        let member: (String, JSON) =
            UTF8Scalars.areValid(secret) ? ("secret", .secret(secret, .jsonText)) : ("secretBase64", .secret(secret, .base64))
        return Outcome(
            text: [.secret(secret, .raw)] + (Output.isTerminal ? [.text("\n")] : []), json: .object(name.json + [member]))
    }
}

extension Command.Option {
    static let output = Command.Option(
        name: "output", help: "write it to a new file that only this user can read", value: .file("FILE"))
}
