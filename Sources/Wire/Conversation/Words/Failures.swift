public import ThumbAccess

// Why calls fail. A keychain failure is a word of its own; the other failures use the word that fits them.

extension KeychainFailure: Word, WireChoice, CallFailure {
    public static let wireKind = WordKind.failed

    public init?(_ frame: Frame) throws(Refusal) {
        guard frame.kind == Self.wireKind else { return nil }
        self = try frame.word()
    }
}

extension BackupError: CallFailure {
    public init?(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .backupFailed: self = .backup(try frame.word())
        case .failed: self = .keychain(try frame.word())
        default: return nil
        }
    }
}

extension FingerFailure: CallFailure {
    public init?(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .enrollingEnded: self = .reader(try frame.word(EnrollingEnded.self).failure ?? .failed)
        case .failed: self = .keychain(try frame.word())
        default: return nil
        }
    }
}

/// Of the ways in which asking the owner can end, only failures are reported.
extension ReleaseFailure: CallFailure {
    public init?(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .evaluated:
            guard case .failure(let failure) = try frame.word(EvaluationReply.self).result else { throw .malformed }
            self = .owner(failure)
        case .failed: self = .keychain(try frame.word())
        default: return nil
        }
    }
}

/// A call that the daemon always answers.
extension Never: CallFailure {
    public init?(_ frame: Frame) throws(Refusal) { return nil }
}
