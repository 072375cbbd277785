import ThumbCommands

/// `thumbturn secret`
enum Secrets {
    static let command = Command(
        "secret", "add, make up, read, list, edit, rename and remove secrets",
        examples: [
            Example("Keep a password that you type, for the owner's eyes only", "thumbturn secret add mail"),
            Example(
                "Keep the contents of a file, and write them back to another one", "thumbturn secret add deploy-key <id_ed25519",
                "thumbturn secret get deploy-key --output restored"),
            Example(
                "Keep a token that scripts can read without asking you",
                "printf %s \"$TOKEN\" | thumbturn secret add token --protect none"),
        ],
        subcommands: [
            SecretAdd.command, SecretGenerate.command, SecretGet.command, SecretList.command, SecretEdit.command,
            SecretRename.command,
            SecretRemove.command,
        ])
}
