import CThumbLinux
import Foundation
import ThumbLoop
import thumbturn_test_programs

/// The other end of a connection, with no bus in between: it says what no bus would let through.
///
/// Used by one thread at a time, which it may keep waiting.
final class RawBus: @unchecked Sendable {
    struct Ended: Error {}

    let path = "/tmp/rb-\(UInt32.random(in: 0 ... .max))"
    var address: String { "unix:path=\(path)" }
    private let listener: Int32
    private var line: Int32 = -1
    private var rest: [UInt8] = []
    private var taken = 0

    init() throws {
        listener = try UnixSocket.listen(at: path).get()
    }

    deinit {
        hangUp()
        UnixSocket.close(listener)
        unlink(path)
    }

    func hangUp() {
        if line >= 0 { close(line) }
        line = -1
        (rest, taken) = ([], 0)
    }

    /// Takes the next connection, and answers until it is one.
    func accept() throws {
        hangUp()
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 10_000) == 1 else { throw Ended() }
        line = Foundation.accept(listener, nil, nil)
        guard line >= 0 else { throw Ended() }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        while true {
            let words = try words().split(separator: " ").map { $0.filter { $0 != "\0" } }
            switch words.first {
            case "AUTH": try send(Array((words.count > 2 ? "OK 1234deadbeef1234deadbeef12345678\r\n" : "DATA\r\n").utf8))
            case "DATA": try send(Array("OK 1234deadbeef1234deadbeef12345678\r\n".utf8))
            case "NEGOTIATE_UNIX_FD": try send(Array("AGREE_UNIX_FD\r\n".utf8))
            case "BEGIN":
                // The greeting is the first message.
                let hello = try message()
                var answer = RawMessage(type: 2, serial: 1)
                answer.fields = [
                    .reply(hello.serial), .text(7, "s", "org.freedesktop.DBus"), .text(6, "s", ":1.1"), .signature("s"),
                ]
                answer.body = RawMessage.text(":1.1")
                return try send(answer.bytes)
            default: throw Ended()
            }
        }
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(line, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Ended() }
            sent += count
        }
    }

    /// The next message that came: its type, its serial, and the serial that it answers.
    func message() throws -> (type: UInt8, serial: UInt32, answers: UInt32?) {
        let head = try take(16)
        let fields = Int(number(head, 12))
        let body = Int(number(head, 4))
        let padded = (fields + 7) / 8 * 8
        let more = try take(padded + body)
        var (place, answers) = (0, UInt32?.none)
        while place < fields {
            place = (place + 7) / 8 * 8
            let (code, type) = (more[place], more[place + 2])
            place += 4
            switch type {
            case UInt8(ascii: "u"):
                if code == 5 { answers = number(more, place) }
                place += 4
            case UInt8(ascii: "g"): place += Int(more[place]) + 2
            default: place += 4 + Int(number(more, place)) + 1
            }
        }
        return (head[1], number(head, 8), answers)
    }

    private func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
    }

    private func words() throws -> String {
        var text: [UInt8] = []
        while true {
            let byte = try take(1)[0]
            if byte == UInt8(ascii: "\n") { return String(decoding: text.dropLast(), as: UTF8.self) }
            text.append(byte)
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while rest.count - taken < count {
            rest.removeFirst(taken)
            taken = 0
            var room = [UInt8](repeating: 0, count: 1 << 16)
            let got = recv(line, &room, room.count, 0)
            guard got > 0 else { throw Ended() }
            rest += room.prefix(got)
        }
        defer { taken += count }
        return Array(rest[taken..<taken + count])
    }
}

/// A message of D-Bus, byte for byte.
struct RawMessage {
    enum Field {
        case text(UInt8, Character, String)
        case reply(UInt32)
        case signature(String)
    }

    var type: UInt8 = 1
    var flags: UInt8 = 0
    var serial: UInt32
    var fields: [Field] = []
    var body: [UInt8] = []

    init(type: UInt8, serial: UInt32) {
        self.type = type
        self.serial = serial
    }

    /// A call; without an interface if it is nil.
    init(
        _ member: String, interface: String? = Shop.name, path: String = "/shop", sender: String? = ":1.2", serial: UInt32,
        signature: String = "", body: [UInt8] = []
    ) {
        self.serial = serial
        fields = [.text(1, "o", path), .text(3, "s", member)]
        if let interface { fields.append(.text(2, "s", interface)) }
        if let sender { fields.append(.text(7, "s", sender)) }
        if !signature.isEmpty { fields.append(.signature(signature)) }
        self.body = body
    }

    static func number(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    static func text(_ text: String) -> [UInt8] { number(UInt32(text.utf8.count)) + Array(text.utf8) + [0] }

    var bytes: [UInt8] {
        var list: [UInt8] = []
        for field in fields {
            list += [UInt8](repeating: 0, count: (8 - list.count % 8) % 8)
            switch field {
            case .text(let code, let type, let text): list += [code, 1, type.asciiValue!, 0] + Self.text(text)
            case .reply(let serial): list += [5, 1, UInt8(ascii: "u"), 0] + Self.number(serial)
            case .signature(let text):
                list += [8, 1, UInt8(ascii: "g"), 0, UInt8(text.utf8.count)] + Array(text.utf8) + [0]
            }
        }
        let head = [UInt8(ascii: "l"), type, flags, 1] + Self.number(UInt32(body.count)) + Self.number(serial)
        let padding = [UInt8](repeating: 0, count: (8 - list.count % 8) % 8)
        return head + Self.number(UInt32(list.count)) + list + padding + body
    }
}
