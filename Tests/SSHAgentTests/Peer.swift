import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

/// A client of the agent's that says what it likes.
final class Peer: Sendable {
    let fd: Int32

    init(_ stand: Stand) throws {
        fd = try UnixSocket.connect(to: stand.path).get()
    }

    deinit { close(fd) }

    func send(_ bytes: [UInt8]) { writeQuietly(bytes) }

    /// Sends a request and waits for the answer's body; nil if the agent hangs up instead.
    func ask(_ body: [UInt8]) async -> [UInt8]? {
        send(Wire.string(body))
        return await answer()
    }

    func answer() async -> [UInt8]? {
        await onThread { [self] in
            guard let head = read(4) else { return nil }
            return read(head.reduce(0) { $0 << 8 | Int($1) })
        }
    }

    /// Whether the agent has closed the connection, once it says something about it.
    func isClosed() async -> Bool {
        await onThread { [self] in
            var byte: UInt8 = 0
            return recv(fd, &byte, 1, 0) <= 0
        }
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var room = [UInt8](repeating: 0, count: count - bytes.count)
            let got = recv(fd, &room, room.count, 0)
            if got < 0 && errno == EINTR { continue }
            if got <= 0 { return nil }
            bytes += room[..<got]
        }
        return bytes
    }

    private func writeQuietly(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CThumbLinux.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
