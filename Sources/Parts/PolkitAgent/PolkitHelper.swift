import CThumbLinux
import ThumbAccess
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// One run of polkit's own helper: a program of root's that asks PAM about one user, and tells polkit if PAM agrees.
@OnLoop final class PolkitHelper {
    /// Longest line that is read, and longest answer that the helper reads: it cuts off what is beyond it.
    private static let lineBytes = 4096
    static let answerBytes = 510
    /// Seconds between two looks at whether it has ended.
    private static let secondsBetweenLooks = 0.1

    private let child: Child
    /// Closed by `end`, which comes before this object's own end.
    private let input: Int32
    private let output: Int32
    private var watch: Watch?
    private var line: [UInt8] = []
    private let heard: (HelperLine) -> Void

    /// Starts it. It does nothing until it has the cookie.
    ///
    /// - Parameter heard: called for each line, and with `failure` if it ends without one.
    init(_ program: String, account: String, _ heard: @escaping (HelperLine) -> Void) throws(SystemError) {
        let into = try PipeEnds()
        let out = try PipeEnds()
        child = try Spawn(
            program, [program, account], environment: .only(["PATH=/usr/bin:/bin"]),
            descriptors: .only([into.reading.number, out.writing.number, nil])
        ).start()
        input = into.takenWriting().released()
        output = out.takenReading().released()
        self.heard = heard
        watch = Watch(output, .readable) { [weak self] _ in self?.read() }
    }

    var process: Int32 { child.pid }

    /// Has it begin. The cookie is polkit's name for the question.
    func begin(cookie: String) { write(Array(cookie.utf8)) }

    /// Answers what PAM asked. Returns false if the helper would read something else: a longer text, or one with a line's end in it.
    func answer(_ typed: SecretBytes) -> Bool {
        guard typed.count <= Self.answerBytes, watch != nil else { return false }
        let isPlain = unsafe typed.withUnsafeBytes { bytes in
            unsafe !bytes.contains { $0 == UInt8(ascii: "\n") || $0 == 0 }
        }
        guard isPlain else { return false }
        let isWritten = unsafe typed.withUnsafeBytes { bytes in
            unsafe CThumbLinux.write(input, bytes.baseAddress, bytes.count) == bytes.count
        }
        if isWritten { write([]) } else { fail() }
        return true
    }

    /// Writes the rest of a line. The pipe has room for more than is ever written into it.
    private func write(_ bytes: [UInt8]) {
        if watch == nil { return }
        do { try Transfer.write(bytes + [UInt8(ascii: "\n")], to: input) } catch { fail() }
    }

    /// Ends it. Nothing more is heard of it.
    func end() {
        guard let watch else { return }
        watch.remove()
        self.watch = nil
        // Without its input it ends by itself; a signal from its user may not reach it.
        close(input)
        close(output)
        child.terminate()
        Self.reap(child)
    }

    private static func reap(_ child: Child) {
        var status: Int32 = 0
        guard unsafe waitpid(child.pid, &status, WNOHANG) == 0 else { return }
        _ = EventLoop.shared.after(secondsBetweenLooks) { reap(child) }
    }

    private func read() {
        var room = [UInt8](repeating: 0, count: Self.lineBytes)
        let count = uninterrupted { unsafe CThumbLinux.read(output, &room, room.count) }
        guard count > 0 else { return fail() }
        line += room.prefix(count)
        while watch != nil, let newline = line.firstIndex(of: UInt8(ascii: "\n")) {
            let whole = line.prefix(upTo: newline)
            line.removeSubrange(...newline)
            guard let word = HelperLine(whole) else { return fail() }
            // That was its last word.
            if word == .success || word == .failure { end() }
            heard(word)
        }
        if line.count > Self.lineBytes { fail() }
    }

    private func fail() {
        end()
        heard(.failure)
    }
}
