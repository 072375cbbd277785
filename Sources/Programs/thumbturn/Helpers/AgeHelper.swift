import ThumbAccess
import ThumbCommands
import ThumbCredentialForms
import ThumbCrypto
import ThumbSecrets

/// `thumbturn helper age`, or `age-plugin-thumbturn`
enum AgeHelper {
    static let name = "age"

    static let command = Command(
        name, "open files of age with a key that never leaves this device",
        discussion: [
            "age starts this as `age-plugin-thumbturn` for recipients and identities of its kind. Make a key with `thumbturn key create`; given its "
                + "name, this prints an identity file for age. The file isn't secret: it only says which key it is.",
            "Anybody can encrypt to the recipient in it, with this program and without the key. To decrypt, you are asked as the key's "
                + "protection says, once for each file. Nothing else opens these files: no backup has the key, so encrypt to a second recipient too.",
        ],
        operands: [Operand(Keys.known.value, Keys.known.help, .optional)],
        options: [task],
        examples: [
            Example(
                "Make a key and an identity file for it", "thumbturn key create files --protect biometry",
                "thumbturn helper age files > files.txt"),
            Example(
                "Encrypt to its recipient, and decrypt", "age -R <(grep -o 'age1.*' files.txt) -o notes.age notes",
                "age -d -i files.txt notes.age"),
        ]
    ) { invocation throws(Failure) in
        if let task = invocation.value(task).flatMap({ AgePhase.Task(rawValue: $0) }) {
            var plugin = AgePlugin(task)
            try plugin.converse()
            return Outcome(forTool: [])
        }
        guard !invocation.operands.isEmpty else { throw .misuse(Misuse(.missing(Keys.known.name), invocation.path)) }
        let key = try StoredKey.named(invocation)
        guard let identity = key.age else { throw .helper(.keyNotForAge(key.thing)) }
        return Outcome(forTool: [
            .text("# key: \(SafeText(key.name, limit: 60)), protection: \(Protection.name(key.item.rule))\n"),
            .text("# recipient: \(identity.recipient)\n\(identity.identity)\n"),
        ])
    }

    private static let task = Option(
        "age-plugin", "what age wants; age gives it", .choice("TASK", AgePhase.Task.allCases.map(\.rawValue)))
}

extension StoredKey {
    /// The key as age names it; nil for a key of another kind.
    var age: AgeKey? {
        guard publicKey.kind == .elliptic(.p256) else { return nil }
        // An uncompressed point has a byte in front that says so.
        return AgeKey(point: Array(publicKey.external.dropFirst()))
    }
}

extension AgeKey {
    /// Fails if the point isn't on the curve.
    var publicKey: PublicKey {
        get throws { try PublicKey(external: [0x04] + point, .elliptic) }
    }

    /// By which a file's stanza says that it is for this key.
    var tag: [UInt8] {
        get throws { try Array(HashFunction.sha256.hash(point).prefix(AgeWrapping.tagBytes)) }
    }
}
