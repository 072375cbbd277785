import ThumbAccess
import ThumbCommands
import ThumbCredentialForms

/// `thumbturn helper aws`, or `thumbturn-aws-credentials`
enum AWSHelper {
    static let name = "aws"

    static let command = Command(
        name, "give AWS's tools an access key",
        discussion: [
            "AWS's command line and its libraries run the program that a profile's `credential_process` names. This one prints the access key "
                + "that the secret NAME has in its fields: `access-key-id`, `secret-access-key`, and if there are such, `session-token`, "
                + "`expiration` and `account-id`.",
            "You are asked each time a program of AWS's starts and needs the key.",
        ],
        operands: [SecretName.known], options: [SecretName.accountOption],
        examples: [
            Example(
                "Keep an access key, and have a profile use it",
                "thumbturn secret add work --field access-key-id --field secret-access-key",
                "aws configure set --profile work \\", "    credential_process 'thumbturn helper aws work'")
        ]
    ) { invocation throws(Failure) in
        try Daemon.connect()
        let name = try WantedSecret(invocation).kept().name
        let fields = try ToolFields(
            name.open(reason: "give AWS's tools the access key in the \(name.shown)"), of: name.thing, for: "AWS",
            needed: [identifier, secret])
        var members: [(String, JSON)] = [
            ("Version", .number(version)), ("AccessKeyId", try fields.needed(identifier)),
            ("SecretAccessKey", try fields.needed(secret)),
        ]
        for (member, field) in optional {
            if let value = try fields.json(field) { members.append((member, value)) }
        }
        return Outcome(forTool: JSON.object(members).line())
    }

    /// Of the protocol.
    private static let version: Int64 = 1
    private static let (identifier, secret) = ("access-key-id", "secret-access-key")
    private static let optional = [
        ("SessionToken", "session-token"), ("Expiration", "expiration"), ("AccountId", "account-id"),
    ]
}
