import Foundation
import Testing

/// `scripts/test-sanitized`, with a program in place of `swift` that says and writes what a run would.
@Suite("Runs under the sanitizers")
struct SanitizedTests {
    private static let both = ["__asan_report_load4", "__ubsan_handle_add_overflow"]

    private func sanitized(
        says: String = "Test run with 3 tests in 1 suite passed", report: String? = nil, built marks: [String] = both,
        status: Int = 0
    ) async throws -> (outcome: Outcome, asked: String) {
        try await withTemporaryFolder { folder in
            let (swift, scratch) = (folder.appending(path: "swift"), folder.appending(path: "scratch").path)
            let write = report.map { "echo '\($0)' >'\(scratch)/reports/report.7'" } ?? ":"
            try swift.write(
                """
                #!/bin/sh
                echo "$*" >'\(folder.path)/asked'
                echo '\(marks.joined(separator: " "))' >'\(scratch)/main.c.o'
                \(write)
                echo '\(says)'
                exit \(status)
                """, executable: true)
            let script = checkout.appending(path: "scripts/test-sanitized").path
            let outcome = try await run(
                [script, "--scratch", scratch, "--skip", "Slow"],
                environment: ownEnvironment.merging(["SWIFT": swift.path]) { $1 })
            return (outcome, (try? String(contentsOf: folder.appending(path: "asked"), encoding: .utf8)) ?? "")
        }
    }

    @Test("A run without a report is well, and has both sanitizers and their options")
    func well() async throws {
        let (outcome, asked) = try await sanitized()
        #expect(outcome.status == 0 && outcome.lines.last == "sanitizers: 3 tests, 0 reports", "\(outcome.output)")
        #expect(asked.contains("--sanitize=address -Xcc -fsanitize=undefined ") && asked.contains("options.o"))
        #expect(asked.hasSuffix("--skip Slow\n"))
    }

    @Test("A report fails a run that says that it passed, and is named")
    func report() async throws {
        let (outcome, _) = try await sanitized(report: "==7==ERROR: AddressSanitizer: heap-use-after-free")
        #expect(outcome.status == 1 && outcome.lines.last == "sanitizers: 3 tests, 1 reports", "\(outcome.output)")
        #expect(outcome.output.contains("reports/report.7: ==7==ERROR: AddressSanitizer: heap-use-after-free"))
    }

    @Test("A run without tests fails, and a failed one keeps its status")
    func failed() async throws {
        #expect(try await sanitized(says: "nothing").outcome.status == 1)
        #expect(try await sanitized(says: "Test run with 0 tests in 0 suites passed").outcome.status == 1)
        #expect(try await sanitized(status: 3).outcome.status == 3)
    }

    @Test("A run fails if one of the sanitizers isn't in what was built", arguments: both)
    func unsanitized(_ mark: String) async throws {
        let (outcome, _) = try await sanitized(built: [mark])
        #expect(outcome.status == 1 && outcome.output.contains("nothing that was built from C has"), "\(outcome.output)")
    }

    @Test(
        "A program's options are in it: without an environment its first report is written to the folder, and ends it",
        arguments: [
            (
                "int main(int count, char **words) { int most = 0x7fffffff; most += count; return most > 0 ? 0 : 7; }",
                "signed integer overflow"
            ),
            (
                "#include <stdlib.h>\nint main(int count, char **words) { char *room = malloc(1); room[count] = 7; return room[count]; }",
                "heap-buffer-overflow"
            ),
        ])
    func options(code: String, finding: String) async throws {
        try await withTemporaryFolder { folder in
            let script = checkout.appending(path: "scripts/test-sanitized").path
            let scratch = folder.appending(path: "scratch").path
            _ = try await run([script, "--scratch", scratch], environment: ownEnvironment.merging(["SWIFT": "/bin/true"]) { $1 })
            let source = folder.appending(path: "wrong.c")
            try source.write(code)
            let program = folder.appending(path: "wrong").path
            let built = try await run([
                "clang", "-fsanitize=address,undefined", "-o", program, source.path, scratch + "/options.o",
            ])
            try #require(built.status == 0, "\(built.output)")
            let outcome = try await run(["env", "-i", program])
            #expect(outcome.status != 0 && outcome.status != 7, "\(outcome.output)")
            let reports = try FileManager.default.contentsOfDirectory(atPath: scratch + "/reports")
            let report = try #require(reports.first)
            #expect(try String(contentsOfFile: "\(scratch)/reports/\(report)", encoding: .utf8).contains(finding))
        }
    }
}
