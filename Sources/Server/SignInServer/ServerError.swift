/// Why a server didn't start, or an account wasn't made.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a caller to switch on.
    public enum Code: Sendable, Equatable {
        /// The address isn't numeric with a port, or the server can't listen there.
        case address
        /// The origin isn't valid in statements.
        case origin
        /// The file of settings can't be read, or others may write it.
        case settings
        /// A certificate or its key can't be read or used.
        case certificate
        /// libmicrohttpd didn't start.
        case http
        /// There is no folder for the database that only this user can write.
        case folder
        /// The account's name or password isn't valid, or the name is taken.
        case account
        /// The database refused.
        case ledger
    }

    /// What went wrong.
    public let code: Code
    private let text: String
    /// The system's errno, or 0 if no system call was involved.
    public let systemError: Int32

    init(_ code: Code, _ text: String, systemError: Int32 = 0) {
        self.code = code
        self.text = text
        self.systemError = systemError
    }

    /// Errors are equal if their codes are.
    public static func == (left: ServerError, right: ServerError) -> Bool { left.code == right.code }

    /// What went wrong, in words for the person who started it.
    public var description: String { systemError == 0 ? text : "\(text) (errno \(systemError))" }
}
