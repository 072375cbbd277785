import CThumbLinux
import Foundation
import Testing
import ThumbClient
import ThumbLoop
import ThumbSecrets

/// A client connects to whatever listens in this folder, so nobody else may put a socket there. Where a test's folder isn't taken, the
/// user's usual one is; it may be made then, and belongs to the user anyway.
@Suite("The folder of a user's socket") struct RuntimeFolderTests {
    /// A folder that goes at the test's end.
    private final class Base {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "runtime-\(UInt64.random(in: 0 ... .max))").path
            try #require(mkdir(path, 0o700) == 0)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var own: String { path + "/thumbturn" }

        func makeOwn(mode: mode_t) throws { try #require(mkdir(own, 0o700) == 0 && chmod(own, mode) == 0) }

        func mode(of path: String) -> mode_t? {
            var status = stat()
            return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
        }
    }

    private let base: Base

    init() throws { base = try Base() }

    private func found(_ uid: UInt32 = getuid()) -> String? { RuntimeFolder.path(uid: uid, environment: base.path) }

    @Test("One that the environment names is taken, and its folder for this user alone is made in it")
    func made() {
        #expect(found() == base.own)
        #expect(base.mode(of: base.own) == 0o700)
        #expect(found() == base.own)
    }

    @Test("One that others can write isn't taken, and nothing is made in it", arguments: [0o770, 0o720, 0o702, 0o777, 0o1777])
    func writable(mode: mode_t) throws {
        try #require(chmod(base.path, mode) == 0)
        #expect(found() != base.own)
        #expect(base.mode(of: base.own) == nil)
    }

    @Test("Nor is one whose folder in it others can write", arguments: [0o770, 0o720, 0o702, 0o777])
    func writableInside(mode: mode_t) throws {
        try base.makeOwn(mode: mode)
        #expect(found() != base.own)
        #expect(base.mode(of: base.own) == mode)
    }

    @Test("A link in a folder's place isn't taken, wherever it leads")
    func link() throws {
        let other = try Base()
        try #require(symlink(other.path, base.own) == 0)
        #expect(found() != base.own)
        let link = other.path + "/link"
        try #require(symlink(base.path, link) == 0)
        #expect(RuntimeFolder.path(uid: getuid(), environment: link) != link + "/thumbturn")
    }

    @Test("Another user's isn't taken, whether it is the outer one or the one in it", .enabled(if: getuid() == 0, "takes root"))
    func anothers() throws {
        try base.makeOwn(mode: 0o700)
        #expect(found() == base.own)
        try #require(chown(base.own, 65534, 65534) == 0)
        #expect(found() != base.own)
        try #require(chown(base.own, 0, 0) == 0 && chown(base.path, 65534, 65534) == 0)
        #expect(found() != base.own)
    }

    // XDG_RUNTIME_DIR belongs to the whole process, so this runs in one of its own.
    @Test("Another user's agent that listens in it is told no ticket; root's is", .enabled(if: getuid() == 0, "takes root"))
    func foreignAgent() async {
        await #expect(processExitsWith: .success) {
            let (foreign, own) = (try ticket(heardBy: 65534), try ticket(heardBy: 0))
            exit(foreign == (0, false) && own == (32, true) ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("An agent that hears a ticket and says no, or nothing, has taken none")
    func agentsNo() async {
        await #expect(processExitsWith: .success) {
            let (no, nothing) = (try ticket(heardBy: Int(getuid()), saying: [0]), try ticket(heardBy: Int(getuid()), saying: []))
            exit(no == (32, false) && nothing == (32, false) ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("A user without a private folder has none", .enabled(if: getuid() == 0, "takes root"))
    func none() throws {
        // A user that the machine hasn't. What is made for it here is root's.
        let uid = UInt32.random(in: 2_000_000_000...2_100_000_000)
        defer { rmdir("/tmp/thumbturn-\(uid)") }
        #expect(found(uid) == nil)
        #expect(RuntimeFolder.path(uid: uid, environment: nil) == nil)
    }
}

/// How many bytes of a ticket an agent hears that listens as that user in a folder of this one's, and whether the client takes its answer for
/// a yes.
private func ticket(heardBy uid: Int, saying answer: [UInt8] = [1]) throws -> (bytes: Int, isTaken: Bool) {
    let base = FileManager.default.temporaryDirectory.appending(path: "agent-\(UInt64.random(in: 0 ... .max))").path
    let (folder, socket) = (base + "/thumbturn", base + "/thumbturn/window")
    defer { try? FileManager.default.removeItem(atPath: base) }
    try #require(mkdir(base, 0o700) == 0 && chmod(base, 0o755) == 0 && mkdir(folder, 0o700) == 0)
    // So that the user can bind it. Nobody else can write there afterwards.
    try #require(chmod(folder, 0o777) == 0)
    let (listening, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let heard = Locked(-1)
    Thread.detachNewThread {
        defer { done.signal() }
        // The bare call changes this thread alone, which ends afterwards.
        let isUser = thumb_syscall(Int(SYS_setresuid), uid, uid, uid, 0) == 0
        let listener = UnixSocket.listen(at: socket)
        listening.signal()
        guard isUser, case .success(let fd) = listener, let connection = UnixSocket.accept(fd) else { return }
        UnixSocket.limitReading(connection, seconds: 60)
        var room = [UInt8](repeating: 0, count: 64)
        let count = recv(connection, &room, room.count, 0)
        heard.withLock { $0 = count }
        // Whether it shows the prompt.
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        UnixSocket.close(connection)
        UnixSocket.close(fd)
    }
    listening.wait()
    try #require(chmod(folder, 0o700) == 0)
    setenv("XDG_RUNTIME_DIR", base, 1)
    let isTaken = WindowAgent.takes([UInt8](repeating: 7, count: 32))
    done.wait()
    return (heard.withLock { $0 }, isTaken)
}
