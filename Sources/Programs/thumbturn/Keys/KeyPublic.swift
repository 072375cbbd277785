import ThumbAccess
import ThumbCommands
import ThumbCrypto

/// `thumbturn key public`
enum KeyPublic {
    static let command = Command(
        "public", "write a key's public half",
        discussion: [
            "Writes it as PEM or DER (SubjectPublicKeyInfo), both of which openssl(1) reads, or as x963, the bare point that Apple's systems "
                + "exchange. Nobody is asked, because a public key is public."
        ],
        operands: [Keys.known], options: [format, Output.option],
        examples: [
            Example("Let somebody check your signatures", "thumbturn key public release --output release.pem")
        ]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let form = invocation.value(format) ?? "pem"
        let bytes: [UInt8] =
            switch form {
            case "der": key.publicKey.spki
            case "x963": key.publicKey.external
            default: Array(key.publicKey.pem.utf8)
            }
        return try KeyResult(
            bytes, of: "the public key",
            json: [
                ("name", .text(key.name)), ("algorithm", .text(key.algorithm)), ("publicKey", .text(key.publicKey.pem)),
            ]
        ).outcome(invocation, isText: form == "pem")
    }

    private static let format = Option("format", "how to write it, pem by default", .choice("FORMAT", ["pem", "der", "x963"]))
}
