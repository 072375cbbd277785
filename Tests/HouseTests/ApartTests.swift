import Foundation
import Testing

/// `scripts/test-apart`, with a program in place of `swift` that writes what it was asked, and says how its tests ended.
@Suite("Runs that are apart")
struct ApartTests {
    /// How it ended, and the words of each run. Where a run's words have one of these in them, it ends so.
    private func apart(
        _ words: [String] = ["16", "--skip", "Slow"], ends: [(having: String, saying: String, status: Int)] = []
    ) async throws -> (outcome: Outcome, runs: [String]) {
        try await withTemporaryFolder { folder in
            let (swift, asked) = (folder.appending(path: "swift"), folder.appending(path: "asked"))
            let others = ends.map { "*'\($0.having)'*) echo '\($0.saying)'; exit \($0.status) ;;" }.joined(separator: "\n    ")
            try swift.write(
                """
                #!/bin/sh
                echo "$SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH $*" >>'\(asked.path)'
                case "$*" in
                    \(others)
                    *) echo 'Test run with 3 tests in 1 suite passed' ;;
                esac
                """, executable: true)
            let script = checkout.appending(path: "scripts/test-apart").path
            let outcome = try await run([script] + words, environment: ownEnvironment.merging(["SWIFT": swift.path]) { $1 })
            let runs = try? String(contentsOf: asked, encoding: .utf8)
            return (outcome, (runs ?? "").split(separator: "\n").map(String.init))
        }
    }

    @Test("What is apart from the rest is left out of the rest, and each run has the words")
    func whole() async throws {
        let (outcome, runs) = try await apart()
        #expect(outcome.status == 0, "\(outcome.output)")
        let patterns = runs.dropLast().map { $0.replacing("4 test --skip-build --filter ", with: "") }
            .map { $0.replacing(" --skip Slow", with: "") }
        #expect(patterns.contains("^SensorsTests\\.OnABus") && patterns.contains("^HouseTests\\."))
        #expect(runs.last == "16 test --skip-build --skip \(patterns.joined(separator: "|")) --skip Slow")
    }

    @Test("A run that fails doesn't keep the others from being made, and fails the whole")
    func failed() async throws {
        let all = try await apart().runs
        let (outcome, runs) = try await apart(ends: [("OnABus --skip", "Test run with 3 tests in 1 suite failed", 1)])
        #expect(outcome.status == 1 && runs == all, "\(outcome.output)")
        #expect(outcome.lines.count { $0.hasSuffix("passed") } == all.count - 1)
    }

    @Test("A run without tests fails the whole", arguments: ["Test run with 0 tests in 0 suites passed", "nothing"])
    func empty(said: String) async throws {
        let (outcome, _) = try await apart(ends: [("filter ^HouseTests", said, 0)])
        #expect(outcome.status == 1 && outcome.lines.last?.hasPrefix("Test run with 3 tests") == true, "\(outcome.output)")
        #expect(outcome.lines.filter { $0.hasPrefix("test-apart: ") }.count == 1)
        #expect(outcome.output.contains("test-apart: a run had no tests: --filter ^HouseTests"))
    }

    @Test("Without a number of tests it runs nothing", arguments: [[], ["0"], ["--skip", "Slow"]])
    func misuse(words: [String]) async throws {
        let (outcome, runs) = try await apart(words)
        #expect(outcome.status == 64 && runs == [])
    }
}
