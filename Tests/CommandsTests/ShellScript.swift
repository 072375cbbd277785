import Foundation
import thumbturn_test_programs

@testable import ThumbCommands

/// The lines that a shell prints, on either stream, when it runs a script with nobody's settings. What stands in the folder comes first
/// among its programs.
func lines(of shell: Shell, _ script: String, in folder: URL? = nil) throws -> [String] {
    let process = OwnProcess()
    process.executableURL = URL(filePath: "/usr/bin/\(shell.rawValue)")
    let settings = [Shell.bash: "--norc", .zsh: "-f", .fish: "--no-config"]
    process.arguments = [settings[shell, default: ""], "-c", script]
    let path = ((folder.map { [$0.path] } ?? []) + ["/usr/bin"]).joined(separator: ":")
    process.environment = ["PATH": path, "HOME": "/nonexistent", "LANG": "C.UTF-8"]
    if let folder { process.currentDirectoryURL = folder }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}
