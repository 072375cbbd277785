import Foundation
import Testing

/// What `make test`, `test-attacks`, `test-crash` and `test-vectors` end with, over a command that notes and says what a run of tests would.
@Suite("The tally of what was tried")
struct TallyTests {
    private static let passed = "\u{2714} Test \"a rule\" passed after 0.1 seconds."
    private static let attacks = ["attack 0 a door is forced", "check 0 a door is painted"]
    private static let crashes = [
        "kills 1", "faults 2", "flips 3", "want 4", "lost 0", "server-kills 5", "server-answers 6", "server-lost 0",
        "login-faults 7", "login-logins 8", "login-lost 0",
    ]
    private static let vectors: [String] = {
        let list = try? String(contentsOf: checkout.appending(path: "Tests/VectorTests/Vectors/numbers"), encoding: .utf8)
        return (list ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return "vectors \(words[1]) \(words[0]) 0"
        }
    }()
    private static let everything = attacks + crashes + vectors

    private func tally(
        _ kinds: String = "attacks", noting notes: [String] = [], saying said: [String] = [TallyTests.passed], status: Int = 0,
        isRoot: Bool = true
    ) async throws -> Outcome {
        try await withTemporaryFolder { folder in
            try folder.appending(path: "id").write("#!/bin/sh\necho \(isRoot ? 0 : 1000)\n", executable: true)
            var environment = ownEnvironment
            environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
            environment["THUMBTURN_CRASH"] = nil
            let command = "printf '%s' \"$1\" >> \"$THUMBTURN_TALLY\"; printf '%s' \"$2\"; exit \(status)"
            let words = [notes, said].map { lines in lines.map { $0 + "\n" }.joined() }
            let script = checkout.appending(path: "scripts/tally").path
            return try await run([script, kinds, "bash", "-c", command, "bash"] + words, environment: environment)
        }
    }

    @Test("What was found wrong on a thread that belongs to no test fails the run")
    func homeless() async throws {
        let issue = "\u{2718} Test «unknown» recorded an issue at ATests.swift:1:2: Expectation failed: isRight"
        let outcome = try await tally(noting: Self.attacks, saying: [Self.passed, issue])
        #expect(outcome.status == 1)
        #expect(outcome.lines.last == "tally: found wrong outside of every test, on threads of their own: 1")
    }

    @Test("What was tried is summed, a line a kind")
    func sums() async throws {
        let outcome = try await tally("all", noting: Self.everything + Self.crashes)
        #expect(outcome.status == 0, "\(outcome.output)")
        let sample = " (a sample; `make test-crash` tries all)"
        #expect(
            outcome.lines.prefix(7) == [
                Self.passed, "tests: 1 passed, 0 failed, 0 skipped",
                "crash: 2 kills, 4 faults, 6 flips, 8 acts in want, 0 lost" + sample,
                "sign-in crash: 10 kills, 12 answers, 0 lost or used twice" + sample,
                "login crash: 14 faults, 16 logins, 0 locked out or left behind" + sample,
                "attacks: 1 tried, 0 succeeded", "checks: 1 more, 0 failed",
            ], "\(outcome.output)")
        #expect(outcome.lines.last == "vectors: ecdsa_secp256r1_sha256_test.json (TPM) 471 passed, 0 failed")
        #expect(outcome.lines.count == 14)
    }

    @Test("An attack counts by its name, however often it is tried, and checks aren't counted among them")
    func names() async throws {
        let outcome = try await tally(
            noting: Self.attacks + ["attack 0 a door is opened", "attack 0 a door is forced", "kills 7"])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.lines.suffix(2) == ["attacks: 2 tried, 0 succeeded", "checks: 1 more, 0 failed"])
    }

    @Test("A name that succeeded once counts as succeeded, and is said", arguments: ["attack", "check"])
    func succeeded(word: String) async throws {
        let outcome = try await tally(noting: Self.attacks + ["\(word) 1 a window is open", "\(word) 0 a window is open"])
        #expect(outcome.status == 1 && outcome.lines.last == "tally: an attack succeeded", "\(outcome.output)")
        #expect(outcome.lines.contains("\(word) succeeded: a window is open"))
        #expect(outcome.lines.contains(word == "attack" ? "attacks: 2 tried, 1 succeeded" : "checks: 2 more, 1 failed"))
    }

    @Test("Whatever was lost fails the run", arguments: ["lost", "server-lost", "login-lost"])
    func lost(word: String) async throws {
        let outcome = try await tally("crash", noting: Self.crashes + ["\(word) 1"])
        #expect(outcome.status == 1 && outcome.lines.last == "tally: something was lost", "\(outcome.output)")
    }

    @Test("A kind of which nothing was tried fails the run, whether nothing is noted of it or a zero")
    func nothing() async throws {
        for word in ["kills", "faults", "flips", "want", "server-kills", "server-answers", "login-faults", "login-logins"] {
            for zero in [[], ["\(word) 0"]] {
                let outcome = try await tally("crash", noting: Self.crashes.filter { !$0.hasPrefix(word + " ") } + zero)
                let last = "tally: nothing was tried of: \(word)"
                #expect(outcome.status == 1 && outcome.lines.last == last, "\(outcome.output)")
            }
        }
        for word in ["attack", "check"] {
            let outcome = try await tally(noting: Self.attacks.filter { !$0.hasPrefix(word) })
            let last = "tally: nothing was tried of: \(word)s"
            #expect(outcome.status == 1 && outcome.lines.last == last, "\(outcome.output)")
        }
    }

    @Test(
        "Where nothing is noted at all, all kinds of tally fail, and all of them together",
        arguments: ["crash", "attacks", "all"])
    func empty(kinds: String) async throws {
        #expect(try await tally(kinds).status == 1)
    }

    @Test("All vectors of each file have to be tried, in software and on the TPM; a file's name may have blanks in it")
    func vectors() async throws {
        #expect(Self.vectors.count == 7)
        let all = try await tally("vectors", noting: Self.vectors)
        #expect(all.status == 0, "\(all.output)")
        #expect(all.lines.last == "vectors: ecdsa_secp256r1_sha256_test.json (TPM) 471 passed, 0 failed")
        for (place, line) in Self.vectors.enumerated() {
            var others = Self.vectors
            others.remove(at: place)
            let words = line.split(separator: " ")
            let name = words.dropFirst().dropLast(2).joined(separator: " ")
            let number = try #require(Int(words[words.count - 2]))
            // None of the file, one vector too few, or one that failed.
            let less = [[], ["vectors \(name) \(number - 1) 0"], ["vectors \(name) \(number - 1) 1"]][place % 3]
            let outcome = try await tally("vectors", noting: others + less)
            let last = "tally: not all \(number) vectors passed of: \(name)"
            #expect(outcome.status == 1 && outcome.lines.last == last, "\(outcome.output)")
        }
    }

    @Test("A run in which no test passed fails, whatever was noted")
    func noTest() async throws {
        let outcome = try await tally(noting: Self.attacks, saying: ["Test run with 0 tests passed after 0.1 seconds."])
        #expect(outcome.status == 1 && outcome.lines.last == "tally: no test passed", "\(outcome.output)")
    }

    @Test("Tests are counted with and without a name of their own, with parameters and with quotes in the name; suites aren't")
    func counting() async throws {
        let said = [
            Self.passed, "\u{2714} Test x963() passed after 0.1 seconds.",
            "\u{2714} Test \"it says \"no\"\" passed after 1 second.",
            "\u{2714} Test forced(_:by:) with 3 test cases passed after 2 seconds.",
            "\u{2718} Test \"another\" failed after 0.1 seconds with 1 issue.", "\u{2714} Suite \"All\" passed after 3 seconds.",
        ]
        let outcome = try await tally(noting: Self.attacks, saying: said)
        #expect(outcome.lines.contains("tests: 4 passed, 1 failed, 0 skipped"), "\(outcome.output)")
        #expect(outcome.status == 1 && outcome.lines.last == "tally: failed tests: 1")
    }

    @Test("What a test found wrong is said again at the end, cut where it goes on and on")
    func wrong() async throws {
        let found = "at Door.swift:7:9: Expectation failed: (width → 7) == 8"
        let said = [
            "\u{2718} Test \"a \"wide\" door\" recorded an issue \(found)",
            "\u{2718} Test \"a \"wide\" door\" recorded a known issue \(found)",
            "\u{2718} Test \"a \"wide\" door\" failed after 0.1 seconds with 2 issues (including 1 known issue).",
            "\u{2718} Test open(_:) recorded an issue with 1 argument way → \"\(String(repeating: "out", count: 200))\" \(found)",
            "\u{2718} Test open(_:) with 3 test cases failed after 2 seconds with 1 issue.", Self.passed,
        ]
        let lines = try await tally(noting: Self.attacks, saying: said).lines.drop { !$0.hasPrefix("failed: ") }
        #expect(lines.first == "failed: Test \"a \"wide\" door\" \(found)")
        let second = lines.dropFirst().first ?? ""
        #expect(second.hasPrefix("failed: Test open(_:) with 1 argument way → \"outout") && second.utf8.count == 500)
        #expect(lines.dropFirst(2).first == "tests: 1 passed, 2 failed, 0 skipped")
    }

    @Test("A run that failed keeps its own status, whatever was noted")
    func failed() async throws {
        #expect(try await tally(noting: Self.attacks, status: 3).status == 3)
        #expect(try await tally("all", status: 3).status == 3)
    }

    @Test("A kind that there isn't runs nothing")
    func unknown() async throws {
        let outcome = try await tally("bugs")
        #expect(outcome.status == 64 && outcome.lines == ["tally: bugs is no kind of test"])
    }
}
