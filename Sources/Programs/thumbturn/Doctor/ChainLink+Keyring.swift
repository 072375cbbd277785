import CThumbLinux
import ThumbAccess
import ThumbSystem

/// Who keeps the passwords of other programs, as the doctor finds it.
enum DesktopKeyring: Sendable, Equatable {
    case ours
    /// A keyring that answers, or would start if a program asked.
    case other(String, isRunning: Bool)

    /// Largest file for a name that is read, in bytes. A real one has three lines.
    private static let limit = 4096

    /// nil where there is no session bus, and nobody who would answer there.
    static func find() -> DesktopKeyring? {
        // Without a bus, or without the program that looks, there is nothing to say about it.
        guard let answering = try? KeyringProgram.who() else { return nil }
        switch answering {
        case .ours: return .ours
        case .other(let process): return .other(SecretsServiceStatus.name(process), isRunning: true)
        case .nobody: return SecretsServiceStatus.isOn ? .ours : waiting
        }
    }

    /// The keyring that the bus would start.
    private static var waiting: DesktopKeyring? {
        guard let path = UserFolders()?.activationFile(KeyringProgram.service), let bytes = Transfer.file(path, atMost: limit)
        else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Exec=") }
        let program = line?.dropFirst(5).split(separator: " ").first?.split(separator: "/").last.map(String.init) ?? ""
        return .other(SecretsServiceStatus.name(String(program.prefix(15))), isRunning: false)
    }
}

// Beside the owner's own secrets: those that other programs keep in the desktop's keyring.
extension ChainLink {
    static func keyring(_ keyring: DesktopKeyring?) -> ChainLink? {
        switch keyring {
        case nil: nil
        case .ours:
            ChainLink(
                name: "other programs", level: .sound, finding: "keep their passwords here",
                meaning: "A program has what it stored itself, and you are asked before another one gets it.", strength: 9)
        case .other(let name, let isRunning):
            ChainLink(
                name: "other programs", level: .weak,
                finding: "keep their passwords in \(SafeText(name, limit: 60))"
                    + (isRunning ? "" : ", which starts when one asks"),
                meaning: "Any program of yours can read the passwords that all the others keep there.",
                mend: "thumbturn secrets-service on", strength: 9)
        }
    }
}
