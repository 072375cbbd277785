import ThumbIdentities
import ThumbLoop

/// Finds out which program a process is, off the loop: reading a program's digest takes its time.
final class ReaderLook: @unchecked Sendable {
    // @unchecked: `facts` is touched on the worker's one thread alone.
    private let facts = ReaderFacts()
    private let worker = Worker(limit: waiting)

    /// Clients whose programs are being looked at: as many as may be there.
    private static let waiting = 1024

    /// The reader that is that process; nil if nobody can tell.
    @OnLoop func find(_ process: Int32, _ user: UInt32, _ groups: [UInt32]) async -> ReaderFacts.Found? {
        await withCheckedContinuation { (done: CheckedContinuation<ReaderFacts.Found?, Never>) in
            let isAccepted = worker.run {
                self.facts.of(pid: process, uid: user, groups: groups)
            } then: {
                done.resume(returning: $0)
            }
            if !isAccepted { done.resume(returning: nil) }
        }
    }
}
