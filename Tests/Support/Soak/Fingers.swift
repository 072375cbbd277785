import Foundation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint

/// The hand at the virtual reader: it shows the one finger that all users enrolled, whenever a finger is wanted.
@OnLoop final class Fingers {
    private static let scan = "SCAN thumb"

    private var hand: Hand?

    nonisolated init() {}

    /// Goes to the reader of a bus, also after that bus was started again.
    func stand(at stage: FingerStage) async throws {
        hand = nil
        try await stage.prepare()
        let new = try Hand(stage)
        try await new.isReady()
        new.habit = Self.scan
        hand = new
    }

    /// Whether a finger is also wanted where one is being enrolled.
    func enrolling(_ isOn: Bool) { hand?.watchesProperty = isOn }

    /// Pulls the reader out when a finger is wanted next.
    func unplug(then: Locked<Bool>) {
        hand?.onWanted = { [weak self] in
            self?.hand?.onWanted = nil
            self?.hand?.show("UNPLUG")
            then.withLock { $0 = true }
        }
    }

    /// Doesn't pull it out after all.
    func leaveIn() { hand?.onWanted = nil }
}

/// Waits for something asynchronous, on a thread that may wait.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Locked<Result<Value, any Error>?>(nil)
    Task.detached {
        do {
            let value = try await body()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    guard let result = result.withLock({ $0 }) else { throw SoakError("nothing came") }
    return try result.get()
}

struct SoakError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
