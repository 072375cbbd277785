import CThumbLinux
import Foundation
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_wire

/// A secret of those bytes.
func secret(_ text: String) -> SecretBytes {
    // A test without locked memory for a few bytes can't go on.
    try! SecretBytes(copying: Array(text.utf8))
}

/// The real helper on a machine, and this test as its daemon.
final class Helper {
    struct Silence: Error {}

    let child: Child
    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.helperFrame)
    private var isClosed = false

    init(on machine: Machine, _ arguments: [String] = [], as prefix: [String] = [], outside: [String]? = nil, etc: URL? = nil)
        throws
    {
        let (mine, theirs) = try UnixSocket.pair().get()
        defer { UnixSocket.close(theirs) }
        fd = mine
        let words = [Machine.program("thumbturn-passcode")] + arguments
        child =
            try outside.map { try machine.startOutside($0 + words, input: theirs) }
            ?? machine.start(prefix + words, input: theirs, etc: etc)
    }

    deinit { close() }

    func close() {
        if !isClosed { UnixSocket.close(fd) }
        isClosed = true
    }

    func send(_ word: some Word) throws {
        let encoded = word.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        guard frame.send(to: fd, waiting: true) == .sent else { throw Silence() }
    }

    /// What it says next; nil at its end.
    func next() throws -> HelperAnswer? {
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1 else { throw Silence() }
        guard case .frame(let body) = frames.read(from: fd, waiting: true) else { return nil }
        return try HelperAnswer.read(body)
    }

    /// The verdict on a password, without anything asked; nil where there is none.
    func verdict(_ password: String, uid: UInt32 = 0) throws -> AccountVerdict? {
        try send(.check(uid: uid, secret(password)))
        guard case .verdict(let verdict, _)? = try next() else { return nil }
        return verdict
    }
}
