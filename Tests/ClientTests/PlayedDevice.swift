import Foundation
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// The device's end of a client's one connection: it welcomes the client and says what it is told to.
final class PlayedDevice {
    let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)

    init(_ fd: Int32) { self.fd = fd }

    /// Some devices, and a client that reaches one after the other, as long as `isThere` is true.
    static func several(_ count: Int, isThere: Locked<Bool> = Locked(true)) throws -> (
        devices: [PlayedDevice], client: DeviceClient
    ) {
        let pairs = try (0..<count).map { _ in try UnixSocket.pair().get() }
        let waiting = Locked(pairs.map(\.0))
        let client = DeviceClient { isThere.withLock { $0 } ? waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } : nil }
        return (pairs.map { PlayedDevice($0.1) }, client)
    }

    /// The call that the client makes next.
    func heard() throws -> Frame {
        guard case .frame(let body) = frames.read(from: fd, waiting: true) else { throw CocoaError(.fileReadUnknown) }
        return try Frame(body)
    }

    func say(_ word: some Word, _ call: UInt32) {
        let encoded = word.frame(call: call)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        _ = frame.send(to: fd, waiting: true)
    }
}
