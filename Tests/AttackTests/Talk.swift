import CThumbLinux
import Foundation
import ThumbConversation
import thumbturn_test_wire

/// The wire by hand: what a program does that doesn't use our library.
struct Talk {
    struct Ended: Error {}

    private let fd: Int32

    init(_ fd: Int32) { self.fd = fd }

    /// A request as it goes over the wire; it may not carry a secret.
    static func bytes(_ word: some Word, _ call: UInt32) -> [UInt8] { word.frame(call: call).plain }

    static func hex(_ word: some Word, _ call: UInt32) -> String {
        bytes(word, call).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    func say(_ bytes: [UInt8]) throws {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Ended() }
            place += count
        }
    }

    /// The next whole frame, with its length; fails at the end.
    func frame() throws -> Data {
        let head = try read(4)
        return head + (try read(head.reduce(0) { $0 << 8 | Int($1) }))
    }

    private func read(_ count: Int) throws -> Data {
        var bytes = Data()
        while bytes.count < count {
            var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) > 0 else { throw Ended() }
            var room = [UInt8](repeating: 0, count: count - bytes.count)
            let got = recv(fd, &room, room.count, 0)
            guard got > 0 else { throw Ended() }
            bytes += room[..<got]
        }
        return bytes
    }
}
