import CThumbLinux
import Foundation
import Testing
import ThumbSecrets

@testable import ThumbLoop

@Suite("The loop")
struct EventLoopTests {
    private let loop = EventLoop.shared

    @Test("timers fire by when they are due, and those due together by when they were set")
    func order() {
        let notes = Notes()
        loop.post {
            while true {
                let began = EventLoop.now
                let timers = [
                    EventLoop.shared.after(0.06) { notes.add("third") }, EventLoop.shared.after(0.02) { notes.add("first") },
                    EventLoop.shared.after(0.04) { notes.add("second") }, EventLoop.shared.after(-1) { notes.add("at once") },
                ]
                // Had setting them taken as long as lies between two of them, another order would be right: they are set again.
                if EventLoop.now - began < 0.02 { return }
                for timer in timers { timer.cancel() }
            }
        }
        #expect(notes.wait(for: 4) == ["at once", "first", "second", "third"])
    }

    @Test("timers due at the same moment fire in the order they were set")
    func ties() {
        var queue = TimerQueue()
        let fired = Notes()
        for number in 0..<20 { _ = queue.add(at: 5) { fired.add("\(number)") } }
        _ = queue.add(at: 4) { fired.add("sooner") }
        #expect(queue.takeDue(at: 3.9) == nil)
        var due: [@OnLoop () -> Void] = []
        while let body = queue.takeDue(at: 5) { due.append(body) }
        loop.sync { [bodies = Bodies(due)] in bodies.run() }
        #expect(fired.all == ["sooner"] + (0..<20).map { "\($0)" })
        #expect(queue.millisecondsToNext(at: 6) == -1)
    }

    @Test("a timer that another one cancels doesn't fire, though both were due at once")
    func cancelledByAnother() {
        var queue = TimerQueue()
        let first = queue.add(at: 1) {}
        let second = queue.add(at: 2) {}
        #expect(queue.takeDue(at: 5) != nil)
        queue.cancel(second)
        #expect(queue.takeDue(at: 5) == nil && first != second)
    }

    @Test("a timer fires once, not before it is due, and a cancelled one never")
    func cancel() {
        let notes = Notes()
        let start = EventLoop.now
        loop.post {
            let doomed = EventLoop.shared.after(0.02) { notes.add("cancelled") }
            _ = EventLoop.shared.after(0.05) { notes.add(EventLoop.now - start >= 0.05 ? "due" : "early") }
            doomed.cancel()
            doomed.cancel()
        }
        #expect(notes.wait(for: 1) == ["due"])
        loop.sync {}
        #expect(notes.all == ["due"])
    }

    @Test(
        "the time of timers goes on while the machine sleeps",
        .enabled(if: getuid() == 0 && access("/proc/self/ns/time", F_OK) == 0, "takes root and a kernel with time namespaces"))
    func asleep() {
        // For a process with a clock like this the machine has slept for a day more.
        let (path, words) = (strdup("/proc/self/timens_offsets")!, strdup("boottime 86400 0")!)
        defer { for text in [path, words] { free(text) } }
        let (place, count) = (Int(bitPattern: path), strlen(words))
        func awake() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        func ended(_ child: Int) -> Int32 {
            var status: Int32 = 0
            return waitpid(pid_t(child), &status, 0) == child && thumb_exited(status) != 0 ? thumb_exit_status(status) : -1
        }
        // fork is hidden from Swift; what was forked makes nothing but calls of the kernel.
        let child = thumb_syscall(Int(SYS_fork), 0, 0, 0, 0)
        if child == 0 {
            // CLONE_NEWTIME: the namespace is its children's, not its own.
            guard thumb_syscall(Int(SYS_unshare), 0x80, 0, 0, 0) == 0 else { _exit(2) }
            let file = thumb_syscall(Int(SYS_openat), Int(AT_FDCWD), place, Int(O_WRONLY), 0)
            guard thumb_syscall(Int(SYS_write), file, Int(bitPattern: words), count, 0) == count else { _exit(3) }
            let grandchild = thumb_syscall(Int(SYS_fork), 0, 0, 0, 0)
            if grandchild == 0 {
                let before = awake()
                _exit(EventLoop.now - before > 86_000 ? 7 : 8)
            }
            _exit(ended(grandchild))
        }
        #expect(ended(child) == 7)
    }

    @Test("a watch that asks for another turn has one, after what was posted before it, though nothing came")
    func anotherTurn() {
        let notes = Notes()
        let pair = Pair()
        pair.write([1])
        loop.sync {
            var turns = 0
            var watch: Watch?
            watch = Watch(pair.near, .readable) { ready in
                turns += 1
                notes.add(ready.contains(.readable) ? "ready" : "due")
                if turns == 1 {
                    var byte: UInt8 = 0
                    #expect(recv(pair.near, &byte, 1, 0) == 1)
                    EventLoop.shared.post { notes.add("posted") }
                }
                // Asking twice is asking once.
                for _ in 0..<2 where turns < 3 { watch?.turnAgain() }
                if turns == 3 {
                    watch?.remove()
                    watch?.turnAgain()
                    watch = nil
                }
            }
        }
        #expect(notes.wait(for: 4) == ["ready", "posted", "due", "due"])
        loop.sync {}
        loop.sync {}
        #expect(notes.all.count == 4)
    }

    @Test(
        "a watch whose descriptor stays ready and that asks for another turn has one turn at a time, and what was posted runs between"
    )
    func oneTurnAtATime() {
        let notes = Notes()
        let pair = Pair()
        pair.write([1])
        loop.sync {
            var turns = 0
            var watch: Watch?
            watch = Watch(pair.near, .readable) { _ in
                turns += 1
                notes.add("turn")
                EventLoop.shared.post { notes.add("posted") }
                if turns < 10 {
                    watch?.turnAgain()
                } else {
                    watch?.remove()
                    watch = nil
                }
            }
        }
        #expect(notes.wait(for: 20) == (0..<10).flatMap { _ in ["turn", "posted"] })
    }

    @Test("a wait for a timer is never shorter than the timer, and never longer than an hour and a bit")
    func waits() {
        var queue = TimerQueue()
        #expect(queue.millisecondsToNext(at: 0) == -1)
        _ = queue.add(at: .infinity) {}
        #expect(queue.millisecondsToNext(at: 0) == 3_600_001)
        _ = queue.add(at: 0.0001) {}
        #expect(queue.millisecondsToNext(at: 0) == 1)
        #expect(queue.millisecondsToNext(at: 100) == 1)
    }

    @Test("sync gives what its work gives, from many threads at once, always on the loop's thread")
    func sync() {
        let wrong = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<500 {
                let (number, isLoop) = EventLoop.shared.sync { (thread * 1000 + round, EventLoop.shared.isCurrent) }
                if number != thread * 1000 + round || !isLoop { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
        #expect(!loop.isCurrent)
    }

    @Test("sync on the loop itself runs at once instead of waiting for itself")
    func nested() {
        #expect(loop.sync { EventLoop.shared.sync { 7 } } == 7)
    }

    @Test("what is posted by one thread runs in its order")
    func posted() {
        let notes = Notes()
        for number in 0..<1000 { loop.post { notes.add("\(number)") } }
        #expect(notes.wait(for: 1000) == (0..<1000).map { "\($0)" })
    }

    @Test("a task that is spawned runs on the loop's thread, before and after each of its waits")
    func spawned() async {
        let notes = Notes()
        await loop.spawn {
            notes.add("\(EventLoop.shared.isCurrent)")
            await Task.yield()
            notes.add("\(EventLoop.shared.isCurrent)")
            await withCheckedContinuation { continuation in
                _ = EventLoop.shared.after(0.01) { continuation.resume() }
            }
            notes.add("\(EventLoop.shared.isCurrent)")
            await elsewhere()
            notes.add("\(EventLoop.shared.isCurrent)")
        }.value
        #expect(notes.all == ["true", "true", "true", "true"])
    }

    @Test("calling the loop's own code from another thread traps instead of racing")
    func isolation() async {
        await #expect(processExitsWith: .failure) {
            OnLoop.assumed { _ = EventLoop.shared.after(0) {} }
        }
    }
}

/// Timers' bodies on their way to the loop.
private struct Bodies: @unchecked Sendable {
    // @unchecked: run once, on the loop, while the test waits.
    private let bodies: [@OnLoop () -> Void]
    init(_ bodies: [@OnLoop () -> Void]) { self.bodies = bodies }
    @OnLoop func run() { for body in bodies { body() } }
}

private func elsewhere() async {}

@Suite("Watching descriptors")
struct WatchTests {
    private let loop = EventLoop.shared

    @Test("a watch tells of bytes, of room to write once asked for it, and of the other end's going, and of nothing once removed")
    func watch() {
        let pair = Pair()
        let notes = Notes()
        let watch = loop.sync {
            Watch(pair.near, .readable) { ready in
                if ready.contains(.readable) {
                    var bytes = [UInt8](repeating: 0, count: 16)
                    let count = recv(pair.near, &bytes, 16, Int32(MSG_DONTWAIT))
                    if count > 0 { notes.add("\(count) bytes") }
                }
                if ready.contains(.writable) {
                    notes.add("room")
                    notes.watch?.change(to: .readable)
                }
                if ready.contains(.hungUp) {
                    notes.add("gone")
                    notes.watch?.remove()
                }
            }
        }
        notes.watch = watch
        pair.write([1, 2, 3])
        #expect(notes.wait(for: 1) == ["3 bytes"])
        loop.sync { watch.change(to: [.readable, .writable]) }
        #expect(notes.wait(for: 2) == ["3 bytes", "room"])
        shutdown(pair.far, Int32(SHUT_RDWR))
        #expect(notes.wait(for: 3) == ["3 bytes", "room", "gone"])
        loop.sync {}
        #expect(notes.all.count == 3)
        // Removing twice is nothing, as is a change that changes nothing.
        loop.sync {
            watch.remove()
            #expect(watch.interest == .readable)
            watch.change(to: .readable)
        }
    }

    @Test("a watch that is removed once more leaves the one alone that has its number now")
    func removedTwice() {
        let pair = Pair()
        let notes = Notes()
        notes.watch = loop.sync {
            let old = Watch(pair.near, .readable) { _ in notes.add("old") }
            old.remove()
            let new = Watch(pair.near, .readable) { _ in
                notes.watch?.remove()
                notes.add("new")
            }
            old.remove()
            return new
        }
        pair.write([1])
        #expect(notes.wait(for: 1) == ["new"])
    }

    @Test("a watch removed by another one's handler in the same turn isn't called")
    func removedMeanwhile() {
        let (first, second) = (Pair(), Pair())
        let notes = Notes()
        loop.sync {
            let others = Others()
            others.first = Watch(first.near, .readable) { _ in
                notes.add("first")
                others.first?.remove()
                others.second?.remove()
            }
            others.second = Watch(second.near, .readable) { _ in
                notes.add("second")
                others.first?.remove()
                others.second?.remove()
            }
            first.write([1])
            second.write([1])
        }
        #expect(notes.wait(for: 1).count == 1)
        loop.sync {}
        #expect(notes.all.count == 1)
    }
}

@OnLoop private final class Others {
    var first: Watch?
    var second: Watch?
}

@Suite("The worker")
struct WorkerTests {
    @Test("work runs off the loop, what comes of it on the loop, one after the other; it takes as many as its limit and no more")
    func limit() {
        let notes = Notes()
        let gate = Locked(false)
        // The first holds the thread, so that the rest has to wait.
        let isRunning = Locked(false)
        let first = Worker.shared.run {
            isRunning.withLock { $0 = true }
            while !gate.withLock({ $0 }) { usleep(1000) }
            return EventLoop.shared.isCurrent
        } then: {
            notes.add("first, work on the loop: \($0), answer on the loop: \(EventLoop.shared.isCurrent)")
        }
        #expect(first)
        while !isRunning.withLock({ $0 }) { usleep(1000) }
        for number in 0..<Worker.limit {
            #expect(
                Worker.shared.run {
                    number
                } then: {
                    notes.add("\($0)")
                })
        }
        #expect(
            !Worker.shared.run {
                0
            } then: { _ in
                notes.add("one too many")
            })
        gate.withLock { $0 = true }
        #expect(
            notes.wait(for: Worker.limit + 1)
                == ["first, work on the loop: false, answer on the loop: true"] + (0..<Worker.limit).map { "\($0)" })
    }
}
