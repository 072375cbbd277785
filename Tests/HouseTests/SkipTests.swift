import Foundation
import Testing

/// Tests that are skipped: each is named with its reason, wherever tests are counted.
@Suite("Skipped tests")
struct SkipTests {
    /// What a run prints about a test, and what is made of it.
    struct Line: Sendable {
        let said, named: String
    }

    private static let passed = "\u{2714} Test \"a skipped: stone\" passed after 0.1 seconds."
    private static let notes = ["attack 0 a door is forced", "check 0 a door is painted"]

    private func outcome(
        of script: String, _ kinds: String, noting notes: [String] = SkipTests.notes, saying said: [String], isRoot: Bool = true
    ) async throws -> Outcome {
        try await withTemporaryFolder { folder in
            try folder.appending(path: "id").write("#!/bin/sh\necho \(isRoot ? 0 : 1000)\n", executable: true)
            var environment = ownEnvironment
            environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
            let command = "printf '%s' \"$1\" >> \"${THUMBTURN_TALLY:-/dev/null}\"; printf '%s' \"$2\""
            let words = [notes, [Self.passed] + said].map { lines in lines.map { $0 + "\n" }.joined() }
            let path = checkout.appending(path: "scripts/\(script)").path
            return try await run([path, kinds, "bash", "-c", command, "bash"] + words, environment: environment)
        }
    }

    @Test(
        "A test that was skipped is named with its reason and counted, and fails a run of attacks for everybody",
        arguments: [
            Line(said: "Test \"a door is forced\" skipped: \"takes a door\"", named: "Test \"a door is forced\": takes a door"),
            Line(said: "Test forced(_:by:) skipped: \"takes a door\"", named: "Test forced(_:by:): takes a door"),
            Line(said: "Test \"it says \"no\"\" skipped: \"takes \"no\"\"", named: "Test \"it says \"no\"\": takes \"no\""),
            Line(said: "Suite \"All attacks\" skipped: \"takes two users\"", named: "Suite \"All attacks\": takes two users"),
            Line(said: "Suite NameAttackTests skipped: \"takes root\"", named: "Suite NameAttackTests: takes root"),
        ], [true, false])
    func named(line: Line, isRoot: Bool) async throws {
        let outcome = try await outcome(of: "tally", "attacks", saying: ["\u{279C}  \(line.said)"], isRoot: isRoot)
        #expect(outcome.lines.filter { $0.hasPrefix("skipped: ") } == ["skipped: \(line.named)"], "\(outcome.output)")
        #expect(outcome.lines.contains("tests: 1 passed, 0 failed, 1 skipped"))
        #expect(outcome.lines.contains("attacks: 1 tried, 0 succeeded (skipped tests: 1)"))
        #expect(outcome.status == 1)
        #expect(outcome.lines.last == "tally: skipped tests: 1; they run as root, on a machine that has what they take")
    }

    @Test("Where not only attacks are counted a skipped test is named, and fails the run for root alone: not everybody is root")
    func all() async throws {
        let notes =
            Self.notes + ["kills 1", "faults 1", "flips 1", "want 1", "server-kills 1", "server-answers 1"]
            + ["login-faults 1", "login-logins 1"]
        let said = ["\u{279C}  Suite \"A\" skipped: \"takes root\"", "\u{279C}  Test \"a\" skipped: \"takes root\""]
        for isRoot in [true, false] {
            let outcome = try await outcome(of: "tally", "crash", noting: notes, saying: said, isRoot: isRoot)
            // A suite's tests count, and not the suite as well.
            #expect(outcome.lines.contains("tests: 1 passed, 0 failed, 1 skipped"), "\(outcome.output)")
            let named = outcome.lines.filter { $0.hasPrefix("skipped: ") }
            #expect(named == ["skipped: Suite \"A\": takes root", "skipped: Test \"a\": takes root"])
            #expect(outcome.status == (isRoot ? 1 : 0))
        }
    }

    @Test("A test that says no reason fails the run for everybody", arguments: [true, false])
    func reasonless(isRoot: Bool) async throws {
        let outcome = try await outcome(of: "tally", "crash", saying: ["\u{279C}  Test forced() skipped."], isRoot: isRoot)
        #expect(outcome.lines.contains("skipped: Test forced(), without a reason"), "\(outcome.output)")
        #expect(outcome.status == 1 && outcome.lines.contains("tally: a test was skipped without a reason"))
    }

    @Test("A part of a test that can't be tried is named and counted like a test")
    func part() async throws {
        let outcome = try await outcome(
            of: "tally", "attacks", noting: Self.notes + ["skip a real door: takes a door"], saying: [])
        #expect(outcome.lines.contains("skipped: a real door: takes a door"), "\(outcome.output)")
        #expect(outcome.status == 1 && outcome.lines.contains("tests: 1 passed, 0 failed, 1 skipped"))
    }

    @Test("The line of a real part counts and names them too, and fails where one was skipped or none passed")
    func parts() async throws {
        let passed = try await outcome(of: "tally-parts", "bash", saying: [])
        #expect(passed.status == 0 && passed.lines.last?.hasSuffix(" 1 passed, 0 failed, 0 skipped") == true, "\(passed.output)")
        let skipped = try await outcome(
            of: "tally-parts", "bash", saying: ["\u{279C}  Test forced(_:by:) skipped: \"takes root\""])
        #expect(skipped.status == 1 && skipped.lines.contains("skipped: Test forced(_:by:): takes root"), "\(skipped.output)")
        #expect(skipped.lines.last?.hasSuffix(" 1 passed, 0 failed, 1 skipped") == true)
        let none = try await run([checkout.appending(path: "scripts/tally-parts").path, "no-such-part", "true"])
        #expect(none.status == 1 && none.lines == ["parts: no-such-part not installed 0 passed, 0 failed, 0 skipped"])
    }

    @Test("Every condition of a test in this checkout has its reason in words")
    func conditions() throws {
        let mark = ".enabled" + "(if:"
        let files = FileManager.default.enumerator(at: checkout.appending(path: "Tests"), includingPropertiesForKeys: nil)
        var found = 0
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            for condition in try String(contentsOf: file, encoding: .utf8).components(separatedBy: mark).dropFirst() {
                found += 1
                #expect(Self.arguments(condition) > 1, "\(file.lastPathComponent): \(mark)\(condition.prefix(60))")
            }
        }
        #expect(found > 30)
    }

    /// How many arguments stand before the parenthesis that closes what was opened before this text. A text among them has no parenthesis
    /// and no comma outside of it that counts: one comma is all that is looked for.
    private static func arguments(_ text: String) -> Int {
        var (depth, count) = (0, 1)
        for letter in text {
            switch letter {
            case "(": depth += 1
            case ")" where depth == 0: return count
            case ")": depth -= 1
            case "," where depth == 0: count += 1
            default: break
            }
        }
        return count
    }
}
