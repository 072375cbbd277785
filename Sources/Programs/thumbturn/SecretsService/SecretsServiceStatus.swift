import CThumbLinux

/// Who keeps the passwords of this user's programs.
enum SecretsServiceStatus {
    static func notice(_ answering: KeyringProgram.Answering, isOn: Bool) -> Notice {
        switch answering {
        case .ours: .secretsServiceAnswers("Thumbturn")
        case .other(let process): .secretsServiceAnswers(name(process))
        case .nobody: isOn ? .secretsServiceWaits : .secretsServiceIsNobodys
        }
    }

    static func name(_ process: String) -> String { Keyring(process: process)?.name ?? process }

    static func json(_ answering: KeyringProgram.Answering) -> JSON {
        switch answering {
        case .ours: .text("thumbturn")
        case .other(let process): .text(name(process))
        case .nobody: .null
        }
    }

    /// Whether the bus would start our provider.
    static var isOn: Bool {
        guard let folders = UserFolders() else { return false }
        let path = folders.activation(KeyringProgram.service)
        guard Change.target(of: path)?.hasSuffix("/takeover/\(KeyringProgram.service).service") == true else { return false }
        // A link that leads nowhere starts nothing: Thumbturn was removed.
        return unsafe access(path, R_OK) == 0
    }
}
