import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbPeers
import thumbturn_test_programs

/// Programs that run, and where the daemon finds them. Root makes the folders, so that some are root's all the way.
@Suite("Where a program's file lies", .enabled(if: getuid() == 0, "takes folders of root's"), .serialized)
struct RunningFileTests {
    /// A folder that root owns all the way, with a program in it.
    private final class Place {
        let folder = "/opt/thumbturn-test-\(UInt32.random(in: 0 ... .max))"
        private var running: [pid_t] = []

        init() throws {
            try FileManager.default.createDirectory(
                atPath: folder + "/bin", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            chmod(folder, 0o755)
            try copy("/bin/app")
        }

        func copy(_ name: String) throws { try copyProgram(at: "/bin/sleep", to: folder + name) }

        /// What the daemon makes of a process of that program.
        func found(_ path: String, _ change: () throws -> Void = {}) throws -> PeerFacts.File? {
            var words = [strdup(folder + path), strdup("600"), nil]
            defer { for word in words { free(word) } }
            var process: pid_t = 0
            try #require(posix_spawn(&process, folder + path, nil, nil, &words, nil) == 0)
            running.append(process)
            try change()
            let proc = open("/proc/\(process)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(proc >= 0)
            defer { close(proc) }
            return RunningFile.of(proc)
        }

        deinit {
            for process in running {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
            // What can't be removed is a folder of a test's left behind, nothing more.
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test("a program that root owns all the way is the system's, and its path is its name")
    func system() throws {
        let place = try Place()
        let app = try #require(try place.found("/bin/app"))
        #expect(app.place == .system && app.path.text == place.folder + "/bin/app" && app.isName && app.stamp.count == 32)
        #expect(try place.found("/bin/app")?.stamp == app.stamp)
    }

    @Test("one folder on the way that another than root can write, or the file itself, and its user can change it")
    func changeable() throws {
        for (name, mode) in [("", 0o775), ("", 0o777), ("", 0o1777), ("/bin", 0o757), ("/bin/app", 0o775), ("/bin/app", 0o757)] {
            let place = try Place()
            chmod(place.folder + name, mode_t(mode))
            #expect(try place.found("/bin/app")?.place == .changeable, "\(name) \(mode)")
        }
        for name in ["", "/bin", "/bin/app"] {
            let place = try Place()
            chown(place.folder + name, 61_000, 61_000)
            #expect(try place.found("/bin/app")?.place == .changeable, "\(name)")
        }
    }

    @Test("a link is the file that it leads to, and says nothing of its own name")
    func links() throws {
        let place = try Place()
        try FileManager.default.createSymbolicLink(
            atPath: place.folder + "/thumbturn", withDestinationPath: place.folder + "/bin/app")
        let app = try #require(try place.found("/thumbturn"))
        #expect(app.path.text == place.folder + "/bin/app" && app.place == .system)
    }

    @Test("a file that was removed is gone, and one that is called like a removed one is there")
    func removed() throws {
        let place = try Place()
        let app = try #require(
            try place.found("/bin/app") { try FileManager.default.removeItem(atPath: place.folder + "/bin/app") })
        #expect(app.place == .gone && app.path.text == place.folder + "/bin/app" && !app.isName)
        try place.copy("/bin/app (deleted)")
        let called = try #require(try place.found("/bin/app (deleted)"))
        #expect(called.place == .system && called.path.text == place.folder + "/bin/app (deleted)" && called.isName)
    }

    @Test("a file that another was put in place of is gone, and the new one has another stamp; written anew it has another too")
    func replaced() throws {
        let place = try Place()
        let before = try #require(try place.found("/bin/app"))
        try place.copy("/bin/new")
        let app = try #require(try place.found("/bin/app") { rename(place.folder + "/bin/new", place.folder + "/bin/app") })
        #expect(app.place == .gone && app.stamp.count == 32)
        let after = try #require(try place.found("/bin/app"))
        #expect(after.place == .system && after.stamp != before.stamp)
    }

    @Test("a folder on the way that was exchanged for a link leads elsewhere")
    func exchanged() throws {
        let place = try Place()
        let app = try #require(
            try place.found("/bin/app") {
                rename(place.folder + "/bin", place.folder + "/old")
                symlink(place.folder + "/old", place.folder + "/bin")
            })
        // The kernel follows the file to its new path.
        #expect(app.path.text == place.folder + "/old/app" && app.place == .system)
    }

    @Test("a name that isn't text is shown, and names no group")
    func noText() throws {
        let place = try Place()
        let name: [CChar] = (Array((place.folder + "/bin/a").utf8) + [0xff, 0xfe]).map { CChar(bitPattern: $0) } + [0]
        #expect(rename(place.folder + "/bin/app", name) == 0)
        try FileManager.default.createDirectory(atPath: place.folder + "/x", withIntermediateDirectories: false)
        #expect(symlink(name, place.folder + "/x/link") == 0)
        let app = try #require(try place.found("/x/link"))
        #expect(app.path.text.hasSuffix("/bin/a\u{fffd}\u{fffd}") && !app.isName)
    }
}
