import CThumbLinux
import Foundation

/// Copies a program of this build to another place, where other users reach it too.
///
/// Another process writes it. A file that this process has open for writing can't be run as long as some thread of it starts a program.
public func copyProgram(_ name: String, to path: String) throws {
    let copying = OwnProcess()
    copying.executableURL = URL(filePath: "/bin/cp")
    copying.arguments = ["--no-preserve=all", "--remove-destination", builtPrograms.appending(path: name).path, path]
    try copying.run()
    copying.waitUntilExit()
    guard copying.terminationStatus == 0, chmod(path, 0o755) == 0 else { throw CannotStart(program: "a copy of \(name)") }
}
