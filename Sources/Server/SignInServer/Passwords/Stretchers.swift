import ThumbMetering
import ThumbSecrets

/// The threads that stretch passwords. They are separate from HTTP's, because one stretch takes longer than thousands of other requests.
/// The line before them is fair between clients.
final class Stretchers: @unchecked Sendable {
    // @unchecked: the line, the shares and the flag are touched under the condition's lock.
    private let condition = Condition()
    private var line = FairLine<Client, Client, Job>(perPeer: .max, perUser: .max)
    private var shares = Shares(Limits.waitingPasswords, ofClient: Limits.waitingPasswordsOfClient)
    private var isEnding = false
    private var threads: [NamedThread] = []

    private struct Job: Sendable {
        let client: Client
        let run: @Sendable () -> Void
    }

    init() {
        threads = (0..<Limits.stretchers).map { _ in NamedThread("stretcher") { [self] in run() } }
    }

    /// - Returns: false if as many are waiting as allowed, of this client or of all; then it won't be run.
    func run(of client: Client, _ job: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = condition.withLock { _ in
            !isEnding && shares.take(client) && line.add(Job(client: client, run: job), of: client, client)
        }
        if isTaken { condition.signal() }
        return isTaken
    }

    func end() {
        condition.withLock { _ in isEnding = true }
        condition.broadcast()
        for thread in threads { thread.join() }
    }

    private func run() {
        while true {
            let job: Job? = condition.withLock { held in
                while line.isEmpty && !isEnding { held.wait() }
                let job = line.next()
                if let job { shares.giveBack(job.client) }
                return job
            }
            guard let job else { return }
            job.run()
        }
    }
}
