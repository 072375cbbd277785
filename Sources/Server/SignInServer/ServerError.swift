/// Why a server didn't start, or an account wasn't made.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a caller to switch on.
    public enum Code: Sendable, Equatable {
        /// The address isn't one of numbers with a port, or can't be listened on.
        case address
        /// The origin isn't one that statements can name.
        case origin
        /// A certificate or its key can't be read or used.
        case certificate
        /// libmicrohttpd didn't start.
        case http
        /// There is no folder for the database that this user alone can write.
        case folder
        /// The account's name or password isn't one, or the name is taken.
        case account
        /// The database refused.
        case ledger
    }

    /// What went wrong.
    public let code: Code
    private let text: String
    /// The system's errno, or 0 where no system call was involved.
    public let systemError: Int32

    init(_ code: Code, _ text: String, systemError: Int32 = 0) {
        self.code = code
        self.text = text
        self.systemError = systemError
    }

    /// Errors are equal if their codes are.
    public static func == (left: ServerError, right: ServerError) -> Bool { left.code == right.code }

    /// What went wrong, in words for whoever started it.
    public var description: String { systemError == 0 ? text : "\(text) (errno \(systemError))" }
}
