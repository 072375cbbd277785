import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSecrets

/// The counters of a store, which a test can make fail as a full disk does.
final class BreakableLedger: AttemptLedger {
    struct Broken: Error {}

    private let ledger: any AttemptLedger
    var isBroken = false

    init(_ ledger: any AttemptLedger) { self.ledger = ledger }

    var attempts: Attempts { ledger.attempts }

    func commit(_ attempts: Attempts) throws {
        if isBroken { throw Broken() }
        try ledger.commit(attempts)
    }
}

/// A system that knows one account with one password.
@OnLoop final class OneAccount: @OnLoop AccountPassword {
    private let password: SecretBytes

    nonisolated init(_ password: String) { self.password = secret(password) }

    func check(
        _ password: SecretBytes, asking: @escaping (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void,
        _ answer: @escaping (AccountVerdict) -> Void
    ) {
        answer(password == self.password ? .right : .wrong)
    }
}
