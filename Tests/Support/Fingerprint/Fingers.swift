import Foundation
import ThumbLoop
import ThumbSecrets

/// The hand at the virtual reader: it shows the one finger that all users enrolled, whenever a finger is wanted.
@OnLoop public final class Fingers {
    private static let scan = "SCAN thumb"

    private var hand: Hand?

    public nonisolated init() {}

    /// Goes to the reader of a bus, also after that bus was started again.
    public func stand(at stage: FingerStage) async throws {
        hand = nil
        try await stage.prepare()
        let new = try Hand(stage)
        try await new.isReady()
        new.habit = Self.scan
        hand = new
    }

    /// Whether a finger is also wanted where one is being enrolled.
    public func enrolling(_ isOn: Bool) { hand?.watchesProperty = isOn }

    /// Whether it shows the finger at all. It does from the start.
    public func touches(_ isOn: Bool) { hand?.habit = isOn ? Self.scan : nil }

    /// Pulls the reader out when a finger is wanted next.
    public func unplug(then: Locked<Bool>) {
        hand?.onWanted = { [weak self] in
            self?.hand?.onWanted = nil
            self?.hand?.show("UNPLUG")
            then.withLock { $0 = true }
        }
    }

    /// Doesn't pull it out after all.
    public func leaveIn() { hand?.onWanted = nil }
}

/// Waits for something asynchronous, on a thread that may wait.
public func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
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
    guard let result = result.withLock({ $0 }) else { throw NothingCame() }
    return try result.get()
}

struct NothingCame: Error {}
