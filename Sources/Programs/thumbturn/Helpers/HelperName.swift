/// The names under which other tools start this program. Each is a link to it, so that the daemon sees one program and one set of secrets.
enum HelperName: String, Sendable, CaseIterable {
    case git = "git-credential-thumbturn"
    case docker = "docker-credential-thumbturn"
    case aws = "thumbturn-aws-credentials"
    case kubectl = "thumbturn-kubectl-credentials"
    case ansible = "thumbturn-ansible-client"
    case cargo = "cargo-credential-thumbturn"
    case age = "age-plugin-thumbturn"
    case askpass = "thumbturn-askpass"

    /// The command that the name stands for.
    var words: [String] {
        switch self {
        case .git: [Helpers.name, GitHelper.name]
        case .docker: [Helpers.name, DockerHelper.name]
        case .aws: [Helpers.name, AWSHelper.name]
        case .kubectl: [Helpers.name, KubectlHelper.name]
        case .ansible: [Helpers.name, AnsibleHelper.name]
        case .cargo: [Helpers.name, CargoHelper.name]
        case .age: [Helpers.name, AgeHelper.name]
        // A prompt may begin with a hyphen.
        case .askpass: [Helpers.name, AskpassHelper.name, "--"]
        }
    }

    /// The line without the program's own name. If that is one of these, the line begins with the command that it stands for.
    ///
    /// Its version is this program's. No tool asks a helper for it, so a person does.
    static func words(of line: [String]) -> [String] {
        let name = line.first.flatMap { $0.split(separator: "/").last }.map(String.init) ?? ""
        let given = Array(line.dropFirst())
        guard let helper = HelperName(rawValue: name), given != ["--version"] else { return given }
        return helper.words + given
    }
}
