import CThumbLinux
import Foundation

// Another process writes each of these. A file that this process has open for writing can't be run as long as some thread of it starts a
// program.

/// Copies a program of this build to another place, where other users reach it too.
public func copyProgram(_ name: String, to path: String) throws {
    try copyProgram(at: builtPrograms.appending(path: name).path, to: path)
}

/// The same with a program of the machine's.
public func copyProgram(at source: String, to path: String) throws { try install(source, nil, at: path) }

/// Writes a script that can be run.
public func writeScript(_ text: String, to path: String) throws { try install("/dev/stdin", text, at: path) }

private func install(_ source: String, _ text: String?, at path: String) throws {
    let installing = OwnProcess()
    installing.executableURL = URL(filePath: "/usr/bin/install")
    installing.arguments = ["-m", "755", source, path]
    let pipe = Pipe()
    if text != nil { installing.standardInput = pipe }
    try installing.run()
    if let text {
        pipe.fileHandleForWriting.write(Data(text.utf8))
        pipe.fileHandleForWriting.closeFile()
    }
    installing.waitUntilExit()
    guard installing.terminationStatus == 0 else { throw CannotStart(program: path) }
}
