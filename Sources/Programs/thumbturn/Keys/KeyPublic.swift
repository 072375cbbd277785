internal import ThumbAccess
internal import ThumbCrypto

extension Command {
    static let keyPublic: Command = .init(
        name: "public", summary: "write a key's public half",
        discussion: [
            "Writes it as PEM, or as DER (SubjectPublicKeyInfo), both of which the openssl command reads; x963 is the bare point "
                + "that Apple's systems exchange. Asks nobody: a public key is public."
        ],
        operands: [.keyName], options: [.publicFormat, .output]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let format = invocation.value(.publicFormat) ?? "pem"
        let bytes: [UInt8] =
            switch format {
            case "der": key.publicKey.spki
            case "x963": key.publicKey.external
            default: Array(key.publicKey.pem.utf8)
            }
        return try KeyResult(
            bytes, of: "the public key",
            json: [
                ("name", .text(key.name)), ("algorithm", .text(key.algorithm)), ("publicKey", .text(key.publicKey.pem)),
            ]
        ).outcome(invocation, isText: format == "pem")
    }
}

extension Command.Option {
    static let publicFormat = Command.Option(
        name: "format", help: "how it is written, pem by default", value: .choice("FORMAT", ["pem", "der", "x963"]))
}
