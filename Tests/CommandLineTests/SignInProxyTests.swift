import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// Somebody who waits to be asked as a proxy.
private final class Proxy {
    let port: UInt16
    private let listener: Int32

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                return bind(listener, address, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
        if !isListening { throw CannotStart(program: "a proxy") }
    }

    deinit { close(listener) }

    /// Whether anybody has connected.
    var isAsked: Bool {
        var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) == 1
    }
}

@Suite("Signing in where the environment names a proxy") struct SignInProxyTests {
    @Test(
        "A password for a server on this machine goes to no proxy, by whatever variable",
        arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func direct(_ variable: String) async throws {
        let (output, status, isAsked) = try await onThread {
            let folder = FileManager.default.temporaryDirectory.appending(path: "turn-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "password")
            try Data("tulips in spring".utf8).write(to: file)
            let proxy = try Proxy()
            // Nobody listens at that port, so the first question, which has the password, is the only one.
            let child = try Child(
                [
                    builtPrograms.appending(path: "thumbturn-sign-in").path, "enable", "words", "http://127.0.0.1:1", "anna",
                    "laptop", "presence", file.path,
                ],
                environment: [
                    "PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8", variable: "http://127.0.0.1:\(proxy.port)",
                ])
            let output = try child.readToEnd()
            return (output, child.status(), proxy.isAsked)
        }
        #expect(status == 6 && output.contains("The server can't be reached."), "\(output)")
        #expect(!isAsked)
    }
}
