import CThumbLinux
import Foundation
import Testing
import ThumbClient
import thumbturn_test_programs

/// Somebody who can write where our programs are looked for could have theirs run instead. HOME belongs to the whole process, so each
/// test runs in a process of its own.
@Suite("Where our own programs are looked for") struct InstalledTests {
    @Test("In this user's home, but not in a folder there that others can write")
    func home() async {
        await #expect(processExitsWith: .success) {
            let found = try [0o700, 0o755, 0o775, 0o757, 0o777, 0o1777].map { mode in
                try isFound { folder in chmod(folder, mode_t(mode)) }
            }
            exit(found == [true, true, false, false, false, false] ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("Nor in another user's folder there; a link to this user's own is all right", .enabled(if: getuid() == 0, "takes root"))
    func anothers() async {
        await #expect(processExitsWith: .success) {
            let found = [
                try isFound { folder in chown(folder, 65534, 65534) },
                try isFound { folder in
                    rename(folder, folder + "-moved") == 0 && symlink(folder + "-moved", folder) == 0
                        ? chown(folder, 65534, 65534) : -1
                },
                try isFound { folder in rename(folder, folder + "-moved") == 0 ? symlink(folder + "-moved", folder) : -1 },
            ]
            exit(found == [false, false, true] ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

/// Whether a program is found in a home whose folder of programs was changed.
private func isFound(_ change: (_ folder: String) -> Int32) throws -> Bool {
    let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UInt64.random(in: 0 ... .max))").path
    let folder = home + "/.local/libexec/thumbturn"
    // No installation has one of that name.
    let name = "thumbturn-of-a-test"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    try writeScript("#!/bin/sh\n", to: folder + "/" + name)
    try #require(change(folder) == 0)
    setenv("HOME", home, 1)
    return Installed.program(name) == folder + "/" + name
}
