import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// The caller chooses a program's environment. A program with more rights than its caller must not trust it.
@Suite("A program with more rights than its caller", .enabled(if: getuid() == 0, "takes several users"))
struct PrivilegedTests {
    @Test("looks for the device where its caller says only if it has no more rights than its caller")
    func environment() throws {
        // Where a file system for temporary files might give no program more rights.
        let folder = "/opt/client-\(UInt64.random(in: 0 ... .max))"
        let program = folder + "/client"
        let uid = FreshUser.next
        defer {
            try? FileManager.default.removeItem(atPath: folder)
            rmdir("/tmp/thumbturn-\(uid)")
        }
        try #require(mkdir(folder, 0o755) == 0 && chmod(folder, 0o755) == 0)
        // So that none is started that may be installed.
        try writeScript("#!/bin/sh\nexit 3\n", to: folder + "/thumbturnd")
        try copyProgram("thumbturn-test-client", to: program)
        let callers = "nothing listens at $THUMBTURN_SOCKET"
        #expect(try answer(of: program, as: uid, in: folder).contains(callers))
        try #require(chown(program, 0, 65534) == 0 && chmod(program, 0o2755) == 0)
        let privileged = try answer(of: program, as: uid, in: folder)
        #expect(privileged.hasPrefix("> failed notFound: ") && !privileged.contains(callers), "\(privileged)")
    }

    /// Starts an app whose environment names a daemon's place. Returns what it says when it is asked for its daemon.
    private func answer(of program: String, as uid: UInt32, in folder: String) throws -> String {
        let asked = folder + "/asked"
        try "pid\n".write(toFile: asked, atomically: false, encoding: .utf8)
        let (process, output) = (OwnProcess(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", "--", program]
        process.environment = ["PATH": "/usr/bin:/bin", "THUMBTURN_SOCKET": "/nowhere/socket"]
        process.standardInput = FileHandle(forReadingAtPath: asked)
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}
