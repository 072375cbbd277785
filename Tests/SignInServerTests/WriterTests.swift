import Testing
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbSignInServer

/// A ledger that notes what it is given, and when.
private final class NotingLedger: Ledger {
    let batches = Locked<[(deeds: [Deed], began: UInt64)]>([])

    func settle(_ deeds: [Deed], at now: Moment) throws(LedgerFailure) -> [DeedOutcome] {
        batches.withLock { $0.append((deeds, Uptime.nanoseconds())) }
        return deeds.map { _ in .done }
    }
}

/// A ledger that answers for more deeds than it was given, or for fewer.
private struct MiscountingLedger: Ledger {
    let more: Int

    func settle(_ deeds: [Deed], at now: Moment) throws(LedgerFailure) -> [DeedOutcome] {
        [DeedOutcome](repeating: .done, count: deeds.count + more)
    }
}

@Suite("Batches")
struct WriterTests {
    private static let deed = Deed.readPassword(AccountName("anna")!)  // A name by its looks.

    private func run(_ deeds: Int, threads: Int, batch: Int = SignInLimit.batch) async -> [(deeds: [Deed], began: UInt64)] {
        let ledger = NotingLedger()
        await onThread {
            let writer = Writer(ledger, now: { Moment(seconds: 10_000) }, batch: batch, tally: WriterTally()) { _ in }
            let workers = (0..<threads).map { _ in
                NamedThread("asking") {
                    let answered = Condition()
                    let isAnswered = Locked(false)
                    for _ in 0..<deeds / threads {
                        isAnswered.withLock { $0 = false }
                        writer.settle(Self.deed) { _ in
                            answered.withLock { _ in isAnswered.withLock { $0 = true } }
                            answered.signal()
                        }
                        answered.withLock { held in
                            while !isAnswered.withLock({ $0 }) { held.wait() }
                        }
                    }
                }
            }
            for worker in workers { worker.join() }
            writer.end()
        }
        return ledger.batches.withLock { $0 }
    }

    @Test("Behind every 256 deeds some of what is over is forgotten, and nobody is answered twice for it")
    func forgetting() async {
        let batches = await run(600, threads: 1)
        #expect(batches.flatMap(\.deeds).filter { $0 == Self.deed }.count == 600)
        let places = batches.indices.filter { batches[$0].deeds.contains(.forget(before: Moment(seconds: 9_400))) }
        #expect(places == [255, 511])
    }

    @Test("Behind a batch of several the next begins a millisecond later at the earliest")
    func pace() async {
        let batches = await run(1_600, threads: 8)
        #expect(batches.flatMap(\.deeds).filter { $0 == Self.deed }.count == 1_600)
        let several = batches.indices.dropFirst().dropLast().filter { batches[$0].deeds.filter { $0 == Self.deed }.count > 1 }
        #expect(!several.isEmpty)
        // A batch begins after the ledger was asked for the one before, and the ledger is asked for the next one after that has begun. So
        // this holds however late the thread comes to it.
        #expect(several.allSatisfy { batches[$0 + 1].began - batches[$0 - 1].began >= Limits.pace })
    }

    @Test("Where a ledger answers for too few deeds or for too many, it has answered for none", arguments: [-1, 1])
    func miscounting(more: Int) async {
        let (failures, complaints) = await onThread {
            let (failed, complained) = (Locked(0), Locked(0))
            let writer = Writer(
                MiscountingLedger(more: more), now: { Moment(seconds: 10_000) }, tally: WriterTally()
            ) { _ in complained.withLock { $0 += 1 } }
            writer.settle(Self.deed) { result in
                if case .failure = result { failed.withLock { $0 += 1 } }
            }
            writer.end()
            return (failed.withLock { $0 }, complained.withLock { $0 })
        }
        #expect(failures == 1 && complaints == 1)
    }

    @Test("What waits when the end comes is done before it")
    func ending() async {
        let rounds = 100
        let answered = await onThread {
            let count = Locked(0)
            for _ in 0..<rounds {
                let writer = Writer(NotingLedger(), now: { Moment(seconds: 10_000) }, tally: WriterTally()) { _ in }
                writer.settle(Self.deed) { _ in count.withLock { $0 += 1 } }
                writer.end()
            }
            return count.withLock { $0 }
        }
        #expect(answered == rounds)
    }

    @Test("Where nothing may share a commit, each deed has its own, however many wait")
    func alone() async {
        let batches = await run(400, threads: 8, batch: 1)
        #expect(batches.flatMap(\.deeds).filter { $0 == Self.deed }.count == 400)
        #expect(batches.allSatisfy { $0.deeds.filter { $0 == Self.deed }.count == 1 })
    }
}
