/// Why a secret couldn't be held.
public struct SecretError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a caller to switch on.
    public enum Code: Sendable, Equatable {
        /// The secret is longer than `SecretArena.maximumSecret`.
        case tooLarge
        /// The arena has reached its own limit on locked memory. There is room again once secrets are released.
        case arenaFull
        /// The system refused to lock the memory (RLIMIT_MEMLOCK, or no permission).
        case lockRefused
        /// The system refused a mapping, or one of the protections a mapping must have.
        case mappingRefused
        /// The system's random source failed.
        case randomRefused
        /// A fill claimed to have written more bytes than it had room for.
        case overfilled
        /// A count was negative, or a range wasn't within the secret.
        case outOfBounds
    }

    /// What went wrong.
    public let code: Code
    /// The system's errno, or 0 if no system call was involved.
    public let systemError: Int32

    /// Makes an error of `code`, keeping the system's own number if there is one.
    public init(_ code: Code, systemError: Int32 = 0) {
        self.code = code
        self.systemError = systemError
    }

    /// Errors are equal if their codes are. The errno is for people to read, not for decisions.
    public static func == (left: SecretError, right: SecretError) -> Bool { left.code == right.code }

    /// The code and the errno.
    public var description: String {
        systemError == 0 ? "SecretError.\(code)" : "SecretError.\(code) (errno \(systemError))"
    }
}
