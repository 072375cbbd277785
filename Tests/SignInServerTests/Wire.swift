import CThumbLinux
import Foundation

/// A connection to a server, byte by byte: what no proper client would send is what these tests are about.
final class Wire: @unchecked Sendable {
    // @unchecked: used by one thread at a time.
    struct CannotConnect: Error { let number: Int32 }
    struct TookTooLong: Error {}

    struct Reply: Sendable, Equatable {
        var status = 0
        /// Names in lower case.
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
        /// The refusal's code.
        var error: String? { json["error"] as? String }
        func string(_ name: String) -> String { json[name] as? String ?? "" }
        func number(_ name: String) -> Int64 { (json[name] as? NSNumber)?.int64Value ?? -1 }
    }

    private let socket: Int32
    /// It serves for as long as somebody is connected.
    private let bank: any Bank
    private var pending: [UInt8] = []
    /// Longest silence; the slowest answer stretches a password on a busy machine.
    private static let patience: Int32 = 60_000

    /// - Parameter from: The last number of the client's own address, 127.0.0.x: each is another client.
    init(to bank: any Bank, from own: UInt8 = 1) throws {
        self.bank = bank
        let port = bank.port
        socket = CThumbLinux.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(own, 0)
        var status = Self.with(&address) { bind(socket, $0, $1) }
        address = Self.address(1, port)
        if status == 0 { status = Self.with(&address) { connect(socket, $0, $1) } }
        guard status == 0 else {
            let number = errno
            close(socket)
            throw CannotConnect(number: number)
        }
    }

    deinit { close(socket) }

    private static func address(_ last: UInt8, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0000 | UInt32(last)).bigEndian
        return address
    }

    private static func with(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Sends all of it, or as much as the server takes.
    func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var place = 0
        while place < bytes.count {
            let count = bytes.withUnsafeBytes {
                CThumbLinux.send(socket, $0.baseAddress! + place, bytes.count - place, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            place += count
        }
    }

    func send(_ text: String) { send(text.utf8) }

    /// The next answer; nil if the server has closed without one.
    func reply(isHead: Bool = false) throws -> Reply? {
        while true {
            if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
                var reply = Reply()
                let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                reply.status = Int(head[0].split(separator: " ").dropFirst().first ?? "") ?? 0
                for line in head.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    reply.headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
                }
                pending.removeSubrange(..<end.upperBound)
                if reply.status == 100 { continue }
                let length = isHead ? 0 : Int(reply.headers["content-length"] ?? "0") ?? 0
                while pending.count < length { guard try more() else { return nil } }
                reply.body = Array(pending.prefix(length))
                pending.removeFirst(length)
                return reply
            }
            guard try more() else { return nil }
        }
    }

    /// Whether the server closes, saying nothing more.
    func isClosed() throws -> Bool { try pending.isEmpty && !more() }

    private func more() throws -> Bool {
        var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Self.patience) > 0 else { throw TookTooLong() }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count <= 0 { return false }
        pending += buffer[..<count]
        return true
    }

    /// A request as proper clients write it.
    static func request(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, token: String? = nil, headers: [String] = []
    ) -> [UInt8] {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + headers
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.count)"] }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }

    struct NoAnswer: Error {}

    func ask(_ method: String, _ path: String, _ members: [String: String]? = nil, token: String? = nil) throws -> Reply {
        try ask(method, path, body: members.map { Array(try JSONSerialization.data(withJSONObject: $0)) }, token: token)
    }

    func ask(_ method: String, _ path: String, body: [UInt8]?, token: String? = nil, headers: [String] = []) throws -> Reply {
        send(Self.request(method, path, body, token: token, headers: headers))
        guard let reply = try reply() else { throw NoAnswer() }
        return reply
    }
}
