import Foundation
import Testing

/// What `make test-attacks` ends with, over a command that notes and says what a run of tests would.
@Suite("The tally of attacks")
struct TallyTests {
    private func tally(_ lines: String = "attacks", noting notes: [String], saying said: [String] = [], status: Int = 0)
        async throws
        -> Outcome
    {
        let command = "printf '%s' \"$1\" >> \"$THUMBTURN_TALLY\"; printf '%s' \"$2\"; exit \(status)"
        let words = [notes, said].map { lines in lines.map { $0 + "\n" }.joined() }
        return try await run([checkout.appending(path: "scripts/tally").path, lines, "bash", "-c", command, "bash"] + words)
    }

    @Test("An attack counts by its name, however often it is tried, and checks aren't counted among them")
    func names() async throws {
        let outcome = try await tally(noting: [
            "attack 0 a door is forced", "attack 0 a door is opened", "attack 0 a door is forced", "check 0 a door is painted",
            "kills 7",
        ])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.lines.suffix(2) == ["attacks: 2 tried, 0 succeeded", "checks: 1 more, 0 failed"])
    }

    @Test("A name that succeeded once counts as succeeded, and is said")
    func succeeded() async throws {
        let outcome = try await tally(noting: ["attack 1 a door is forced", "attack 0 a door is forced", "attack 0 another"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.contains("attacks: 2 tried, 1 succeeded"))
        #expect(outcome.lines.contains("attack succeeded: a door is forced"))
    }

    @Test("A check that failed fails the run")
    func failedCheck() async throws {
        let outcome = try await tally(noting: ["attack 0 a door is forced", "check 1 a door is painted"])
        #expect(outcome.status == 1 && outcome.lines.last == "checks: 1 more, 1 failed", "\(outcome.output)")
    }

    @Test("A file of vectors may have blanks in its name, and one that failed fails the run")
    func vectors() async throws {
        let passed = try await tally("vectors", noting: ["vectors a.json 3 0", "vectors a.json (TPM) 2 0"])
        #expect(passed.status == 0, "\(passed.output)")
        let lines = ["vectors: a.json (TPM) 2 passed, 0 failed", "vectors: a.json 3 passed, 0 failed"]
        #expect(Set(passed.lines.suffix(2)) == Set(lines), "\(passed.output)")
        let failed = try await tally("vectors", noting: ["vectors a.json (TPM) 2 1"])
        #expect(failed.status == 1 && failed.lines.last == "vectors: a.json (TPM) 2 passed, 1 failed", "\(failed.output)")
        #expect(try await tally("vectors", noting: []).status == 1)
    }

    @Test("Where nothing was tried the run fails, with checks or without", arguments: [[], ["check 0 a door is painted"]])
    func none(notes: [String]) async throws {
        let outcome = try await tally(noting: notes)
        #expect(outcome.status == 1 && outcome.lines.contains("attacks: 0 tried, 0 succeeded"), "\(outcome.output)")
    }

    @Test(
        "A suite or test that was skipped fails the run, and is named with its reason",
        arguments: [
            "Suite \"Attacks by a name\" skipped: \"takes several users\"", "Suite NameAttackTests skipped: \"takes root\"",
            "Test \"a door is forced\" skipped: \"takes a door\"", "Test forced() skipped.",
            "Test forced(_:by:) skipped: \"takes a door\"",
        ])
    func skipped(words: String) async throws {
        let said = ["\u{279C}  \(words)", "\u{2714} Test \"a skipped: stone\" passed after 0.1 seconds."]
        let outcome = try await tally(noting: ["attack 0 a door is forced"], saying: said)
        #expect(outcome.status == 1 && outcome.lines.contains("not tried: \(words)"), "\(outcome.output)")
        #expect(outcome.lines.count { $0.hasPrefix("not tried: ") } == 1)
    }

    @Test("Among all tests a skipped one is no failure: not everybody is root")
    func both() async throws {
        let notes = ["attack 0 a door is forced", "flips 1", "server-kills 1"]
        let outcome = try await tally("both", noting: notes, saying: ["\u{279C}  Suite NameAttackTests skipped: \"takes root\""])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("A run that failed keeps its own status, whatever was noted")
    func failed() async throws {
        #expect(try await tally(noting: ["attack 0 a door is forced"], status: 3).status == 3)
    }
}
