import Foundation
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// The device's end of a client's one connection: it welcomes the client and says what it is told to.
final class PlayedDevice {
    let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)

    init(_ fd: Int32) { self.fd = fd }

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
