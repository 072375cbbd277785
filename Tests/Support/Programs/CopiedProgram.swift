import Foundation

/// Copies a built program to another place, so that it can be started there.
///
/// Another process writes it. If this one did, a program that another thread starts in the same moment would hold the file open for
/// writing until it runs, and nothing can execute a file that somebody may write.
public func copyProgram(_ name: String, to path: String) throws {
    let copying = OwnProcess()
    copying.executableURL = URL(filePath: "/bin/cp")
    copying.arguments = [builtPrograms.appending(path: name).path, path]
    try copying.run()
    copying.waitUntilExit()
    guard FileManager.default.isExecutableFile(atPath: path) else { throw CannotStart(program: path) }
}
