import Foundation
import Testing
import ThumbCommands
import thumbturn_test_programs

@testable import thumbturn

/// What the built programs print about themselves.
@Suite("Help of the built programs")
struct HelpTests {
    /// Everything that a program of ours prints, with the exit status.
    private func said(_ program: String, _ words: [String]) throws -> (output: String, status: Int32) {
        let path = builtPrograms.appending(path: program).path
        try #require(FileManager.default.isExecutableFile(atPath: path), "\(program) isn't built")
        let child = try Child([path] + words, environment: [:])
        return (try child.readToEnd(), child.status())
    }

    @Test("Every command's help ends with an example that has its name", arguments: TableTests.places.map(\.path))
    func examples(_ path: [String]) throws {
        let (output, status) = try said("thumbturn", path.dropFirst() + ["--help"])
        #expect(status == 0)
        let examples = output.components(separatedBy: "\nExamples:\n")
        try #require(examples.count == 2, "\(output)")
        #expect(examples[1].contains(path.joined(separator: " ")), "\(output)")
    }

    @Test(
        "A daemon's help has an example too",
        arguments: [
            "thumbturnd", "thumbturn-front", "thumbturn-tpm", "thumbturn-reader", "thumbturn-server", "thumbturn-companion",
        ])
    func daemons(_ name: String) throws {
        let (output, status) = try said(name, ["--help"])
        #expect(status == 0 && output.hasPrefix("Usage: \(name) "))
        let examples = output.components(separatedBy: "\nExamples:\n")
        #expect(examples.count == 2 && examples[1].contains("    "), "\(output)")
    }
}
