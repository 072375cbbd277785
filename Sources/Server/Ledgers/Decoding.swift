import ThumbSignIn

/// Turns a table's values into the rules' types. A value in another form than it was written in is damage: the store contradicts itself.
enum Decoding {
    static func account(_ text: String) throws(LedgerFailure) -> AccountName {
        guard let account = AccountName(text) else { throw damaged("an account") }
        return account
    }

    static func digest(_ bytes: [UInt8]) throws(LedgerFailure) -> Digest32 {
        guard let digest = Digest32(bytes) else { throw damaged("a digest") }
        return digest
    }

    /// Nil for the value that stands for no password: a hash of no bytes.
    static func password(
        salt: [UInt8], passes: Int64, kibibytes: Int64, hash: [UInt8]
    ) throws(LedgerFailure) -> StretchedPassword? {
        if hash.isEmpty { return nil }
        return StretchedPassword(salt: salt, passes: try cost(passes), kibibytes: try cost(kibibytes), hash: hash)
    }

    private static func cost(_ number: Int64) throws(LedgerFailure) -> UInt32 {
        guard let cost = UInt32(exactly: number) else { throw damaged("a password's cost") }
        return cost
    }

    static func purpose(_ text: String) throws(LedgerFailure) -> Purpose {
        guard let purpose = Purpose(rawValue: text) else { throw damaged("a purpose") }
        return purpose
    }

    static func kind(_ text: String) throws(LedgerFailure) -> SessionKind {
        guard let kind = SessionKind(rawValue: text) else { throw damaged("a session's kind") }
        return kind
    }

    static func tag(_ bytes: [UInt8]) throws(LedgerFailure) -> [UInt8] {
        guard bytes.count == SessionID.tagBytes else { throw damaged("a session's tag") }
        return bytes
    }

    private static func damaged(_ what: String) -> LedgerFailure {
        .unusable("\(what) in the database isn't what was written")
    }
}

extension AccountRow {
    /// The value that is stored if there is no password.
    private static let none = StretchedPassword(salt: [], passes: 0, kibibytes: 0, hash: [])
    var kept: StretchedPassword { password ?? Self.none }
}
