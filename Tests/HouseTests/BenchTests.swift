import Foundation
import Testing

@Suite("What the benches say")
struct BenchTests {
    /// What `bench-sign-in`'s report prints and calls short.
    private func report(_ lines: String...) async throws -> Outcome {
        let program =
            """
            import importlib.machinery, importlib.util, sys
            sys.dont_write_bytecode = True
            loader = importlib.machinery.SourceFileLoader("bench", sys.argv[1])
            bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
            loader.exec_module(bench)
            report = bench.Report()
            \(lines.joined(separator: "\n"))
            print("short:", report.short)
            """
        return try await run(["python3", "-c", program, checkout.appending(path: "scripts/bench-sign-in").path])
    }

    @Test("A ratio that doesn't reach its goal is short, one that just does isn't")
    func short() async throws {
        let outcome = try await report(
            #"report.ratio("a", 4.99, 5, is_at_least=True)"#, #"report.ratio("b", 5, 5, is_at_least=True)"#,
            #"report.ratio("c", 5.01, 5, is_at_least=False)"#, #"report.ratio("d", float("nan"), 5, is_at_least=False)"#)
        #expect(outcome.status == 0 && outcome.lines.last == "short: ['a', 'c', 'd']", "\(outcome.output)")
    }

    @Test("Beside each compared server's figure stands how that one commits")
    func cases() async throws {
        let outcome = try await report(
            #"for name, case in bench.CASES.items(): report.bench("rate-" + name, 3, "/s", [2, 4], case)"#)
        #expect(outcome.lines.count == 4, "\(outcome.output)")
        #expect(outcome.lines.prefix(3).allSatisfy { $0.hasPrefix("bench rate-") && $0.contains(": ") && $0.contains("commit") })
    }
}
