public import ThumbConversation
import ThumbSecrets

extension EncodedFrame {
    /// The frame as it stands on the socket.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var start = 0
        for (place, secret) in secrets {
            bytes += plain[start..<place]
            bytes += secret.plainBytes(in: 0..<secret.count)
            start = place
        }
        return bytes + plain[start...]
    }
}
