import Testing

@testable import ThumbClient

@Suite("How long a command waits for a daemon that says nothing") struct PatienceTests {
    /// What docs/users/install.md promises, in seconds.
    private static let promise = 10.0

    @Test("Each way to find out that the daemon hangs or is stopped takes less than the ten seconds that are promised")
    func waits() {
        // A connection that isn't welcomed is looked at once.
        #expect(Silence.secondsForWelcome < Self.promise)
        // A welcomed one is looked at, and then another connection is tried.
        #expect(Silence.secondsUntilLook + Silence.secondsForAnswer < Self.promise)
        #expect([Silence.secondsForWelcome, Silence.secondsUntilLook, Silence.secondsForAnswer].allSatisfy { $0 > 0 })
    }
}
