import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_secret_service

/// What a program sends that means the provider ill, or is broken.
@Suite("Odd calls to the Secret Service", .timeLimit(.minutes(10))) struct OddCallTests {
    private static let calls = 10_000
    /// What a provider's memory may have grown by afterwards, in KiB: what its allocator keeps, and no ten thousandth of it a call.
    private static let growth = 4096

    @Test("ten thousand calls that don't fit are answered, crash nothing, and leave nothing behind") func storm() async throws {
        let (before, after, said, works) = try await onThread {
            let stage = try SecretServiceStage(.simulated)
            let sender = try stage.program("sender")
            guard let provider = stage.provider else { throw SecretServiceStage.NotThere(what: "a provider") }
            let seed = Seed.chosen(for: "OddCallTests")
            // What it takes once, it has after the first of them.
            _ = sender.ask("storm \(Self.calls / 5) \(seed)")
            let before = Self.resident(provider.pid)
            let said = sender.ask("storm \(Self.calls) \(seed &+ 1)")
            let after = Self.resident(provider.pid)
            sender.end()
            let other = try stage.program("other")
            // A call to lock the collection fits. Whoever wants to store something unlocks it, as libsecret does.
            let works = [
                "unlock /org/freedesktop/secrets/aliases/default", "store afterwards works", "read afterwards",
            ].map { other.ask($0) }
            return (before, after, said, works)
        }
        let numbers = (said ?? "").split(separator: " ").dropFirst().compactMap { Int($0) }
        Tally.check("calls that don't fit end the provider", succeeded: works.last != "secret works")
        #expect(numbers.reduce(0, +) == Self.calls, "\(said ?? "no answer")")
        #expect(numbers.last == 0, "unanswered: \(said ?? "no answer")")
        #expect(works.last == "secret works", "\(works)")
        let first = try #require(before)
        let kept = try #require(after)
        // A sanitizer keeps what is freed, and notes of its own about all memory.
        #expect(Sanitizer.isOn || kept - first < Self.growth, "\(first) KiB before, \(kept) after")
    }

    private static func resident(_ pid: pid_t) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
        return status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").dropFirst().first
            .flatMap { Int($0) }
    }
}
