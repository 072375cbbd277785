public import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Why the store couldn't do what it was asked to do.
public struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a caller to switch on.
    public enum Code: Sendable, Equatable, CaseIterable {
        /// The disk or the quota is full.
        case full
        /// The disk failed.
        case inputOutput
        /// A file or the folder can't be opened.
        case cannotOpen
        /// The folder, its file system or a file can't be written.
        case readOnly
        /// Another service has this folder open.
        case inUse
        /// The folder is open to other users.
        case unsafeFolder
        /// The items are there but the keybag isn't, and without it nothing opens.
        case keybagMissing
        /// The keybag is there but the items database isn't.
        case databaseMissing
        /// The keybag's bytes aren't what was written.
        case keybagDamaged
        /// The items database isn't one of ours, or is damaged as a whole.
        case databaseDamaged
        /// The items database belongs to another keybag.
        case foreignDatabase
        /// A later version of the program wrote this.
        case newer
        /// A slot or the anchor is in a TPM, and there is none, or it can't be reached.
        case custodianAbsent
        /// The TPM went away during a command.
        case custodianLost
        /// The TPM waits, after too many wrong passcodes.
        case custodianLocked
        /// The slot belongs to another TPM, or is from before this one was cleared.
        case custodianForeign
        /// The TPM refuses what was kept for it, or something else has taken its place there.
        case custodianRefused
        /// An old copy of the store, or of its keybag, was put back; or the counter that would show this is gone.
        case oldCopy
        /// The latest changes are missing: a service didn't end cleanly, and its log is gone.
        case logMissing
        /// The records don't add up to their total: one was lost, altered or put back.
        case recordsMismatch
        /// The class key isn't available.
        case keyNotAtHand
        /// The call doesn't fit the keybag's state: a passcode is set, or none is.
        case wrongState
        /// A passcode, parameter or value is beyond its named limit.
        case limit
        /// A recovery code was mistyped: its check symbols are wrong.
        case mistyped
        /// No memory, or no locked memory for a secret.
        case outOfMemory
        /// SQLite or the cryptographic library failed in an unexpected way.
        case failed
    }

    /// What went wrong.
    public let code: Code
    /// SQLite's extended result code or the system's errno, whichever there was; otherwise 0.
    public let raw: Int32
    /// What was being done, in our own words.
    private let text: StaticString

    init(_ code: Code, raw: Int32 = 0, _ text: StaticString) {
        self.code = code
        self.raw = raw
        self.text = text
    }

    /// Errors are equal if their codes are.
    public static func == (left: StorageError, right: StorageError) -> Bool { left.code == right.code }

    /// What was being done, the code and the raw number.
    public var description: String {
        raw == 0 ? "StorageError.\(code): \(text)" : "StorageError.\(code): \(text) (\(raw))"
    }

    /// The keychain failure for this error. Errors of the store become failures of the keychain only here.
    public var keychainFailure: KeychainFailure {
        switch code {
        case .full, .inputOutput, .cannotOpen, .inUse: .storeUnavailable
        case .readOnly: .readOnly
        case .keyNotAtHand: .interactionNotAllowed
        case .databaseDamaged: .damaged
        case .limit: .dataTooLarge
        case .outOfMemory: .outOfMemory
        case .custodianAbsent: .custodianAbsent
        case .custodianLost: .custodianLost
        case .custodianLocked: .custodianLocked
        case .custodianForeign: .custodianForeign
        case .unsafeFolder, .keybagMissing, .databaseMissing, .keybagDamaged, .foreignDatabase, .newer, .custodianRefused,
            .oldCopy, .logMissing, .recordsMismatch, .wrongState, .mistyped, .failed:
            .internalFailure
        }
    }
}

/// Runs `body` and turns whatever it throws into an error of this room.
func storing<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
    do {
        return try body()
    } catch let error as StorageError {
        throw error
    } catch let error as SecretError {
        throw StorageError(error.isWant ? .outOfMemory : .failed, raw: error.systemError, "holding a secret")
    } catch let error as CryptoError {
        throw StorageError(StorageError.code(of: error), "using the cryptographic library")
    } catch {  // An unknown error: what it says would mean nothing to anybody.
        throw StorageError(.failed, "in the store")
    }
}

extension StorageError {
    fileprivate static func code(of error: CryptoError) -> Code {
        switch error.code {
        case .outOfMemory: .outOfMemory
        case .limit: .limit
        case .authenticationFailed, .invalidKey, .invalidInput, .unsupported, .agreementFailed, .randomRefused, .library: .failed
        }
    }
}

extension SecretError {
    /// Whether memory was missing, locked memory or other. That passes.
    fileprivate var isWant: Bool {
        switch code {
        case .arenaFull, .lockRefused, .mappingRefused: true
        case .tooLarge, .randomRefused, .overfilled, .outOfBounds: false
        }
    }
}

/// Runs `body` and turns whatever it throws into a keychain failure.
func keeping<Result>(_ body: () throws -> Result) throws(KeychainFailure) -> Result {
    do {
        return try body()
    } catch let failure as KeychainFailure {
        throw failure
    } catch {
        do {
            return try storing { throw error }
        } catch {
            throw error.keychainFailure
        }
    }
}
