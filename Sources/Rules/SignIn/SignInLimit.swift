/// The limits that clients of a sign-in server are held to, each with its reason. The limits of HTTP are the server's.
public enum SignInLimit {
    /// Seconds that a challenge is good: time to find the finger, and no time to collect challenges.
    public static let secondsOfChallenge: Int64 = 60
    /// Seconds that a challenge is remembered after its end, so that a client that comes late hears *expired* and not *unknown*.
    public static let secondsRemembered: Int64 = 600
    /// Devices of an account that aren't revoked: more than anybody has.
    public static let devices = 32
    /// How many revoked devices are listed, so that registering and revoking can't make the list long.
    public static let revokedDevices = 32
    /// Characters of a device's name: one line of a list.
    public static let nameCharacters = 64
    /// Bytes of what a device says of its protection: a few words, which decide nothing.
    public static let protectionBytes = 256
    /// Sessions of an account in one list, the newest: more than anybody reads. The word that ends all others ends unlisted ones
    /// too.
    public static let listedSessions = 100
    /// Accounts in one answer of a ledger's. A page, so that a list of a million doesn't lie in memory.
    public static let listedAccounts = 500
    /// Deeds in one transaction, so that a write lock is held for a short time.
    public static let batch = 256
}

/// The words that a device brings with it when it is registered.
public enum DeviceWords {
    /// Whether it may be a device's name: 1 to 64 characters, none of them a control character.
    public static func isName(_ text: String) -> Bool {
        (1...SignInLimit.nameCharacters).contains(text.unicodeScalars.count) && isLine(text)
    }

    /// Whether a device may say this of its protection.
    public static func isProtection(_ text: String) -> Bool {
        text.utf8.count <= SignInLimit.protectionBytes && isLine(text)
    }

    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
