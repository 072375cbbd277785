import ThumbAccess
import ThumbCommands

/// `thumbturn helper ansible`, or `thumbturn-ansible-client`
enum AnsibleHelper {
    static let name = "ansible"

    static let command = Command(
        name, "give ansible the password of a vault",
        discussion: [
            "ansible takes a program for a client of this kind by the end of its name, so use `thumbturn-ansible-client`. It asks for the password "
                + "by a label; the secret is called `ansible:` and that label.",
            "If there is no such secret the exit code is 2, by which ansible knows that it may look elsewhere.",
        ],
        options: [vault],
        exits: [ExitStatus(unknownLabel, "there is no such secret"), ExitStatus(Exit.failed.rawValue, "any other failure")],
        examples: [
            Example(
                "Keep a vault's password, and open the vault with it", "thumbturn secret add ansible:prod",
                "ansible-vault view secrets.yml \\", "    --vault-id prod@/usr/bin/thumbturn-ansible-client"),
            Example("See what ansible would get", "thumbturn helper ansible --vault-id prod"),
        ]
    ) { invocation throws(Failure) in
        let label = invocation.value(vault) ?? "default"
        do throws(Failure) {
            try Daemon.connect()
            let name = try WantedSecret("\(Self.name):\(label)", account: nil).kept().name
            let secret = try name.open(reason: "give ansible the password of the vault '\(SafeText(label, limit: 60))'")
            return Outcome(forTool: [.secret(try ToolText.line(secret, of: name.thing, for: Self.name), .raw), .text("\n")])
        } catch {
            if case .keychain(.itemNotFound, about: _) = error {
                return Outcome(forTool: [], failure: error, status: unknownLabel)
            }
            // Every other failure must not look like that one, whose number this program uses for something else.
            return Outcome(forTool: [], failure: error, status: Exit.failed.rawValue)
        }
    }

    private static let vault = Option("vault-id", "the label of the vault; `default` if ansible names none", .text("LABEL"))
    /// By which ansible knows that there is no such label here.
    private static let unknownLabel: Int32 = 2
}
