import Testing

/// Takes turns at the process's one device: every test that installs a simulated one bears this, in whatever suite it stands.
///
/// `.serialized` orders the tests of one suite; two suites, or two test targets, still run side by side in one process.
public struct OneDevice: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A suite is no turn: its tests take theirs one by one.
        guard testCase != nil else { return try await function() }
        await Turns.shared.begin()
        do {
            try await function()
            await Turns.shared.end()
        } catch {
            await Turns.shared.end()
            throw error
        }
    }
}

extension Trait where Self == OneDevice {
    /// One test at a time has the process's device.
    public static var oneDevice: OneDevice { OneDevice() }
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
