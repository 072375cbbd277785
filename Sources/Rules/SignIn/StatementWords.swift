import ThumbAccess

/// An account as statements name it. A prompt can show every account name in full.
public struct AccountName: Sendable, Hashable {
    public static let longest = 128
    private let name: ExactName

    public var text: String { name.text }

    /// - Returns: nil unless it is 1 to 128 visible characters of ASCII.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        name = ExactName(text)
    }
}

/// What a challenge is given for, and what a statement says it is for. Each act on the account has its own purpose, so that a yes to one of
/// them is never a yes to another.
public enum Purpose: String, Sendable, Hashable, CaseIterable {
    case signIn = "sign-in"
    case register
    case changePassword = "change-password"
    case removePassword = "remove-password"
    case endSessions = "end-sessions"
    case revokeDevice = "revoke-device"
    case deleteAccount = "delete-account"

    static let longest = allCases.map { $0.rawValue.utf8.count }.max() ?? 0
}

/// SHA-256 of a key's SubjectPublicKeyInfo, so that a device's name follows from its key.
public struct DeviceID: Sendable, Hashable {
    public let digest: Digest32

    public init(_ digest: Digest32) { self.digest = digest }
}

/// Why a request is refused, as docs/developers/sign-in.md lists them. The raw value is the code that clients see.
public enum SignInRefusal: String, Error, Sendable, Hashable, CaseIterable {
    case malformed
    case members
    case value
    case statementMalformed = "statement-malformed"
    case signatureMalformed = "signature-malformed"
    case keyMalformed = "key-malformed"
    case keyUnsuitable = "key-unsuitable"
    case keyInvalid = "key-invalid"
    case passwordShort = "password-short"
    case passwordCommon = "password-common"
    case credentials
    case session
    case challengeUnknown = "challenge-unknown"
    case deviceUnknown = "device-unknown"
    case signature
    case origin
    case purpose
    case challengeForeign = "challenge-foreign"
    case deviceRevoked = "device-revoked"
    case accountLocked = "account-locked"
    case statementDevice = "statement-device"
    case statementAccount = "statement-account"
    case notFresh = "not-fresh"
    case closed
    case notFound = "not-found"
    case method
    case slow
    case challengeUsed = "challenge-used"
    case accountExists = "account-exists"
    case deviceTaken = "device-taken"
    case tooManyDevices = "too-many-devices"
    case noDevice = "no-device"
    case lastDevice = "last-device"
    case challengeExpired = "challenge-expired"
    case length
    case tooLarge = "too-large"
    case target
    case mediaType = "media-type"
    case slowDown = "slow-down"
    case headers
    case busy
}
