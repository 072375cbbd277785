import Foundation
import Testing
import thumbturn_test_programs

/// libthumbturn's functions, called from C, on a simulated device.
@Suite("libthumbturn on a simulated device")
struct SimulatedTests {
    /// Runs a program of C on a device whose owner answers so; without answers the owner says yes to everything.
    private func outcome(
        _ name: String, _ kind: BuiltLibrary.Kind, answers: String? = nil, _ words: [String] = []
    ) async throws -> Outcome {
        let program = try await BuiltLibrary.get(kind).program(name)
        let answering = answers.map { ["--answers", $0] } ?? []
        return try await run(
            ["thumbturn", "simulate"] + answering + ["--", program.path] + words, environment: BuiltLibrary.environment)
    }

    @Test("Secrets are stored, read, replaced, listed and removed, each under its rule", arguments: BuiltLibrary.Kind.allCases)
    func secrets(kind: BuiltLibrary.Kind) async throws {
        let outcome = try await outcome("secrets", kind)
        #expect(outcome.status == 0 && outcome.output == "all secrets are right\n", "\(outcome.output)")
    }
}
