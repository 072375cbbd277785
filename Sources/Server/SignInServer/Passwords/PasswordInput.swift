import CThumbLinux
import ThumbSecrets
import ThumbSignIn
import ThumbSystem

/// A new password from the operator: typed twice in a terminal, unseen, or else a line on standard input.
struct PasswordInput {
    let rule: PasswordRule
    let account: AccountName

    /// Fails with `account` if it was cancelled, or if the line isn't a password that is taken. In a terminal another one is asked for.
    func read() throws(ServerError) -> SecretBytes {
        guard isatty(0) == 1 else {
            guard let line = Self.line() else { throw ServerError(.account, Self.form) }
            if let objection = objection(to: line) { throw ServerError(.account, objection) }
            return line
        }
        guard let keyboard = HiddenKeyboard() else { throw ServerError(.account, "the terminal can't be read") }
        while true {
            let first = try Self.typed("New password: ", keyboard)
            if let objection = objection(to: first) {
                // As a sentence.
                ServerProcess.say(objection.prefix(1).uppercased() + objection.dropFirst() + ".", toError: true)
            } else if first == (try Self.typed("Again: ", keyboard)) {
                return first
            } else {
                ServerProcess.say("The two were not the same. Start again.", toError: true)
            }
        }
    }

    private static let form =
        "a password is 1 to \(Limits.password) characters in UTF-8: typed in a terminal, else a line on standard input"

    /// Why it isn't taken; nil if it is.
    private func objection(to password: SecretBytes) -> String? {
        guard Self.isPassword(password) else { return Self.form }
        do throws(SignInRefusal) { try rule.check(password, of: account) } catch {
            return error == .passwordShort
                ? "a new password has at least \(rule.least) characters"
                : "that password is among the first that anybody would try; choose another"
        }
        return nil
    }

    private static func typed(_ label: String, _ keyboard: HiddenKeyboard) throws(ServerError) -> SecretBytes {
        do throws(HiddenKeyboard.Ending) {
            return try keyboard.line(label, capacity: Limits.passwordBytes)
        } catch {
            switch error {
            case .cancelled: throw ServerError(.account, "cancelled; nothing was changed")
            case .noMemory: throw ServerError(.account, "there is no locked memory for a password")
            }
        }
    }

    private static func line() -> SecretBytes? {
        // If it can't be read, or there is no memory for it, the result is the same as no password.
        try? unsafe SecretBytes(filling: Limits.passwordBytes + 2) { memory in
            var used = 0
            while used < memory.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[used...])
                let count = try unsafe Transfer.some(of: 0, into: rest)
                if count == 0 { break }
                used += count
                if unsafe memory[used - 1] == UInt8(ascii: "\n") { break }
            }
            if used > 0, unsafe memory[used - 1] == UInt8(ascii: "\n") { used -= 1 }
            return used
        }
    }

    /// It must be UTF-8, as over HTTP, or nobody could sign in with it.
    private static func isPassword(_ line: SecretBytes) -> Bool {
        let characters = unsafe line.withUnsafeBytes { unsafe count($0) }
        return characters.map { (1...Limits.password).contains($0) } == true
    }

    /// How many characters it has in UTF-8; nil if it isn't UTF-8.
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
