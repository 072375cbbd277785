import Foundation
import Testing
import thumbturn_test_programs

@testable import thumbturn

/// A stage on which tools find our helpers by their names, on a simulated device.
struct HelperStage {
    let stage: Stage
    /// Where the names are.
    private let names: URL

    init() throws {
        stage = try Stage()
        names = stage.folder.appending(path: "names")
        try FileManager.default.createDirectory(at: names, withIntermediateDirectories: true)
        for name in HelperName.allCases.map(\.rawValue) {
            try FileManager.default.createSymbolicLink(
                at: names.appending(path: name), withDestinationURL: builtPrograms.appending(path: "thumbturn"))
        }
    }

    /// Runs a shell's lines on a device whose owner answers so, each prompt in turn; without answers, with yes.
    func run(_ lines: String, answers: String? = nil) throws -> (output: String, status: Int32) {
        try Data("set -e\nPATH=\(names.path):$PATH\ncd \"$HOME\"\n\(lines)\n".utf8).write(to: script)
        let options = answers.map { "--answers \($0)" } ?? ""
        return try stage.run("thumbturn simulate \(options) -- sh \(script.path)")
    }

    private var script: URL { stage.folder.appending(path: "home/script") }

    /// A file in the home folder.
    func write(_ text: String, to name: String) throws {
        let file = stage.folder.appending(path: "home/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
