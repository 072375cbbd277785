/// Why a cryptographic operation didn't give its result.
public struct CryptoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a caller to switch on.
    public enum Code: Sendable, Equatable {
        /// A ciphertext, its nonce, its associated data or its key isn't the one it was sealed with.
        case authenticationFailed
        /// A key has the wrong length, isn't on the curve, or is out of range.
        case invalidKey
        /// Another input has a form that the algorithm doesn't take.
        case invalidInput
        /// An input or a parameter is beyond a named limit.
        case limit
        /// The kernel's random source failed.
        case randomRefused
        /// The library itself failed; the number is its own.
        case library(UInt)
    }

    /// What went wrong.
    public let code: Code
    /// What was being done, in words of ours; never an input.
    private let text: StaticString

    internal init(_ code: Code, _ text: StaticString) {
        self.code = code
        self.text = text
    }

    /// Errors are equal if their codes are.
    public static func == (left: CryptoError, right: CryptoError) -> Bool { left.code == right.code }

    /// The code and what was being done.
    public var description: String { "CryptoError.\(code): \(text)" }
}
