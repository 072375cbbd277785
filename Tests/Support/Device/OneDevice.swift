import Foundation
import Testing

/// Takes turns at the process's one device: every test that installs a simulated one bears this, in whatever suite it stands.
///
/// `.serialized` orders the tests of one suite; two suites, or two test targets, still run side by side in one process.
public struct OneDevice: SuiteTrait, TestTrait, TestScoping {
    /// No test has the device for longer: where one does, it hangs, and with it every test after it. The run ends there, and says
    /// whose turn it was; the runtime adds where each thread stood.
    static let patience = 600.0

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A suite is no turn: its tests take theirs one by one.
        guard testCase != nil else { return try await function() }
        await Turns.shared.begin()
        let watchdog = Watchdog(Self.patience, "\(test.name) has had the device for \(Int(Self.patience)) s")
        do {
            try await function()
        } catch {
            watchdog.end()
            await Turns.shared.end()
            throw error
        }
        watchdog.end()
        await Turns.shared.end()
    }
}

extension Trait where Self == OneDevice {
    /// One test at a time has the process's device.
    public static var oneDevice: OneDevice { OneDevice() }
}

/// Ends the process where something takes too long. It has a thread of its own, for what hangs may have all the others.
private final class Watchdog: Sendable {
    private let over = DispatchSemaphore(value: 0)

    init(_ seconds: Double, _ complaint: String) {
        let over = over
        Thread.detachNewThread {
            if over.wait(timeout: .now() + seconds) == .timedOut { fatalError(complaint) }
        }
    }

    func end() { over.signal() }
}

/// Who comes next, in the order of arrival.
private actor Turns {
    static let shared = Turns()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if isTaken { await withCheckedContinuation { waiting.append($0) } } else { isTaken = true }
    }

    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
