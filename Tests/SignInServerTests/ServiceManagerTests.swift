import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("The server under a service manager")
struct ServiceManagerTests {
    /// A socket for a manager's notices, and what came to it.
    private final class Notices: Sendable {
        private let fd: Int32

        init(at path: String) throws {
            fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard bound == 0 else { throw ServerProgram.CannotStart(said: "no socket") }
        }

        deinit { close(fd) }

        func next() -> String? {
            var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(fd, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test("It says when it is ready, when it reads its files again and has done so, and when it ends")
    func told() async throws {
        let (told, health, status) = try await onThread {
            let folder = try Folder()
            let place = folder.path + "/notify"
            let notices = try Notices(at: place)
            let bank = try ServerProgram(["--client-rate", "0"], folder: folder, environment: ["NOTIFY_SOCKET": place])
            var told = [notices.next()]
            let health = try bank.wire().ask("GET", "/health", body: nil).status
            kill(bank.pid, SIGHUP)
            told += [notices.next(), notices.next()]
            let status = bank.end()
            told.append(notices.next())
            return (told, health, status)
        }
        #expect(told == ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"])
        #expect(health == 200 && status == 0)
    }
}
