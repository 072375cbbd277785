import ThumbCommands

/// `thumbturn key`
enum Keys {
    static let command = Command(
        "key", "make and use keys that never leave this device",
        examples: [
            Example(
                "Sign a file, and let openssl check the signature", "thumbturn key create release",
                "thumbturn key sign release app.tar >app.sig", "thumbturn key public release >release.pem",
                "openssl dgst -sha256 -verify release.pem -signature app.sig app.tar"),
            Example(
                "Encrypt a file that only this device opens", "thumbturn key encrypt release notes --output notes.sealed",
                "thumbturn key decrypt release notes.sealed"),
        ],
        subcommands: [
            KeyCreate.command, KeyList.command, KeyPublic.command, KeySign.command, KeyVerify.command, KeyEncrypt.command,
            KeyDecrypt.command, KeyRemove.command,
        ])

    static let name = Operand(.text("NAME"), "what the key is called")
    /// The same for a key that there is.
    static let known = Operand(Names.Kind.keys.value(name.name), name.help)
    static let input = Operand(.file("FILE"), "what to read, instead of standard input", .optional)
}
