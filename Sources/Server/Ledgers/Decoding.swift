internal import ThumbSignIn

/// Values of a table in the rules' words. One that has another form than what was written is damage: the store contradicts itself.
enum Decoding {
    static func account(_ text: String) throws(LedgerFailure) -> AccountName {
        guard let account = AccountName(text) else { throw damaged("an account") }
        return account
    }

    static func digest(_ bytes: [UInt8]) throws(LedgerFailure) -> Digest32 {
        guard let digest = Digest32(bytes) else { throw damaged("a digest") }
        return digest
    }

    static func cost(_ number: Int64) throws(LedgerFailure) -> UInt32 {
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

    private static func damaged(_ what: String) -> LedgerFailure {
        .unusable("\(what) in the database isn't what was written")
    }
}
