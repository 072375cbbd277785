/// The limits for clients of a sign-in server, each with its reason. HTTP's limits are in the server.
public enum SignInLimit {
    /// How many seconds a challenge is good: enough to find the finger, and too few to collect challenges.
    public static let secondsOfChallenge: Int64 = 60
    /// How many seconds a challenge is remembered after its end, so that a late client is told *expired* and not *unknown*.
    public static let secondsRemembered: Int64 = 600
    /// How many devices an account may have that aren't revoked: more than anybody has.
    public static let devices = 32
    /// How many revoked devices are listed, so that registering and revoking can't make the list long.
    public static let revokedDevices = 32
    /// The longest name of a device, in characters: one line of a list.
    public static let nameCharacters = 64
    /// The longest text that a device says about its protection, in bytes. Nothing depends on these few words.
    public static let protectionBytes = 256
    /// How many sessions of an account one list has, beginning with the newest: more than anybody reads. Ending all others also ends
    /// unlisted ones.
    public static let listedSessions = 100
    /// How many accounts one answer of a ledger has. It is a page, so that a list of a million isn't in memory.
    public static let listedAccounts = 500
    /// How many deeds one transaction has, so that a write lock is held only for a short time.
    public static let batch = 256
}

/// The words that a device sends when it is registered.
public enum DeviceWords {
    /// Whether the text may be a device's name: 1 to 64 characters, none of them a control character.
    public static func isName(_ text: String) -> Bool {
        (1...SignInLimit.nameCharacters).contains(text.unicodeScalars.count) && isLine(text)
    }

    /// Whether a device may say this about its protection.
    public static func isProtection(_ text: String) -> Bool {
        text.utf8.count <= SignInLimit.protectionBytes && isLine(text)
    }

    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
