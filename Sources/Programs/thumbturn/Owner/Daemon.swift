import ThumbAccess
import ThumbClient
import ThumbSecrets

/// The daemon as the commands use it. Failures are in this program's words, and evaluations are waited for.
enum Daemon {
    /// The daemon's state. Every command begins with this or with `connect`: this call knows best whether the daemon can be reached, and
    /// what to do if not.
    static func status() throws(Failure) -> DeviceStatus {
        do {
            return try DeviceClient.shared.status()
        } catch {
            throw .daemon(error)
        }
    }

    static func connect() throws(Failure) {
        do {
            _ = try DeviceClient.shared.mode()
        } catch {
            throw .daemon(error)
        }
    }

    /// Asks the owner and waits for the result.
    static func evaluate(_ policy: Policy, reason: String) -> EvaluationReply {
        evaluate(.policy(policy), reason: reason, context: DeviceClient.shared.makeContext())
    }

    /// The same for a context that remembers it.
    static func evaluate(_ subject: EvaluationSubject, reason: String, context: UInt64) -> EvaluationReply {
        let request = EvaluationRequest(context: context, subject: subject, words: PromptWords(reason: reason))
        let awaited = Awaited<EvaluationReply>()
        DeviceClient.shared.evaluate(request) { awaited.give($0) }
        return awaited.wait()
    }

    /// Makes a call to the keychain. After a start of the daemon most classes of items are closed until the passcode is given. If the call
    /// failed because of that, the owner is asked and the call is made once more.
    static func keychain<Value>(
        about thing: Thing, reason: String, _ body: () throws(KeychainFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(KeychainFailure) {
            return try body()
        } catch .interactionNotAllowed {
            try unlock(reason: reason)
        } catch {
            throw Failure(error, about: thing)
        }
        do throws(KeychainFailure) {
            return try body()
        } catch {
            throw Failure(error, about: thing)
        }
    }

    /// The same for a call that also reports how asking the owner ended.
    static func release<Value>(
        about thing: Thing, reason: String, _ body: () throws(ReleaseFailure) -> Value
    ) throws(Failure) -> Value {
        let ending = try keychain(about: thing, reason: reason) {
            () throws(KeychainFailure) -> Result<Value, EvaluationFailure> in
            do throws(ReleaseFailure) {
                return .success(try body())
            } catch {
                switch error {
                case .owner(let failure): return .failure(failure)
                case .keychain(let failure): throw failure
                }
            }
        }
        switch ending {
        case .success(let value): return value
        case .failure(let failure): throw .notReleased(thing, failure)
        }
    }

    private static func unlock(reason: String) throws(Failure) {
        let status = try status()
        if status.isSessionLocked { throw .sessionLocked }
        guard status.passcodeIsSet && !status.passcodeWasGiven else { throw .keychain(.interactionNotAllowed, about: .item) }
        // A login by finger may have opened biometry, but not what is asked for: that takes the passcode.
        let rule: AccessRule
        do throws(KeychainFailure) { rule = try AccessRule(.alwaysThisDeviceOnly, .devicePasscode) } catch {
            throw .keychain(error, about: .item)
        }
        let reply = evaluate(.rule(rule, .useItem), reason: reason, context: DeviceClient.shared.makeContext())
        if case .failure(let failure) = reply.result { throw .evaluation(failure) }
    }

    /// The state of a device that has a passcode. Without a passcode nothing is changed that only its owner may change.
    static func statusWithPasscode() throws(Failure) -> DeviceStatus {
        let status = try status()
        guard status.passcodeIsSet else { throw .noPasscode }
        return status
    }
}

/// A value that another thread provides.
private final class Awaited<Value: Sendable>: @unchecked Sendable {
    // @unchecked: `value` is touched under the condition's lock.
    private let condition = Condition()
    private var value: Value?

    func give(_ new: Value) {
        condition.withLock { _ in value = new }
        condition.signal()
    }

    func wait() -> Value {
        condition.withLock { held in
            while true {
                if let value { return value }
                held.wait()
            }
        }
    }
}
