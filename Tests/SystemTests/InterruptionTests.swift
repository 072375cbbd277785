import CThumbLinux
import Foundation
import Testing
import ThumbSecrets
import thumbturn_test_programs

@testable import ThumbSystem

/// Where the handler of the tests' signal says that it ran: both ends of a pipe that stays open.
private nonisolated(unsafe) var handled: (reading: Int32, writing: Int32) = (-1, -1)

/// A thread that can be interrupted: a signal that is handled is sent to it alone, without SA_RESTART, so that the kernel
/// ends the call that it waits in.
private final class Interruptible: Sendable {
    private static let installed: Void = {
        if let ends = try? makePipe() { handled = ends }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in _ = write(handled.writing, "!", 1) }
        sigaction(SIGUSR2, &action, nil)
    }()

    let thread: Int32

    /// Of the calling thread.
    init() {
        _ = Self.installed
        // A thread of the tests' may block it.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGUSR2)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        thread = thumb_gettid()
    }

    /// Whether it waits in the kernel in that call.
    private func isWaiting(in call: Int) -> Bool {
        let path = "/proc/self/task/\(thread)/syscall"
        return (try? String(contentsOfFile: path, encoding: .utf8))?.hasPrefix("\(call) ") == true
    }

    /// Interrupts it in a call, so many times, each time when it waits there again.
    func interrupt(in call: Int, times: Int) throws {
        for _ in 0..<times {
            for _ in 0..<60_000 where !isWaiting(in: call) { usleep(1000) }
            try #require(isWaiting(in: call), "it doesn't wait")
            try #require(thumb_syscall(Int(SYS_tgkill), Int(getpid()), Int(thread), Int(SIGUSR2), 0) == 0)
            // Its handler has run, so the call has ended.
            _ = try Transfer.bytes(from: handled.reading, count: 1)
        }
    }
}

@Suite("Calls that a signal interrupts", .serialized) struct InterruptionTests {
    /// Runs `work` on a thread of its own and interrupts it there, then has `after` end what it waits for.
    private func interrupted<Value: Sendable>(
        in call: Int = Int(SYS_read), times: Int, _ work: @escaping @Sendable () -> Value,
        then after: @escaping @Sendable () throws -> Void
    ) async throws -> Value {
        let (handles, teller) = AsyncStream<Interruptible>.makeStream()
        async let outcome = onThread { () -> Value in
            teller.yield(Interruptible())
            return work()
        }
        let thread = await handles.first { _ in true }
        try thread?.interrupt(in: call, times: times)
        try after()
        return await outcome
    }

    @Test("A bare read is cut short: the test's own thread is interrupted as it should be")
    func bareRead() async throws {
        let pipe = try PipeEnds()
        let (reading, writing) = (pipe.reading.number, pipe.writing.number)
        let number = try await interrupted(times: 1) {
            var byte: UInt8 = 0
            return read(reading, &byte, 1) < 0 ? thumb_errno() : 0
        } then: {
            try Transfer.write([1], to: writing)
        }
        #expect(number == EINTR)
    }

    @Test("A read goes on, and gets every byte")
    func readGoesOn() async throws {
        let pipe = try PipeEnds()
        let (reading, writing) = (pipe.reading.number, pipe.writing.number)
        let bytes = try await interrupted(times: 3) {
            try? Transfer.bytes(from: reading, count: 4)
        } then: {
            for part: [UInt8] in [[1], [2, 3], [4]] {
                try Transfer.write(part, to: writing)
                usleep(1000)
            }
        }
        #expect(bytes == [1, 2, 3, 4])
    }

    @Test("A write goes on, and puts every byte")
    func writeGoesOn() async throws {
        let pipe = try PipeEnds()
        let (reading, writing) = (pipe.reading.number, pipe.writing.number)
        // More than the pipe holds, so that writing waits for its reader.
        let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let received = Locked<[UInt8]>([])
        let isWritten = try await interrupted(in: Int(SYS_write), times: 3) {
            (try? Transfer.write(sent, to: writing)) != nil
        } then: {
            let bytes = try Transfer.bytes(from: reading, count: sent.count)
            received.withLock { $0 = bytes }
        }
        #expect(isWritten)
        #expect(received.withLock { $0 } == sent)
    }

    @Test("A wait ends early and says that nothing came, so that its time is counted anew")
    func wait() async throws {
        let pipe = try PipeEnds()
        let (reading, writing) = (pipe.reading.number, pipe.writing.number)
        let count = try await interrupted(in: Int(SYS_poll), times: 1) {
            var waits = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
            return try? polled(&waits, milliseconds: 60_000)
        } then: {
            try Transfer.write([1], to: writing)
        }
        #expect(count == 0)
        var waits = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
        #expect(try polled(&waits, milliseconds: 60_000) == 1)
    }

    @Test("What isn't an interruption is told")
    func otherErrors() throws {
        #expect(throws: SystemError(EBADF)) { try Transfer.bytes(from: -1, count: 1) }
        #expect(throws: SystemError(EBADF)) { try Transfer.write([1], to: -1) }
        #expect(uninterruptedError(of: { ENOSYS }) == ENOSYS)
        // A descriptor's number, say, that happens to be EINTR's.
        var calls = 0
        let four = uninterrupted { () -> Int32 in
            calls += 1
            return EINTR
        }
        #expect(four == EINTR && calls == 1)
        var tries = 0
        #expect(
            uninterruptedError(of: {
                tries += 1
                return tries < 3 ? EINTR : 0
            }) == 0)
        #expect(tries == 3)
    }
}
