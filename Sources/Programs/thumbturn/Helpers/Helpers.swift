import ThumbCommands

/// `thumbturn helper`
enum Helpers {
    static let name = "helper"

    static let command = Command(
        name, "give other tools the secrets that they ask for",
        discussion: [
            "Tools such as git look for a program of a certain name that keeps passwords for them. These are links to thumbturn: started as "
                + "`git-credential-thumbturn`, it does what `thumbturn helper git` does.",
            "What a tool keeps here is a secret like any other: `thumbturn secret list` shows it, under a name that begins with the tool's. "
                + "You are asked as the secret's protection says, and a tool gets no more than it asked for.",
            "The protection of a new secret comes from --protect and --class where the tool lets you give options, or else from the "
                + "variables THUMBTURN_PROTECT and THUMBTURN_CLASS. Without them it is `presence`. A secret that is replaced keeps its own, unless "
                + "you give one of these.",
        ],
        examples: [
            Example("Have git keep its passwords here", "git config --global credential.helper thumbturn"),
            Example("Read about a tool's helper", "thumbturn helper git --help"),
        ],
        subcommands: [
            GitHelper.command, DockerHelper.command, AWSHelper.command, KubectlHelper.command, AnsibleHelper.command,
            CargoHelper.command, AgeHelper.command, AskpassHelper.command,
        ])
}
