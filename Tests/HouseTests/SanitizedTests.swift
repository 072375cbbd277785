import Foundation
import Testing

/// `scripts/test-sanitized`, with a program in place of `swift` that says and writes what a run would.
@Suite("Runs under a sanitizer")
struct SanitizedTests {
    private func sanitized(
        _ sanitizer: String = "address", says: String = "Test run with 3 tests in 1 suite passed", report: String? = nil,
        status: Int = 0
    ) async throws -> (outcome: Outcome, asked: String) {
        try await withTemporaryFolder { folder in
            let (swift, scratch) = (folder.appending(path: "swift"), folder.appending(path: "scratch").path)
            let write = report.map { "echo '\($0)' >'\(scratch)/reports/\(sanitizer).7'" } ?? ":"
            try swift.write(
                """
                #!/bin/sh
                echo "$*" >'\(folder.path)/asked'
                \(write)
                echo '\(says)'
                exit \(status)
                """, executable: true)
            let script = checkout.appending(path: "scripts/test-sanitized").path
            let outcome = try await run(
                [script, "--scratch", scratch, sanitizer, "--skip", "Slow"],
                environment: ownEnvironment.merging(["SWIFT": swift.path]) { $1 })
            return (outcome, (try? String(contentsOf: folder.appending(path: "asked"), encoding: .utf8)) ?? "")
        }
    }

    @Test("A run without a report is well, and has the sanitizer and its options", arguments: ["address", "undefined"])
    func well(_ sanitizer: String) async throws {
        let (outcome, asked) = try await sanitized(sanitizer)
        #expect(outcome.status == 0 && outcome.lines.last == "sanitizer: \(sanitizer) 3 tests, 0 reports", "\(outcome.output)")
        #expect(asked.contains("--sanitize=\(sanitizer) ") && asked.contains("options.o") && asked.hasSuffix("--skip Slow\n"))
    }

    @Test("A report fails a run that says that it passed, and is named")
    func report() async throws {
        let (outcome, _) = try await sanitized(report: "==7==ERROR: AddressSanitizer: heap-use-after-free")
        #expect(outcome.status == 1 && outcome.lines.last == "sanitizer: address 3 tests, 1 reports", "\(outcome.output)")
        #expect(outcome.output.contains("reports/address.7: ==7==ERROR: AddressSanitizer: heap-use-after-free"))
    }

    @Test("A run without tests fails, a failed one keeps its status, and another sanitizer isn't known")
    func failed() async throws {
        #expect(try await sanitized(says: "nothing").outcome.status == 1)
        #expect(try await sanitized(says: "Test run with 0 tests in 0 suites passed").outcome.status == 1)
        #expect(try await sanitized(status: 3).outcome.status == 3)
        #expect(try await sanitized("thread").outcome.status == 64)
    }

    @Test("A program's options are in it: without an environment its first report is written to the folder, and ends it")
    func options() async throws {
        try await withTemporaryFolder { folder in
            let script = checkout.appending(path: "scripts/test-sanitized").path
            let scratch = folder.appending(path: "scratch").path
            _ = try await run(
                [script, "--scratch", scratch, "undefined"], environment: ownEnvironment.merging(["SWIFT": "/bin/true"]) { $1 })
            let source = folder.appending(path: "overflow.c")
            try source.write(
                "int main(int count, char **words) { int most = 0x7fffffff; most += count; return most > 0 ? 0 : 7; }")
            let program = folder.appending(path: "overflow").path
            let built = try await run(["clang", "-fsanitize=undefined", "-o", program, source.path, scratch + "/options.o"])
            try #require(built.status == 0, "\(built.output)")
            let outcome = try await run(["env", "-i", program])
            #expect(outcome.status != 0 && outcome.status != 7, "\(outcome.output)")
            let reports = try FileManager.default.contentsOfDirectory(atPath: scratch + "/reports")
            let report = try #require(reports.first)
            #expect(
                try String(contentsOfFile: "\(scratch)/reports/\(report)", encoding: .utf8).contains("signed integer overflow"))
        }
    }
}
