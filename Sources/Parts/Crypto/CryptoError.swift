/// Why a cryptographic operation didn't give its result.
public struct CryptoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a caller to switch on.
    public enum Code: Sendable, Equatable {
        /// A ciphertext, its nonce, its associated data or its key isn't the one it was sealed with. Every failure to open data from
        /// outside is this one: different errors would answer an attacker's questions.
        case authenticationFailed
        /// A key has the wrong length or form, isn't on the curve, is out of range, or its halves don't match.
        case invalidKey
        /// Another input has a form that the algorithm doesn't take.
        case invalidInput
        /// An input or a parameter is beyond a named limit.
        case limit
        /// The algorithm isn't one for a key of this kind.
        case unsupported
        /// Two keys of one curve share no secret.
        case agreementFailed
        /// The kernel's random source failed.
        case randomRefused
        /// The library found no memory. This says nothing about the library's input.
        case outOfMemory
        /// The library itself failed; the number is its own.
        case library(UInt)

        /// Whether the caller passed something that can't be worked with; otherwise the machine failed.
        public var isCallers: Bool {
            switch self {
            case .authenticationFailed, .invalidKey, .invalidInput, .limit, .unsupported: true
            case .agreementFailed, .randomRefused, .outOfMemory, .library: false
            }
        }
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
