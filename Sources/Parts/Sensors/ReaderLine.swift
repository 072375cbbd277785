public import ThumbLoop
import ThumbMetering

/// The line for the one reader. One watch, enrolment or forgetting has it at a time, and users take turns.
@OnLoop public final class ReaderLine {
    /// How many seconds a watch may have the reader while others wait for it: as long as a prompt's turn.
    public static let patience = 180.0

    /// A flow that has the reader, or waits for it.
    @OnLoop final class Turn {
        let user: String
        private let line: ReaderLine
        /// Called when others have waited for a long time.
        fileprivate let mustEnd: () -> Void
        private var waiter: CheckedContinuation<Void, Never>?
        private var hasCome = false
        /// When it got the reader.
        fileprivate var since = 0.0

        fileprivate init(_ line: ReaderLine, _ user: String, mustEnd: @escaping () -> Void) {
            (self.line, self.user, self.mustEnd) = (line, user, mustEnd)
        }

        /// Waits until the turn comes, or is given up.
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

        /// Nothing is wanted any more. If the turn still waits, it leaves the line.
        func giveUp() { line.giveUp(self) }

        /// The reader is released; the next turn comes.
        func end() { line.end(self) }
    }

    private let patience: Double
    private var line = FairLine<String, ObjectIdentifier, Turn>(perPeer: 1, perUser: .max)
    private var waiting: [ObjectIdentifier: Turn] = [:]
    private var holder: Turn?
    private var timer: LoopTimer?
    /// The user who had the reader last.
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

    /// A watch keeps the reader as long as no other user waits. Once one does, the time it has already had counts too.
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
