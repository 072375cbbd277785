import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbSystem

@Suite("Files replaced in one step") struct ReplacedFileTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func replace(_ text: String, replaces: Bool = true) throws(ReplacedFile.Setback) {
        let file = try ReplacedFile(draft: scratch.path + "/file.new")
        try file.write(Array(text.utf8))
        try file.take(placeOf: scratch.path + "/file", replaces: replaces)
    }

    @Test("The new one has the name, for its owner alone, and no draft is left")
    func replaced() throws {
        try replace("one")
        try replace("two")
        #expect(try scratch.text("file") == "two")
        #expect(try scratch.names == ["file"])
        var status = stat()
        #expect(stat(scratch.path + "/file", &status) == 0 && status.st_mode & 0o7777 == 0o600)
    }

    @Test("A text that is put in place has exactly the mode that was asked for, whatever the umask and the mode of an old draft")
    func mode() async {
        // The umask is the whole process's, so this one is a process of its own.
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let path = scratch.path + "/file"
            for (mask, mode) in [(0o077, 0o644), (0o777, 0o644), (0, 0o600), (0o022, 0o600)] as [(mode_t, mode_t)] {
                umask(mask)
                for isLeft in [false, true] {
                    if isLeft {
                        try "old".write(toFile: path + ".new", atomically: false, encoding: .utf8)
                        chmod(path + ".new", 0o640)
                    }
                    try ReplacedFile.put("new", at: path, mode: mode)
                    var status = stat()
                    guard stat(path, &status) == 0, status.st_mode & 0o7777 == mode, try scratch.text("file") == "new",
                        try scratch.names == ["file"]
                    else { exit(EXIT_FAILURE) }
                }
            }
        }
    }

    @Test("It stands at the moment that is told, in a folder that is open")
    func standing() throws {
        let folder = try Descriptor(opening: scratch.path, O_RDONLY | O_DIRECTORY)
        let file = try ReplacedFile(draft: "draft", in: folder.number, mode: 0o644)
        try file.write([0x61])
        #expect(try scratch.names == ["draft"])
        var stood: Set<String>?
        try file.take(placeOf: "file") { stood = try? scratch.names }
        #expect(stood == ["file"])
    }

    @Test("A draft that never takes the place goes, and the old one stays")
    func abandoned() throws {
        try replace("one")
        do {
            let file = try ReplacedFile(draft: scratch.path + "/file.new")
            try file.write([1, 2, 3])
            #expect(try scratch.names == ["file", "file.new"])
        }
        #expect(try scratch.text("file") == "one")
        #expect(try scratch.names == ["file"])
    }

    @Test("Where none may be replaced, one that is there stays")
    func notReplaced() throws {
        try replace("one", replaces: false)
        #expect(throws: ReplacedFile.Setback(step: .naming, error: SystemError(EEXIST))) { try replace("two", replaces: false) }
        #expect(try scratch.text("file") == "one")
        #expect(try scratch.names == ["file"])
    }

    @Test("Another's draft is left alone where it must be new")
    func anothersDraft() throws {
        let path = scratch.path + "/draft"
        try "theirs".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(throws: ReplacedFile.Setback(step: .making, error: SystemError(EEXIST))) {
            _ = try ReplacedFile(draft: path, isNew: true)
        }
        #expect(try scratch.text("draft") == "theirs")
    }

    @Test("A link in a draft's place isn't followed: what it leads to stays as it is, and so does the link")
    func link() throws {
        try "theirs".write(toFile: scratch.path + "/theirs", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: scratch.path + "/file.new", withDestinationPath: "theirs")
        #expect(throws: ReplacedFile.Setback(step: .making, error: SystemError(ELOOP))) { try replace("ours") }
        #expect(try scratch.text("theirs") == "theirs")
        #expect(try scratch.names == ["theirs", "file.new"])
    }

    @Test("A draft that can't be put on the disk takes no place: it goes, and the old one stays")
    func flushed() throws {
        try replace("one")
        // A pipe takes what is written and can't be flushed: fsync(2) says EINVAL of it.
        let draft = scratch.path + "/file.new"
        try #require(mkfifo(draft, 0o600) == 0)
        let reader = try Descriptor(opening: draft, O_RDONLY | O_NONBLOCK)
        #expect(throws: ReplacedFile.Setback(step: .flushing, error: SystemError(EINVAL))) { try replace("two") }
        #expect(try Transfer.bytes(from: reader.number, count: 3) == Array("two".utf8))
        // Read without waiting: a pipe in its place would hold the test up.
        #expect(Transfer.file(scratch.path + "/file", atMost: 100) == Array("one".utf8))
        #expect(try scratch.names == ["file"])
    }

    @Test("The name is on the disk when the call returns: a folder that can't be flushed is told, and the new one stands")
    func folderFlushed() throws {
        // A folder that is open as a place alone takes names and can't be flushed: fsync(2) says EBADF of it.
        let folder = try Descriptor(opening: scratch.path, thumb_O_PATH | O_DIRECTORY)
        let file = try ReplacedFile(draft: "draft", in: folder.number)
        try file.write([0x61])
        var stood = false
        #expect(throws: ReplacedFile.Setback(step: .flushingFolder, error: SystemError(EBADF))) {
            try file.take(placeOf: "file") { stood = true }
        }
        #expect(stood)
        #expect(try scratch.text("file") == "a")
        #expect(try scratch.names == ["file"])
    }

    @Test("A full disk leaves the old one, and no draft", .enabled(if: geteuid() == 0, "mounting takes root"))
    func fullDisk() async throws {
        let disk = scratch.path + "/disk"
        try PrivateFolder.make(disk)
        let mount = Spawn(
            "/bin/mount", ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", disk], descriptors: .only([nil, 2, 2]))
        try #require(try mount.start().wait() == 0)
        defer { _ = try? Spawn("/bin/umount", ["umount", "-l", disk]).start().wait() }
        try "old".write(toFile: disk + "/file", atomically: false, encoding: .utf8)
        do {
            let file = try ReplacedFile(draft: disk + "/file.new")
            do throws(ReplacedFile.Setback) {
                try file.write([UInt8](repeating: 1, count: 256 << 10))
                Issue.record("the disk took more than it holds")
            } catch {
                #expect(error.step == .writing && error.error.isFull)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["file"])
        #expect(try String(contentsOfFile: disk + "/file", encoding: .utf8) == "old")
    }
}
