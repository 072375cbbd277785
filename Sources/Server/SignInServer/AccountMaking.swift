internal import CThumbLinux
internal import ThumbSecrets
public import ThumbSignIn

/// Accounts made by whoever runs the server, rather than over HTTP.
public enum AccountMaking {
    /// Makes an account with the password on standard input, one line; fails with `account` or `ledger`.
    public static func make(_ name: String, in ledger: any Ledger, at now: Moment) throws(ServerError) {
        guard let account = AccountName(name) else {
            throw ServerError(.account, "an account is 1 to 128 visible characters of ASCII")
        }
        guard let password = password() else {
            throw ServerError(.account, "a password is a line of 1 to \(Limits.password) characters on standard input")
        }
        let outcome: Outcome?
        do {
            let kept = try Passwords.kept(password, .usual)
            outcome = try ledger.settle([.makeAccount(account, kept)], at: now).first
        } catch let failure as LedgerFailure {
            throw ServerError(.ledger, failure.words)
        } catch { throw ServerError(.account, "the password can't be stretched") }
        switch outcome {
        case .done: return
        case .refused(.accountExists): throw ServerError(.account, "there is such an account already")
        default: throw ServerError(.ledger, "the database has an answer that it can't have")
        }
    }

    private static func password() -> SecretBytes? {
        let line = try? unsafe SecretBytes(filling: Limits.passwordBytes + 2) { memory in
            var used = 0
            while used < memory.count, let base = memory.baseAddress {
                let count = unsafe read(0, base + used, memory.count - used)
                if count < 0, thumb_errno() == EINTR { continue }
                if count <= 0 { break }
                used += count
                if unsafe memory[used - 1] == UInt8(ascii: "\n") { break }
            }
            if used > 0, unsafe memory[used - 1] == UInt8(ascii: "\n") { used -= 1 }
            return used
        }
        guard let line else { return nil }
        var characters = 0
        // In UTF-8 as over HTTP, or nobody could sign in with it.
        let isText = unsafe line.withUnsafeBytes { bytes in
            unsafe bytes.forEach { if $0 & 0xC0 != 0x80 { characters += 1 } }
            return unsafe isUTF8(bytes)
        }
        return isText && (1...Limits.password).contains(characters) ? line : nil
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8()
        var iterator = unsafe bytes.makeIterator()
        while true {
            switch unsafe decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
