import CThumbLinux
import Foundation
import thumbturn_test_daemon
import thumbturn_test_programs

/// The real program on a database, to be killed.
final class ServerUnderTest: @unchecked Sendable {
    // @unchecked: nothing changes after it was started.
    struct CannotStart: Error {}

    static let origin = "https://bank.example"
    let port: UInt16
    private let process = OwnProcess()

    init(_ database: Database) throws {
        let words = Pipe()
        process.executableURL = builtPrograms.appending(path: "thumbturn-server")
        process.arguments = [
            "--listen", "127.0.0.1:0", "--origin", Self.origin, "--database", database.place, "--client-rate", "0", "--quiet",
        ]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, words)
        try process.run()
        // listening on http://127.0.0.1:8470, origin …
        var line = Data()
        while let byte = try words.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data([10]) { line += byte }
        let address = String(decoding: line, as: UTF8.self).prefix { $0 != "," }
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            process.waitUntilExit()
            throw CannotStart()
        }
        self.port = port
    }

    deinit { killed() }

    func killed() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A client's connection, kept from one request to the next.
final class ServerLine {
    /// The server is gone: whether it did what it was asked, nobody knows.
    struct Gone: Error {}

    struct Answer {
        let status: Int
        private let members: [String: Any]

        fileprivate init(_ status: Int, _ body: Data) {
            self.status = status
            members = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        }

        func text(_ member: String) -> String { members[member] as? String ?? "" }
        var devices: [[String: Any]] { members["devices"] as? [[String: Any]] ?? [] }
    }

    private let socket: Int32

    init(_ port: UInt16) throws {
        socket = CThumbLinux.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Gone() }
    }

    deinit { close(socket) }

    func ask(_ method: String, _ path: String, _ members: [String: String]? = nil, token: String? = nil) throws -> Answer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: bank\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        var body = Data()
        if let members {
            body = try JSONSerialization.data(withJSONObject: members)
            head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        }
        let bytes = Array((head + "\r\n").utf8) + body
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Gone() }
        return try answer()
    }

    private func answer() throws -> Answer {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = all.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: all[..<end.lowerBound], as: UTF8.self).lowercased()
                let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
                let length = head.firstRange(of: "content-length: ").map { head[$0.upperBound...].prefix { $0.isNumber } }
                if all.count >= end.upperBound + (Int(length ?? "0") ?? 0) { return Answer(status, Data(all[end.upperBound...])) }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw Gone() }
            all += buffer[..<count]
        }
    }
}
