public import ThumbAccess
import ThumbSecrets

extension Keybag {
    /// Where the passcode comes from; its own if none is set.
    public var passcodeSource: PasscodeSource {
        // This can't fail: `open` has read the section or it was made here, and reading takes no secret memory.
        (try? SourceSection.read(file)) ?? .own
    }
}

/// The section that exists only if the passcode is the account's password, beside a passcode slot.
enum SourceSection {
    static func make(_ source: PasscodeSource) throws -> KeybagFile.Section? {
        if source == .own { return nil }
        return KeybagFile.Section(purpose: .source, kind: .file, body: try SecretBytes(copying: [source.rawValue]))
    }

    /// Fails with `newer` for a source that a later version wrote. A program that doesn't know the source mustn't take the passcode for a
    /// passcode of its own.
    static func read(_ file: KeybagFile) throws -> PasscodeSource {
        guard let section = file[.source] else { return .own }
        guard section.kind == .file, section.body.count == 1, file[.passcode] != nil else { throw Malformed() }
        switch PasscodeSource(rawValue: section.body[0]) {
        case .account?: return .account
        case .own?: throw Malformed()
        case nil: throw StorageError(.newer, "reading where the passcode comes from")
        }
    }
}
