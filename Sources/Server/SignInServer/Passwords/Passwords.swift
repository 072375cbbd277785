import ThumbCrypto
import ThumbSecrets
import ThumbSignIn

/// Turns passwords into their stored form.
enum Passwords {
    /// The cost of stretching a password. Each account keeps the cost of its own.
    struct Cost: Sendable {
        var passes: UInt32
        var kibibytes: UInt32

        /// RFC 9106's second choice, on one lane: 64 MiB, three times.
        static let usual = Cost(passes: 3, kibibytes: 64 * 1024)

        func salt() throws(SignInRefusal) -> [UInt8] {
            var salt = [UInt8](repeating: 0, count: 16)
            do {
                try unsafe salt.withUnsafeMutableBytes { memory in try unsafe SystemRandom.fill(memory) }
            } catch { throw .busy }
            return salt
        }

        /// Stands for the password of an account that doesn't exist. No password can be stretched to it.
        func decoy() throws(SignInRefusal) -> StretchedPassword {
            StretchedPassword(salt: try salt(), passes: passes, kibibytes: kibibytes, hash: [])
        }
    }

    /// Argon2id, version 1.3, one lane; nil if it fails.
    static func stretched(_ password: SecretBytes, salt: [UInt8], passes: UInt32, kibibytes: UInt32) -> SecretBytes? {
        try? Argon2id.derive(
            passcode: password, salt: salt, memoryKiB: Int(kibibytes), iterations: Int(passes), lanes: 1, count: 32)
    }

    /// The stored form of a new account's password.
    static func kept(_ password: SecretBytes, _ cost: Cost) throws(SignInRefusal) -> StretchedPassword {
        let salt = try cost.salt()
        guard let secret = stretched(password, salt: salt, passes: cost.passes, kibibytes: cost.kibibytes) else { throw .busy }
        let hash = unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
        return StretchedPassword(salt: salt, passes: cost.passes, kibibytes: cost.kibibytes, hash: hash)
    }
}

/// Wrong passwords for names without an account. They must make a guesser wait as those of real accounts do, because otherwise the waiting
/// would tell which accounts are real. They are in memory, for a limited number of names.
final class Strangers: Sendable {
    private struct Entry {
        var misses: Int
        var until: Moment
    }

    private let entries = Locked<[AccountName: Entry]>([:])

    func misses(of account: AccountName) -> (Int, Moment) {
        entries.withLock { entries in
            let entry = entries[account]
            return (entry?.misses ?? 0, entry?.until ?? Moment(seconds: 0))
        }
    }

    func note(_ account: AccountName, misses: Int, until: Moment) {
        entries.withLock { entries in
            if entries.count >= Limits.strangers, entries[account] == nil {
                // The entry with the fewest misses goes, because the waiting is meant to stop somebody from guessing one name.
                if let least = entries.min(by: { $0.value.misses < $1.value.misses }) { entries[least.key] = nil }
            }
            entries[account] = Entry(misses: misses, until: until)
        }
    }
}
