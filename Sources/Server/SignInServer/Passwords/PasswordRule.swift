import ThumbSecrets
import ThumbSignIn

/// Which new passwords are taken. A password that an account has already isn't judged: its owner signs in with it as before.
public struct PasswordRule: Sendable {
    /// The fewest characters that are asked for unless an operator says otherwise.
    public static let usualLength = 8
    /// What an operator may ask for. Nobody may ask for less, and more would be a sentence.
    public static let lengths = usualLength...64

    /// The fewest characters of a new password.
    public let least: Int

    /// A rule that asks for so many characters, as far as that is allowed.
    public init(least: Int = usualLength) {
        self.least = min(max(least, Self.lengths.lowerBound), Self.lengths.upperBound)
    }

    /// Refuses a password that is too short, or that a guesser would try first.
    /// - Throws: `.passwordShort` or `.passwordCommon`.
    func check(_ password: SecretBytes, of account: AccountName) throws(SignInRefusal) {
        // Every byte begins a character, unless it continues one.
        let characters = (0..<password.count).count { password[$0] & 0xC0 != 0x80 }
        if characters < least { throw .passwordShort }
        let isName = Self.isSame(password, account.text.utf8.map(Self.small))
        if isName || Self.isRun(password) || Self.commonest.contains(where: { Self.isSame(password, $0) }) {
            throw .passwordCommon
        }
    }

    /// Whether each of its characters is the same as the one before, or the next one, or the previous one: aaaaaaaa, 12345678, 87654321.
    private static func isRun(_ password: SecretBytes) -> Bool {
        guard password.count > 1 else { return true }
        let step = Int(password[1]) - Int(password[0])
        return abs(step) <= 1 && (1..<password.count).allSatisfy { Int(password[$0]) - Int(password[$0 - 1]) == step }
    }

    /// Whether these are its bytes, whatever the case of its letters.
    private static func isSame(_ password: SecretBytes, _ small: [UInt8]) -> Bool {
        password.count == small.count && small.indices.allSatisfy { Self.small(password[$0]) == small[$0] }
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The words of the list, which are in small letters. A line that begins with `#` says where they come from.
    static let commonest: [[UInt8]] = PackageResources.commonest_txt.split(separator: UInt8(ascii: "\n"))
        .filter { $0.first != UInt8(ascii: "#") }
        .flatMap { $0.split(separator: UInt8(ascii: " ")).map { Array($0) } }
}
