import CThumbLinux
import Foundation
import Testing

@testable import ThumbSystem

/// A folder that goes at the test's end, for this user alone.
final class Scratch {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "system-\(UInt64.random(in: 0 ... .max))").path
        try PrivateFolder.make(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
    var names: Set<String> { get throws { try Set(FileManager.default.contentsOfDirectory(atPath: path)) } }
}

@Suite("Private folders") struct FolderTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func problem(_ path: String, _ privacy: PrivateFolder.Privacy = .fromReaders) -> PrivateFolder.Problem? {
        do throws(PrivateFolder.Problem) { try PrivateFolder.check(path, of: getuid(), privacy) } catch { return error }
        return nil
    }

    @Test("One is made for this user alone, and one that is there stays as it is")
    func made() throws {
        let path = scratch.path + "/a"
        try PrivateFolder.make(path)
        #expect(problem(path) == nil)
        chmod(path, 0o750)
        try PrivateFolder.make(path)
        #expect(problem(path) == .open(mode: 0o750))
        #expect(throws: SystemError(ENOENT)) { try PrivateFolder.make(scratch.path + "/b/c") }
        PrivateFolder.makeWithParents(scratch.path + "/b/c")
        #expect(problem(scratch.path + "/b") == nil && problem(scratch.path + "/b/c") == nil)
    }

    @Test("One that others can enter is refused with its mode and what to do", arguments: [0o755, 0o710, 0o701, 0o740])
    func open(mode: mode_t) throws {
        chmod(scratch.path, mode)
        defer { chmod(scratch.path, 0o700) }
        let problem = try #require(self.problem(scratch.path))
        #expect(problem == .open(mode: mode))
        #expect(problem.description == "is open to others (mode \(String(mode, radix: 8))); close it with chmod 700")
        #expect(self.problem(scratch.path, .fromWriters) == nil)
    }

    @Test("One that others can write is refused wherever", arguments: [0o770, 0o707, 0o722])
    func writable(mode: mode_t) {
        chmod(scratch.path, mode)
        defer { chmod(scratch.path, 0o700) }
        #expect(problem(scratch.path, .fromWriters) == .open(mode: mode))
    }

    @Test("Another user's is refused")
    func anothers() {
        // Root's own, or any user's for root.
        let user: uid_t = getuid() == 0 ? 1 : 0
        #expect(throws: PrivateFolder.Problem.anothers) { try PrivateFolder.check("/", of: 4711, .fromWriters) }
        #expect(throws: PrivateFolder.Problem.anothers) { try PrivateFolder.check(scratch.path, of: user, .fromReaders) }
    }

    @Test("A temporary one goes with everything in it, and what a link in it leads to stays")
    func temporary() throws {
        let kept = scratch.path + "/kept"
        try PrivateFolder.make(kept)
        try "a".write(toFile: kept + "/file", atomically: false, encoding: .utf8)
        let folder = try TemporaryFolder("temporary-", in: scratch.path)
        #expect(problem(folder.path) == nil)
        try PrivateFolder.make(folder.path + "/sub")
        for name in ["/file", "/sub/file"] { try "b".write(toFile: folder.path + name, atomically: false, encoding: .utf8) }
        for (name, target) in [("/link", kept), ("/sub/link", kept), ("/dangling", "nowhere")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path + name, withDestinationPath: target)
        }
        #expect(try scratch.names.count == 2)
        folder.remove()
        #expect(try scratch.names == ["kept"])
        #expect(try scratch.text("kept/file") == "a")
    }

    @Test("One that is opened is the one that was checked")
    func opened() throws {
        let folder = try PrivateFolder.open(scratch.path, of: getuid(), .fromReaders)
        let file = try Descriptor(opening: "file", in: folder.number, O_WRONLY | O_CREAT, mode: 0o600)
        try Transfer.write([0x61], to: file.number)
        #expect(try scratch.text("file") == "a")
        chmod(scratch.path, 0o750)
        defer { chmod(scratch.path, 0o700) }
        #expect(throws: PrivateFolder.Problem.open(mode: 0o750)) {
            _ = try PrivateFolder.open(scratch.path, of: getuid(), .fromReaders).number
        }
    }

    @Test("A link is no folder unless links may lead there; a file never is")
    func links() throws {
        let link = scratch.path + "/link"
        try PrivateFolder.make(scratch.path + "/a")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a")
        #expect(problem(link) == .noFolder)
        #expect(PrivateFolder.isPrivate(link, of: getuid(), .fromReaders, follows: true))
        try "".write(toFile: scratch.path + "/file", atomically: false, encoding: .utf8)
        #expect(problem(scratch.path + "/file") == .noFolder)
        #expect(problem(scratch.path + "/none") == .unreachable(SystemError(ENOENT)))
    }
}
