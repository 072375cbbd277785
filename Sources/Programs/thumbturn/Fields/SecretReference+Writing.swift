// References as people write them, for messages.
extension SecretReference {
    /// The longest reference that a message shows.
    private static let longestShown = 120

    /// The reference itself. Every byte that isn't plain is escaped, so it can be pasted into a template or a line of shell.
    var text: String {
        let account = wanted.account ?? ""
        return Self.scheme + Self.encoded(wanted.name) + (field.map { "/\($0)" } ?? "")
            + (account.isEmpty ? "" : Self.account + Self.encoded(account))
    }

    /// The same, or the name alone where that is as good.
    var shortest: String {
        let isBare = field == nil && (wanted.account ?? "").isEmpty && Self.encoded(wanted.name) == wanted.name
        return isBare && !wanted.name.hasPrefix("-") ? wanted.name : text
    }

    /// The secret that is meant. If it isn't clear which, the failure says how to write the reference.
    func kept() throws(Failure) -> KeptSecret {
        do throws(Failure) { return try wanted.kept() } catch .severalSecrets(let thing, let accounts, _) where isWritten {
            let one = SecretReference(WantedSecret(wanted.name, account: accounts[0]), field: field)
            throw .severalSecrets(thing, accounts: accounts, reference: one)
        }
    }

    /// What was probably meant by a text that isn't a reference, because it has bytes in it that have to be escaped; nil if that isn't clear.
    static func meant(by text: String) -> String? {
        guard text.hasPrefix(scheme), SecretReference(text) == nil else { return nil }
        let escaped = text.dropFirst(scheme.count).unicodeScalars.reduce(into: "") { whole, scalar in
            let isEnd = scalar.value <= 0x20 || scalar.value == 0x7f || "#{}".unicodeScalars.contains(scalar)
            whole += isEnd ? encoded(String(scalar)) : String(scalar)
        }
        guard let reference = SecretReference(scheme + escaped) else { return nil }
        return reference.text.utf8.count <= longestShown ? reference.text : nil
    }

    private static func encoded(_ part: String) -> String {
        part.utf8.reduce(into: "") { whole, byte in
            let digits = String(byte, radix: 16, uppercase: true)
            whole += isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }

    /// Whether a byte means itself in a reference, in a shell and in a sentence.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:@+".utf8.contains(byte)
        }
    }
}
