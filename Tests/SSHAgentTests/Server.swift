import CThumbLinux
import Foundation
import Testing

import ThumbSystem
import thumbturn_test_programs
@testable import thumbturn

/// A real OpenSSH server on the loopback, of the test's own: its key, its port, and whose keys it lets in.
final class Server: Sendable {
    let name: String
    let port: UInt16
    private let process: Child

    /// Starts one and waits until it listens. Its host key has a kind of its choice.
    init(_ name: String, in stand: Stand, hostKey kind: String = "ed25519", letsIn keys: [SSHKey]) async throws {
        self.name = name
        port = try Self.freePort()
        let made = try await stand.run("ssh-keygen", "-q", "-t", kind, "-N", "", "-f", "host-\(name)")
        try #require(made.status == 0, "\(made.output)")
        let folder = stand.folder.path
        try stand.write(keys.map { $0.line + "\n" }.joined(), to: "authorized-\(name)")
        let configuration = try stand.write(
            """
            ListenAddress 127.0.0.1:\(port)
            HostKey \(folder)/host-\(name)
            AuthorizedKeysFile \(folder)/authorized-\(name)
            PidFile none
            StrictModes no
            UsePAM no
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            AllowAgentForwarding yes

            """, to: "sshd-\(name)")
        // Started by root it separates itself into that folder, which the service's unit would have made.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        var ends: [Int32] = [-1, -1]
        try #require(thumb_pipe2(&ends, O_CLOEXEC) == 0)
        let said = ends[0]
        process = try Ended.start(
            ["/usr/sbin/sshd", "-D", "-e", "-f", configuration], stand.environment, in: stand.folder, output: ends[1])
        close(ends[1])
        let hasBegun = await onThread {
            var text = ""
            while !text.contains("Server listening on 127.0.0.1") {
                guard let more = Self.read(said) else { return false }
                text += more
            }
            // What it says from here on is read and let go, so that it can go on.
            Foundation.Thread.detachNewThread {
                while Self.read(said) != nil {}
                close(said)
            }
            return true
        }
        try #require(hasBegun, "sshd doesn't listen")
        let key = try String(contentsOfFile: "\(folder)/host-\(name).pub", encoding: .utf8)
            .split(separator: " ").prefix(2).joined(separator: " ")
        let known = (try? String(contentsOfFile: stand.knownHosts, encoding: .utf8)) ?? ""
        try stand.write(known + "\(name) \(key)\n", to: "known_hosts")
    }

    /// Ends it, with whoever is signed in.
    func end() {
        kill(process.pid, SIGTERM)
        _ = process.wait()
    }

    /// Some of what it says; nil at the end.
    private static func read(_ fd: Int32) -> String? {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = CThumbLinux.read(fd, &room, room.count)
        return count > 0 ? String(decoding: room[..<count], as: UTF8.self) : nil
    }

    /// The words of an ssh that knows this server by its name and offers what its agent has.
    func ssh(_ stand: Stand, _ options: [String] = []) -> [String] {
        [
            "ssh", "-F", "none", "-o", "UserKnownHostsFile=\(stand.knownHosts)", "-o", "GlobalKnownHostsFile=none",
            "-o", "HostKeyAlias=\(name)", "-o", "StrictHostKeyChecking=yes", "-o", "IdentityFile=none", "-o", "BatchMode=yes",
            "-p", "\(port)",
        ] + options + ["\(Self.user)@127.0.0.1"]
    }

    static var user: String { String(cString: getpwuid(geteuid()).pointee.pw_name) }

    private static func freePort() throws -> UInt16 {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(fd) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(fd, pointer, size) == 0 && getsockname(fd, pointer, &size) == 0
            }
        }
        try #require(found)
        return UInt16(bigEndian: address.sin_port)
    }
}
