public import ThumbLoop
import ThumbMetering

/// The line before the one reader: one watch, enrolment or forgetting has it at a time, and users take turns.
@OnLoop public final class ReaderLine {
    /// Seconds for which a watch has the reader though others wait for it: as long as a prompt's turn.
    public static let patience = 180.0

    /// One that has the reader, or waits for it.
    @OnLoop final class Turn {
        let user: String
        private let line: ReaderLine
        /// Called when others have waited for long.
        fileprivate let mustEnd: () -> Void
        private var waiter: CheckedContinuation<Void, Never>?
        private var hasCome = false
        /// When it got the reader.
        fileprivate var since = 0.0

        fileprivate init(_ line: ReaderLine, _ user: String, mustEnd: @escaping () -> Void) {
            (self.line, self.user, self.mustEnd) = (line, user, mustEnd)
        }

        /// Waits for the turn, or for it to be given up.
        func comes() async {
            await withCheckedContinuation { waiter in
                if hasCome { waiter.resume() } else { self.waiter = waiter }
            }
        }

        fileprivate func come() {
            hasCome = true
            waiter?.resume()
            waiter = nil
        }

        /// Nothing is wanted any more: one that still waits leaves the line.
        func giveUp() { line.giveUp(self) }

        /// The reader is released.
        func end() { line.end(self) }
    }

    private let patience: Double
    private var line = FairLine<String, ObjectIdentifier, Turn>(perPeer: 1, perUser: .max)
    private var waiting: [ObjectIdentifier: Turn] = [:]
    private var holder: Turn?
    private var timer: LoopTimer?
    /// Who had the reader last.
    private(set) var latest: String?

    /// Makes an empty line; `patience` is for tests.
    public init(patience: Double = ReaderLine.patience) { self.patience = patience }

    /// Joins the line.
    func join(_ user: String, mustEnd: @escaping () -> Void) -> Turn {
        let turn = Turn(self, user, mustEnd: mustEnd)
        waiting[ObjectIdentifier(turn)] = turn
        _ = line.add(turn, of: ObjectIdentifier(turn), user)
        goOn()
        return turn
    }

    private func goOn() {
        if holder == nil, let next = line.next() {
            waiting[ObjectIdentifier(next)] = nil
            holder = next
            next.since = EventLoop.now
            next.come()
        }
        limit()
    }

    /// A watch keeps the reader for as long as no other user waits. When one does, the time that the watch already had counts too.
    private func limit() {
        guard let holder, waiting.values.contains(where: { $0.user != holder.user }) else {
            timer?.cancel()
            timer = nil
            return
        }
        guard timer == nil else { return }
        timer = EventLoop.shared.after(holder.since + patience - EventLoop.now) { [weak self, weak holder] in
            self?.timer = nil
            if let holder, self?.holder === holder { holder.mustEnd() }
        }
    }

    private func giveUp(_ turn: Turn) {
        guard waiting.removeValue(forKey: ObjectIdentifier(turn)) != nil else { return }
        line.remove(ObjectIdentifier(turn), of: turn.user)
        turn.come()
        limit()
    }

    private func end(_ turn: Turn) {
        guard holder === turn else { return }
        latest = turn.user
        holder = nil
        timer?.cancel()
        timer = nil
        goOn()
    }
}
