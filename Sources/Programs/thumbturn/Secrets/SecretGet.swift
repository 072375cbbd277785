import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// `thumbturn secret get`
enum SecretGet {
    static let command = Command(
        "get", "read a secret",
        discussion: [
            "Writes the secret to standard output exactly as it was given; only in a terminal a newline follows. A terminal gets no secret "
                + "that it could take for commands.",
            "With --json the object has the secret as `secret` if it is text, and as `secretBase64` if it isn't.",
        ],
        operands: [SecretName.operand], options: [SecretName.accountOption, Output.option],
        examples: [
            Example("Hand a token to a program that reads one", "thumbturn secret get github | gh auth login --with-token"),
            Example("Write a key to a file that only you can read", "thumbturn secret get deploy-key --output id_ed25519"),
        ]
    ) { invocation throws(Failure) in
        try Output.check(invocation)
        try Daemon.connect()
        let kept = try WantedSecret(invocation).kept()
        let name = kept.name
        if SecretForm.isBinary(kept.attributes) { try KeyResult.refuseTerminal(invocation, "the \(name.shown)") }
        let secret = try read(name)
        guard let path = invocation.value(Output.option) else { return try shown(secret, name, invocation.wantsJSON) }
        try Output.write([.secret(secret, .raw)], toNew: path)
        return Outcome(json: .object(name.json + [("output", .text(path))]))
    }

    private static func read(_ name: SecretName) throws(Failure) -> SecretBytes {
        let reason = "read the \(name.shown)"
        let found = try Daemon.release(about: name.thing, reason: reason) { () throws(ReleaseFailure) in
            try DeviceClient.shared.release(name.query(limit: 1, shape: .data, reason: reason))
        }
        guard let secret = found.first?.secret else {
            throw .secretWithoutData(name.thing)
        }
        return secret
    }

    private static func shown(_ secret: SecretBytes, _ name: SecretName, _ wantsJSON: Bool) throws(Failure) -> Outcome {
        if !wantsJSON && Output.isTerminal && !UTF8Scalars.areShowable(secret) {
            throw .notForTerminal("the \(name.shown)")
        }
        let member: (String, JSON) =
            UTF8Scalars.areValid(secret) ? ("secret", .secret(secret, .jsonText)) : ("secretBase64", .secret(secret, .base64))
        return Outcome(
            text: [.secret(secret, .raw)] + (Output.isTerminal ? [.text("\n")] : []), json: .object(name.json + [member]))
    }
}
