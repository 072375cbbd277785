import ThumbAccess
import ThumbBus
import ThumbLoop

/// A reader that is ours until `release`. Statuses go to the inbox that it was claimed for.
@OnLoop final class ReaderClaim {
    private let fingerprint: Fingerprint
    let line: FprintLine
    let reader: FprintReader

    /// Claims the default reader, after looking again which one that is.
    static func make(_ fingerprint: Fingerprint, for inbox: StatusInbox) async throws(BusError) -> ReaderClaim? {
        let line = try fingerprint.connected()
        guard let reader = try await line.defaultReader() else {
            fingerprint.readerIsGone()
            return nil
        }
        fingerprint.found(reader)
        inbox.dropPreviousClaim()
        fingerprint.inbox = inbox
        do {
            try await line.claim(reader, for: fingerprint.place.user)
        } catch {
            fingerprint.inbox = nil
            // fprintd may have made a claim even though its answer came too late.
            if error.code == .timedOut { fingerprint.dropLine() }
            throw error
        }
        return ReaderClaim(fingerprint, line, reader)
    }

    /// The same, but waits for another program that is still releasing the reader.
    static func patiently(_ fingerprint: Fingerprint, for inbox: StatusInbox) async throws(BusError) -> ReaderClaim? {
        let began = EventLoop.now
        while true {
            do throws(BusError) {
                return try await make(fingerprint, for: inbox)
            } catch {
                guard case .inUse = FprintRefusal(error), EventLoop.now - began < patience, !inbox.isOver else { throw error }
            }
            _ = await inbox.next(within: pause)
        }
    }

    /// How many seconds fprintd may take to clear away another program's finished verification.
    private static let patience = 2.0
    private static let pause = 0.1

    private init(_ fingerprint: Fingerprint, _ line: FprintLine, _ reader: FprintReader) {
        self.fingerprint = fingerprint
        self.line = line
        self.reader = reader
    }

    /// Reads which fingers are enrolled. From now on only root can change that.
    func fingers() async throws(BusError) -> [Finger] {
        let fingers = try await line.fingers(reader, of: fingerprint.place.user)
        fingerprint.know(fingers)
        return fingers
    }

    /// Releases the reader. If fprintd is gone the claim is too; if it doesn't answer, the connection is closed.
    func release(ownerLost: Bool) async {
        fingerprint.inbox = nil
        if ownerLost { return }
        do {
            try await line.release(reader)
        } catch {
            if error.code != .refused && error.code != .disconnected { fingerprint.dropLine() }
        }
    }
}
