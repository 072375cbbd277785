public import ThumbAccess
public import ThumbSecrets

/// The owner's passcode. A passcode of its own is right if it opens the slot. The account's password is right only if the system agrees
/// too, and the system is asked first.
public final class OwnerPasscode {
    private let slot: any Passcode
    /// nil: there is nobody to ask about accounts.
    private let account: (any AccountPassword)?

    public init(_ slot: any Passcode, account: (any AccountPassword)?) {
        self.slot = slot
        self.account = account
    }

    public typealias Asking = (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void

    /// For calls in which nobody can be asked: any question ends the check.
    public static func unasked(_ question: AccountQuestion, _ reply: (SecretBytes?) -> Void) { reply(nil) }

    /// Tries the typed text, and leaves the slot open if it is the passcode.
    public func check(
        _ passcode: SecretBytes, asking: @escaping Asking = unasked, _ answer: @escaping (PasscodeVerdict) -> Void
    ) {
        guard slot.source == .account else { return slot.check(passcode, answer) }
        checkAccount(passcode, asking: asking) { [slot] verdict in
            guard verdict == .right else { return answer(verdict) }
            // Somebody may have set another passcode while the system was asked.
            guard slot.source == .account else { return answer(.failed) }
            slot.check(passcode) { answer($0 == .wrong ? .changedElsewhere : $0) }
        }
    }

    /// Asks only the system and doesn't touch the slot. The answer is `failed` if there is nobody to ask.
    public func checkAccount(
        _ password: SecretBytes, asking: @escaping Asking, _ answer: @escaping (PasscodeVerdict) -> Void
    ) {
        guard let account else { return answer(.failed) }
        account.check(password, asking: asking) { answer(PasscodeVerdict($0)) }
    }

    /// Replaces the previous password by one that the account accepts, if the previous one opens the slot.
    public func renew(
        _ accepted: SecretBytes, over previous: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void
    ) {
        slot.check(previous) { [slot] verdict in
            guard verdict == .right else { return answer(verdict) }
            guard slot.source == .account else { return answer(.failed) }
            slot.set(accepted, from: .account) { answer($0 ? .right : .failed) }
        }
    }

    /// What happened to a password that the system's login offered.
    public enum Offering: Sendable, Hashable {
        case opened
        /// The slot is under the new password from now on.
        case renewed
        case refused
    }

    /// Takes a password from the system's login. It opens the slot. If it was just changed, and the previous one was given since the start,
    /// it also replaces that in the slot. If the passcode isn't the account's password, this is of no use and isn't tried.
    public func offer(_ password: SecretBytes, isNew: Bool, _ answer: @escaping (Offering) -> Void) {
        guard slot.isSet, slot.source == .account, !password.isEmpty else { return answer(.refused) }
        check(password) { [self] verdict in
            switch verdict {
            case .right: answer(.opened)
            // The previous password was given since the start and its keys are available, so whoever gave it is the owner.
            case .changedElsewhere where isNew && slot.wasGiven:
                slot.set(password, from: .account) { answer($0 ? .renewed : .refused) }
            case .changedElsewhere, .wrong, .failed, .expired, .locked, .waits: answer(.refused)
            }
        }
    }
}
