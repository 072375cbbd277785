import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// Programs of one user that call themselves what another is called, or nearly so, against a daemon of that user's.
@Suite("Attacks by a name", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "takes several users"))
struct NameAttackTests {
    /// Names that are equal to Swift's `String`, and other bytes.
    private static let alike: [(victim: String, thief: String)] = [
        ("org.example.Keys", "org.example.\u{212A}eys"),
        ("org.example.caf\u{E9}", "org.example.cafe\u{301}"),
        ("org.example.\u{C5}ngstrom", "org.example.\u{212B}ngstrom"),
        ("org.example.\u{3A9}", "org.example.\u{2126}"),
        ("org.example.\u{1E69}", "org.example.s\u{307}\u{323}"),
        ("org.example.\u{AC00}", "org.example.\u{1100}\u{1161}"),
        ("\u{212A}", "K"),
    ]

    /// The words for a line: spaces and everything beyond ASCII are percent-encoded there.
    private static func word(_ text: String) -> String {
        text.utf8.map { $0 > 0x20 && $0 < 0x7f && $0 != 0x25 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16) }.joined()
    }

    @Test(
        "a label that looks like another's opens nothing of its: not by reference, by group or by its own search",
        arguments: alike)
    func lookAlike(_ names: (victim: String, thief: String)) async throws {
        let (before, tried, after) = try await onThread {
            let machine = try ProtectedMachine()
            let victim = try machine.speaker("other")
            _ = try victim.say("introduce \(Self.word(names.victim))")
            let before = try victim.say("in - add a ours")
            let reference = String(try victim.say("in - reference a").dropFirst("reference ".count))
            let thief = try machine.speaker("other")
            _ = try thief.say("introduce \(Self.word(names.thief))")
            let lines = [
                "by \(reference) read", "by \(reference) update theirs", "by \(reference) remove", "in - read a", "in - remove a",
                "in \(Self.word(names.victim)) read a",
            ]
            let tried = try lines.map { try thief.say($0) }
            return (before, tried, try victim.say("in - read a"))
        }
        #expect(before == "added to \(names.victim)" && after == "secret ours")
        #expect(tried == Array(repeating: "failed itemNotFound", count: 5) + ["failed missingEntitlement"])
        Tally.note(attacks: tried.map { !$0.hasPrefix("failed") })
    }
}
