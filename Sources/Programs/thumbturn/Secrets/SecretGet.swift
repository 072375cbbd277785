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
            "With --field it is one field of a secret that has fields. NAME can also be a reference: `thumbturn://NAME/FIELD`, or "
                + "`thumbturn://NAME` for all of it, with `?account=ACCOUNT` behind it where there are several of that name.",
            "With --clipboard the secret goes to the clipboard of your desktop session, and is cleared after a while, unless you have copied "
                + "something else by then. Until then every program of the session can read it, and a clipboard manager may keep a copy. It "
                + "takes the package wl-clipboard on Wayland, and xclip or xsel on X11. A wl-copy that would write the secret to the disk isn't "
                + "used: versions up to 2.2.1 do that where /tmp isn't in memory. On Wayland xclip and xsel are used instead if there is an X "
                + "server too.",
            "With --json the object has the secret as `secret` if it is text, and as `secretBase64` if it isn't.",
        ],
        operands: [SecretName.known],
        options: [SecretName.accountOption, FieldOption.option, Output.option, Clipboard.option, Clipboard.clearOption],
        examples: [
            Example("Paste a password without seeing it", "thumbturn secret get mail --clipboard"),
            Example("Hand a token to a program that reads one", "thumbturn secret get github | gh auth login --with-token"),
            Example("Write a key to a file that only you can read", "thumbturn secret get deploy-key --output id_ed25519"),
            Example(
                "Read one field of it, named in two ways", "thumbturn secret get mail --field username",
                "thumbturn secret get thumbturn://mail/username"),
        ]
    ) { invocation throws(Failure) in
        let reference = try SecretReference(invocation)
        let clipboard = try Clipboard(invocation, not: Output.option)
        try Output.check(invocation)
        try Daemon.connect()
        let kept = try reference.kept()
        let name = kept.name
        if clipboard == nil, reference.field == nil, SecretForm.isBinary(kept.attributes) {
            try KeyResult.refuseTerminal(invocation, "the \(name.shown)")
        }
        let secret = try reference.part(of: name.open(reason: "read the \(name.shown)"), name)
        let json = name.json + reference.fieldJSON
        if let clipboard {
            try clipboard.take(secret, of: name.thing)
            return Outcome(clipboard.notice(of: name.thing, field: reference.field), json: .object(json + clipboard.json))
        }
        guard let path = invocation.value(Output.option) else { return try shown(secret, name, json, invocation.wantsJSON) }
        try Output.write([.secret(secret, .raw)], toNew: path)
        return Outcome(json: .object(json + [("output", .text(path))]))
    }

    private static func shown(
        _ secret: SecretBytes, _ name: SecretName, _ json: [(String, JSON)], _ wantsJSON: Bool
    ) throws(Failure) -> Outcome {
        if !wantsJSON && Output.isTerminal && !UTF8Scalars.areShowable(secret) {
            throw .notForTerminal("the \(name.shown)")
        }
        let member: (String, JSON) =
            UTF8Scalars.areValid(secret) ? ("secret", .secret(secret, .jsonText)) : ("secretBase64", .secret(secret, .base64))
        return Outcome(
            text: [.secret(secret, .raw)] + (Output.isTerminal ? [.text("\n")] : []), json: .object(json + [member]))
    }
}
