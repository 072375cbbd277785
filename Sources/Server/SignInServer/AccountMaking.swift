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
        // In UTF-8 as over HTTP, or nobody could sign in with it.
        let characters = unsafe line.withUnsafeBytes { unsafe count($0) }
        return characters.map { (1...Limits.password).contains($0) } == true ? line : nil
    }

    /// How many characters it is in UTF-8; nil if it isn't that.
    private static func count(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var decoder = UTF8()
        var iterator = unsafe bytes.makeIterator()
        var characters = 0
        while true {
            switch unsafe decoder.decode(&iterator) {
            case .scalarValue: characters += 1
            case .emptyInput: return characters
            case .error: return nil
            }
        }
    }
}
