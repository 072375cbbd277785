public import ThumbAccess
import ThumbSecrets

extension Keybag {
    /// Whose word the passcode is; its own where none is set.
    public var passcodeSource: PasscodeSource {
        // `open` read the section already, the rest was made here, and reading takes no secret memory: it doesn't fail.
        (try? SourceSection.read(file)) ?? .own
    }
}

/// The section that stands only where the passcode is the account's password, beside a passcode slot.
enum SourceSection {
    static func make(_ source: PasscodeSource) throws -> KeybagFile.Section? {
        if source == .own { return nil }
        return KeybagFile.Section(purpose: .source, kind: .file, body: try SecretBytes(copying: [source.rawValue]))
    }

    /// Fails with `newer` for a source of a later version's: who doesn't know it mustn't take the passcode for its own.
    static func read(_ file: KeybagFile) throws -> PasscodeSource {
        guard let section = file[.source] else { return .own }
        guard section.kind == .file, section.body.count == 1, file[.passcode] != nil else { throw Malformed() }
        switch PasscodeSource(rawValue: section.body[0]) {
        case .account?: return .account
        case .own?: throw Malformed()
        case nil: throw StorageError(.newer, "reading whose word the passcode is")
        }
    }
}
