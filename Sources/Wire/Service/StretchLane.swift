import ThumbLoop
import ThumbMetering

/// Runs one stretch at a time, on a thread of its own. The line before it is fair between users, and between a user's connections.
///
/// Each stretch takes 64 MiB while it runs, so a process has two lanes: one for passcodes, one for everything else.
@OnLoop final class StretchLane {
    private let worker = Worker(limit: 1)
    private var line: FairLine<ObjectIdentifier, ObjectIdentifier, () -> Void>
    private var isBusy = false

    init(perPeer: Int, perUser: Int) { line = FairLine(perPeer: perPeer, perUser: perUser) }

    deinit { worker.finish() }

    /// Runs `work` on the lane's thread when its turn comes, then `then` on the loop. Returns false if too many of its peer's or user's
    /// wait.
    func run<Value: Sendable>(
        of peer: ObjectIdentifier, _ user: ObjectIdentifier, _ work: @escaping @Sendable () -> Value,
        then: @escaping @OnLoop @Sendable (Value) -> Void
    ) -> Bool {
        let isTaken = line.add(
            { [weak self] in
                let isRunning = self?.worker.run(work) { [weak self] value in
                    self?.isBusy = false
                    then(value)
                    self?.goOn()
                }
                precondition(isRunning != false, "a lane runs one stretch at a time")
            }, of: peer, user)
        goOn()
        return isTaken
    }

    /// Takes back what a peer has waiting. A stretch that runs already ends by itself.
    func remove(_ peer: ObjectIdentifier, of user: ObjectIdentifier) { line.remove(peer, of: user) }

    /// Whether nothing waits, and at most one stretch runs.
    var isLineEmpty: Bool { line.isEmpty }

    private func goOn() {
        guard !isBusy, let next = line.next() else { return }
        isBusy = true
        next()
    }
}
