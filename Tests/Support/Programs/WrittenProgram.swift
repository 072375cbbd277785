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

/// Copies a file or a folder in which there are programs, as it is.
public func copyPrograms(at source: String, to path: String) throws { try make(path, "/usr/bin/cp", ["-a", source, path]) }

/// Writes a script that can be run.
public func writeScript(_ text: String, to path: String) throws { try install("/dev/stdin", text, at: path) }

private func install(_ source: String, _ text: String?, at path: String) throws {
    try make(path, "/usr/bin/install", ["-m", "755", source, path], text)
}

private func make(_ path: String, _ program: String, _ arguments: [String], _ text: String? = nil) throws {
    let making = OwnProcess()
    making.executableURL = URL(filePath: program)
    making.arguments = arguments
    let pipe = Pipe()
    if text != nil { making.standardInput = pipe }
    try making.run()
    if let text {
        pipe.fileHandleForWriting.write(Data(text.utf8))
        pipe.fileHandleForWriting.closeFile()
    }
    making.waitUntilExit()
    guard making.terminationStatus == 0 else { throw CannotStart(program: path) }
}
