import ThumbAccess
import ThumbClient

// How calls to the daemon end, as rows of the table.
extension Failure {
    var exit: Exit { words.exit }

    init(_ failure: KeychainFailure, about thing: Thing) { self = .keychain(failure, about: thing) }

    /// A call that changes what protects the owner.
    init(changing thing: Thing, _ failure: KeychainFailure) {
        self =
            failure == .authenticationFailed
            ? .notRecognized(soThat: "nothing was changed") : .keychain(failure, about: thing)
    }

    init(fingers failure: FingerFailure) {
        switch failure {
        case .keychain(let failure): self.init(changing: .passcode, failure)
        case .reader(let failure): self = .reader(failure)
        }
    }

    /// - Parameter done: What should have been done with the backup.
    init(_ error: BackupError, _ done: String) {
        switch error {
        case .backup(let failure): self = .backup(failure)
        case .keychain(.authenticationFailed): self = .backupNotRecognized(done: done)
        case .keychain(let failure): self = .keychain(failure, about: .backup)
        }
    }
}
