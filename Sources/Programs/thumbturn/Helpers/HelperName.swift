/// The names under which other tools start this program. Each is a link to it, so that the daemon sees one program and one set of secrets.
enum HelperName: String, Sendable, CaseIterable {
    case git = "git-credential-thumbturn"

    /// The command that the name stands for.
    var words: [String] {
        switch self {
        case .git: [Helpers.name, GitHelper.name]
        }
    }

    /// The line without the program's own name. If that is one of these, the line begins with the command that it stands for.
    static func words(of line: [String]) -> [String] {
        let name = line.first.flatMap { $0.split(separator: "/").last }.map(String.init) ?? ""
        return (HelperName(rawValue: name)?.words ?? []) + line.dropFirst()
    }
}
