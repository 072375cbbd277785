import CThumbLinux
import Foundation
import Testing
import ThumbDaemonProcess
import ThumbLoop

@Suite("Where system mode listens, and who listens for a daemon")
struct SocketTests {
    /// A folder of a test's own. Its path is short: a socket's has about a hundred bytes.
    private final class Place {
        let path = "/tmp/turn-\(UInt32.random(in: 0 ... .max))"

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        }

        deinit {
            // A folder that can't be removed is a temporary folder left behind, nothing more.
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// Whether a socket is made there.
    private func isMade(_ path: String, isForAll: Bool = true) -> Bool {
        guard let fd = SystemSocket.listen(at: path, isForAll: isForAll) else { return false }
        UnixSocket.close(fd)
        return true
    }

    @Test("everybody comes to the socket of a system's service, and root alone to that of the system's login")
    func modes() throws {
        let place = try Place()
        let folder = place.path + "/run"
        #expect(isMade(folder + "/socket") && isMade(folder + "/login", isForAll: false))
        #expect(try mode(folder) == 0o755)
        #expect(try mode(folder + "/socket") == 0o666)
        #expect(try mode(folder + "/login") == 0o600)
    }

    @Test("in a folder that others can write, or that a link leads to, no socket of the system's is made")
    func folders() throws {
        let place = try Place()
        let folder = place.path + "/run"
        #expect(isMade(folder + "/socket"))
        for open: mode_t in [0o775, 0o757, 0o777, 0o1777] {
            try #require(chmod(folder, open) == 0)
            #expect(!isMade(folder + "/socket"), "\(String(open, radix: 8))")
        }
        try #require(chmod(folder, 0o755) == 0)
        try FileManager.default.createSymbolicLink(atPath: place.path + "/link", withDestinationPath: folder)
        #expect(!isMade(place.path + "/link/socket"))
        #expect(isMade(folder + "/socket"))
    }

    /// What is found at a helper's socket.
    private func found(_ path: String) -> String {
        switch HelperPrograms.connection(to: path) {
        case .connected(let fd):
            UnixSocket.close(fd)
            return "a helper"
        case .foreign: return "somebody else"
        case .absent: return "nobody"
        }
    }

    /// Listens once more as another user: whoever connects is told of the one who listened last.
    private func listenAsNobody(_ listener: Int32) {
        let over = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // The bare call changes this thread alone, which ends afterwards.
            if thumb_syscall(Int(SYS_setresuid), 65534, 65534, 65534, 0) == 0 { _ = CThumbLinux.listen(listener, 16) }
            over.signal()
        }
        over.wait()
    }

    @Test(
        "another user who listens in a helper's place isn't taken for it, so no password is told there",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func foreignHelper() throws {
        let place = try Place()
        let path = place.path + "/passcode"
        #expect(found(path) == "nobody")
        let listener = try UnixSocket.listen(at: path).get()
        defer { UnixSocket.close(listener) }
        #expect(found(path) == "a helper")
        listenAsNobody(listener)
        #expect(found(path) == "somebody else")
    }
}
