import CThumbLinux
import Foundation
import Testing

@testable import ThumbSecrets

@Suite("Lock and Condition") struct LockTests {
    @Test("a locked value counts every thread's step")
    func counting() {
        let counter = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { counter.withLock { $0 += 1 } }
        }
        #expect(counter.withLock { $0 } == 80_000)
    }

    @Test("taking a lock twice on one thread traps instead of hanging")
    func relock() async {
        await #expect(processExitsWith: .failure) {
            let lock = Lock()
            lock.withLock { lock.withLock {} }
        }
    }

    @Test("an error thrown under the lock releases it")
    func throwing() {
        struct Refusal: Error {}
        let lock = Lock()
        #expect(throws: Refusal.self) { try lock.withLock { throw Refusal() } }
        lock.withLock {}
    }

    @Test("a waiting thread wakes when the condition is signalled")
    func signal() {
        let condition = Condition()
        let ready = Locked(false)
        Thread.detachNewThread {
            usleep(20_000)
            condition.withLock { _ in ready.withLock { $0 = true } }
            condition.signal()
        }
        condition.withLock { held in
            while !ready.withLock({ $0 }) { held.wait() }
        }
        #expect(ready.withLock { $0 })
    }

    @Test("a wait with a limit ends without a signal", arguments: [Duration.milliseconds(30), .zero, .seconds(-5)])
    func timeout(limit: Duration) {
        let condition = Condition()
        let start = SuspendingClock.now
        // A wait may wake without cause, so it is repeated; the clock decides. One that never ended would hang here.
        condition.withLock { held in
            while held.wait(atMost: limit) {}
        }
        #expect(SuspendingClock.now - start >= max(limit, .zero))
    }

    @Test("conditions that share a lock are woken one by one")
    func sharedLock() {
        let lock = Lock()
        let first = Condition(lock: lock)
        let second = Condition(lock: lock)
        let woken = Locked<[String]>([])
        let done = DispatchSemaphore(value: 0)
        let go = Locked((first: false, second: false))
        Thread.detachNewThread {
            first.withLock { held in
                while !go.withLock({ $0.first }) { held.wait() }
                woken.withLock { $0.append("first") }
            }
            done.signal()
        }
        Thread.detachNewThread {
            second.withLock { held in
                while !go.withLock({ $0.second }) { held.wait() }
                woken.withLock { $0.append("second") }
            }
            done.signal()
        }
        lock.withLock { go.withLock { $0.second = true } }
        second.broadcast()
        done.wait()
        lock.withLock { go.withLock { $0.first = true } }
        first.broadcast()
        done.wait()
        #expect(woken.withLock { $0 } == ["second", "first"])
    }
}
