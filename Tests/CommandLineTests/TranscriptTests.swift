import Testing
import thumbturn_test_programs

/// Lets no file grow beyond a block, which is too little for a program under a sanitizer.
private let fullDisk = "full-disk"

/// Sessions at the command line, against the built programs and a daemon of their own.
@Suite("Transcripts", .serialized)
struct TranscriptTests {
    @Test("There are transcripts")
    func corpus() throws {
        #expect(try Transcript.all().count >= 14)
        for transcript in try Transcript.all() { #expect(!transcript.steps.isEmpty, "\(transcript.name)") }
    }

    @Test("Every answer is the one that is written down", arguments: try Transcript.all().filter { $0.name != fullDisk })
    func answers(_ transcript: Transcript) async throws { try await play(transcript) }

    @Test("So it is on a full disk", .enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
    func onFullDisk() async throws { try await play(#require(try Transcript.all().first { $0.name == fullDisk })) }

    private func play(_ transcript: Transcript) async throws {
        let found = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            return try transcript.steps.flatMap { try self.differences($0, on: stage) }
        }
        for difference in found {
            Issue.record(
                Comment(rawValue: difference.text),
                sourceLocation: SourceLocation(
                    fileID: "CommandLineTests/\(transcript.name).txt", filePath: transcript.file.path, line: difference.line,
                    column: 1))
        }
    }

    private struct Difference: Sendable {
        let line: Int
        let text: String

        init(_ step: Transcript.Step, _ text: String) {
            line = step.line
            self.text = text
        }

        init(_ step: Transcript.Step, _ what: String, _ output: String, insteadOf expected: [String]) {
            self.init(step, "\(what):\n\(output)\ninstead of:\n\(expected.joined(separator: "\n"))")
        }
    }

    /// Plays one step; what came otherwise than it is written.
    private func differences(_ step: Transcript.Step, on stage: Stage) throws -> [Difference] {
        let output: String
        let status: Int32
        let last = step.expected.last ?? []
        switch step.action {
        case .restart:
            try stage.startDaemon()
            return []
        case .run(let command, let input): (output, status) = try stage.run(command, input: input ?? [])
        case .runInTerminal(let command):
            let child = try stage.runInTerminal(command)
            for (expected, keys) in zip(step.expected, step.typed) {
                let expectation = try Expectation(expected)
                do {
                    let (met, output) = try child.read { expectation.isMet(by: $0) }
                    guard met else { return [Difference(step, "it ended, having shown", output, insteadOf: expected)] }
                } catch let error as Child.TookTooLong {
                    return [Difference(step, "it waits, having shown", error.output, insteadOf: expected)]
                }
                child.type(keys)
            }
            do {
                output = try child.readToEnd()
            } catch let error as Child.TookTooLong {
                return [Difference(step, "it doesn't end, having shown", error.output, insteadOf: last)]
            }
            status = child.status()
        }
        var differences: [Difference] = []
        if try !Expectation(last).isMet(by: output) { differences.append(Difference(step, "it showed", output, insteadOf: last)) }
        if status != step.status { differences.append(Difference(step, "it ended with \(status), not \(step.status)")) }
        return differences
    }
}
