import CThumbLinux
import Foundation
import ThumbLoop
import ThumbSecrets

/// A secret of those bytes.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    // A test without locked memory for a few bytes can't go on.
    try! SecretBytes(copying: bytes)
}

/// Two connected sockets that close themselves.
final class Pair: Sendable {
    let near: Int32
    let far: Int32

    init() {
        guard case .success((let near, let far)) = UnixSocket.pair() else { fatalError("no sockets") }
        self.near = near
        self.far = far
    }

    deinit {
        UnixSocket.close(near)
        UnixSocket.close(far)
    }

    /// Writes to the far end what the near end reads.
    func write(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { send(far, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } }

    /// All that can be read at the far end now.
    func read(atMost count: Int = 1 << 20) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { recv(far, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        return Array(bytes.prefix(max(0, got)))
    }
}

/// Something the loop adds to and a test waits for.
final class Notes: Sendable {
    private let condition = Condition()
    private let notes = Locked<[String]>([])

    func add(_ note: String) {
        condition.withLock { _ in notes.withLock { $0.append(note) } }
        condition.broadcast()
    }

    var all: [String] { notes.withLock { $0 } }

    /// The notes once there are so many of them, or what there is after a minute, which is long enough on any machine.
    func wait(for count: Int) -> [String] {
        condition.withLock { held in
            let end = ContinuousClock.now + .seconds(60)
            while all.count < count, ContinuousClock.now < end { _ = held.wait(atMost: .milliseconds(100)) }
            return all
        }
    }
}

extension Notes {
    /// The watch whose handler notes here.
    var watch: Watch? {
        get { Self.watches.withLock { $0[ObjectIdentifier(self)] } }
        set { Self.watches.withLock { $0[ObjectIdentifier(self)] = newValue } }
    }

    private static let watches = Locked<[ObjectIdentifier: Watch]>([:])
}
