import CThumbLinux
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// One connection to a daemon, shared by every thread of the process.
///
/// A blocking call writes and reads on its caller's own thread. Whoever waits first reads for all the others (the *reader*) and
/// passes the role on when its own answer has come; the loop takes the role only while nobody blocks and an evaluation is pending.
final class DeviceConnection: @unchecked Sendable {
    // @unchecked: everything mutable is touched under `lock`, except `frames`, which belongs to whoever is the reader.
    typealias Handler = @Sendable (Result<Frame, ClientError>) -> Progress

    enum Progress { case more, finished }

    private final class Waiter {
        let condition: Condition
        var inbox: [Frame] = []
        /// Only a thread that is waiting can be woken to read; one on its way in or out would let the role go unheard.
        var isWaiting = false

        init(_ lock: Lock) { condition = Condition(lock: lock) }
    }

    private enum Pending {
        case waiter(Waiter)
        case handler(Handler)
    }

    /// How long a caller looks for its answer before it sleeps. Most answers are there sooner than a core that sleeps is awake again.
    private static let secondsAwake = 50e-6

    private let fd: Int32
    private let process = getpid()
    private let lock = Lock()
    private let writing = Lock()
    private var pending: [UInt32: Pending] = [:]
    private var handlers = 0
    private var lastCall: UInt32 = 0
    private var hasReader = false
    private var failure: ClientError?
    // Where no memory can be locked for a stage, a frame takes two readings.
    private var frames = FrameReader(
        least: WireLimit.headBytes, limit: WireLimit.frame, stage: try? SecretStage(capacity: FrameReader.stageBytes))
    private var watch: Watch?

    init(_ fd: Int32) { self.fd = fd }

    deinit { UnixSocket.close(fd) }

    /// Whether calls can still be made; not after a failure, nor in a child of the process that connected.
    var isUsable: Bool { lock.withLock { failure == nil } && process == getpid() }

    // MARK: Calls

    /// Makes a call and blocks until `handle` has returned something for one of the frames that answer it.
    func call<Value>(_ word: some Word, _ handle: (Frame) throws(ClientError) -> Value?) throws(ClientError) -> Value {
        let waiter = Waiter(lock)
        let number = try register(.waiter(waiter))
        var isReader = false
        // Forgotten first, or the role might be handed to a call that has just ended, and nobody would read any more. A call
        // that ends without the role may have been handed it on its way out.
        defer {
            forget(number)
            passOn(asReader: isReader)
        }
        let wasSent = try write(word, number)
        while true {
            let answer: Frame
            if isReader {
                do {
                    guard let read = try readAsReader(for: number) else { continue }
                    answer = read
                } catch {
                    // What the daemon said before it closed (that it refuses us, and why) is read even where writing failed.
                    throw error.code == .connectionLost && !wasSent
                        ? ClientError(.connectionLost, Advice.connectionLost, nothingWasSent: true) : error
                }
            } else {
                switch try waitForAnswerOrRole(waiter) {
                case .answer(let arrived): answer = arrived
                case .role:
                    isReader = true
                    continue
                }
            }
            if let value = try handle(answer) { return value }
        }
    }

    /// Makes a call whose answers come to `handler`, on the loop or on the thread of whoever reads just then.
    func start(_ word: some Word, _ handler: @escaping Handler) throws(ClientError) {
        let number = try register(.handler(handler))
        let wasSent: Bool
        do {
            wasSent = try write(word, number)
        } catch {
            // A connection that failed has told the handler already.
            if !isUsable { return }
            forget(number)
            throw error
        }
        guard wasSent else {
            forget(number)
            throw fail(ClientError(.connectionLost, Advice.connectionLost, nothingWasSent: true))
        }
        if lock.withLock({ !hasReader }) { watchOnLoop() }
    }

    /// Says something that has no answer of its own.
    func tell(_ word: some Word, call: UInt32) throws(ClientError) {
        guard try write(word, call) else { throw fail(ClientError(.connectionLost, Advice.connectionLost)) }
    }

    private func register(_ entry: Pending) throws(ClientError) -> UInt32 {
        try lock.withLock { () throws(ClientError) in
            if let failure { throw failure }
            repeat { lastCall &+= 1 } while pending[lastCall] != nil
            pending[lastCall] = entry
            if case .handler = entry { handlers += 1 }
            return lastCall
        }
    }

    private func forget(_ number: UInt32) {
        lock.withLock {
            if case .handler = pending.removeValue(forKey: number) { handlers -= 1 }
        }
    }

    /// Whether all of it was sent; if not, none of it was, or the connection has failed.
    private func write(_ word: some Word, _ number: UInt32) throws(ClientError) -> Bool {
        let encoded = word.frame(call: number)
        guard encoded.count - 4 <= WireLimit.frame else { throw ClientError(.refused(.tooLarge), Advice.refused(.tooLarge)) }
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        let outcome = writing.withLock { frame.send(to: fd, waiting: true) }
        if outcome == .sent { return true }
        if frame.remaining != encoded.count { throw fail(ClientError(.connectionLost, Advice.connectionLost)) }
        return false
    }

    // MARK: Reading

    private enum Turn {
        case answer(Frame)
        case role
    }

    private func waitForAnswerOrRole(_ waiter: Waiter) throws(ClientError) -> Turn {
        try waiter.condition.withLock { held throws(ClientError) in
            while true {
                if !waiter.inbox.isEmpty { return .answer(waiter.inbox.removeFirst()) }
                if let failure { throw failure }
                if !hasReader {
                    hasReader = true
                    return .role
                }
                waiter.isWaiting = true
                held.wait()
                waiter.isWaiting = false
            }
        }
    }

    /// Reads one frame as the reader; nil if it was for somebody else.
    private func readAsReader(for number: UInt32) throws(ClientError) -> Frame? {
        switch readSoon() {
        case .frame(let body):
            let frame = try understand(body)
            if frame.call == number { return frame }
            deliver(frame)
            return nil
        case .later: return nil
        case .closed, .failed: throw fail(ClientError(.connectionLost, Advice.connectionLost))
        case .badLength: throw fail(ClientError(.protocolBroken, Advice.protocolBroken))
        case .noRoom: throw fail(ClientError(.refused(.tooLarge), Advice.noLockedMemory))
        }
    }

    /// Reads what comes next: awake for a moment, whose core anybody else may have, and then asleep.
    private func readSoon() -> FrameReader.Outcome {
        let end = EventLoop.now + Self.secondsAwake
        repeat {
            let outcome = frames.read(from: fd, waiting: false)
            guard case .later = outcome else { return outcome }
            sched_yield()
        } while EventLoop.now < end
        return frames.read(from: fd, waiting: true)
    }

    /// A refusal is the connection's end, whichever call it came for.
    private func understand(_ body: SecretBytes) throws(ClientError) -> Frame {
        let frame = try read { () throws(Refusal) in try Frame(body) }
        guard frame.kind == .refused else { return frame }
        let refusal = try read { () throws(Refusal) in try frame.word(Refusal.self) }
        throw fail(ClientError(.refused(refusal), Advice.refused(refusal)))
    }

    /// Reads what the daemon said; what isn't understood ends the connection.
    func read<Value>(_ body: () throws(Refusal) -> Value) throws(ClientError) -> Value {
        do {
            return try body()
        } catch {
            throw fail(ClientError(.protocolBroken, Advice.protocolBroken))
        }
    }

    private func deliver(_ frame: Frame) {
        let handler: Handler? = lock.withLock {
            switch pending[frame.call] {
            case .waiter(let waiter):
                waiter.inbox.append(frame)
                waiter.condition.signal()
                return nil
            case .handler(let handler): return handler
            // An answer that crossed with its call being taken back.
            case nil: return nil
            }
        }
        if let handler, handler(.success(frame)) == .finished { forget(frame.call) }
    }

    /// Wakes a thread to take the reader's role; false if none waits. Under `lock`.
    private func wakeReader() -> Bool {
        for case .waiter(let waiter) in pending.values where waiter.isWaiting && waiter.inbox.isEmpty {
            waiter.condition.signal()
            return true
        }
        return false
    }

    /// Gives the reader's role to another waiting thread, or to the loop, or to nobody.
    private func passOn(asReader wasReader: Bool) {
        let needsLoop = lock.withLock {
            if wasReader { hasReader = false }
            if hasReader { return false }
            return !wakeReader() && handlers > 0 && failure == nil
        }
        if needsLoop { watchOnLoop() }
    }

    /// Ends the connection: every call that waits learns why.
    @discardableResult
    private func fail(_ error: ClientError) -> ClientError {
        let (first, orphans): (ClientError, [Handler]) = lock.withLock {
            if let failure { return (failure, []) }
            failure = error
            var orphans: [Handler] = []
            for entry in pending.values {
                switch entry {
                case .waiter(let waiter): waiter.condition.signal()
                case .handler(let handler): orphans.append(handler)
                }
            }
            return (error, orphans)
        }
        for handler in orphans { _ = handler(.failure(first)) }
        if !orphans.isEmpty { EventLoop.shared.post { self.stopWatching() } }
        return first
    }

    // MARK: The loop as reader

    private func watchOnLoop() {
        EventLoop.shared.post {
            if self.lock.withLock({ self.failure != nil || self.handlers == 0 }) { return }
            if let watch = self.watch {
                watch.change(to: .readable)
            } else {
                // The watch keeps the connection alive while evaluations are pending on it, and no longer.
                self.watch = Watch(self.fd, .readable) { _ in self.readOnLoop() }
            }
            // What a caller read beyond its own answer, the descriptor doesn't tell of.
            self.readOnLoop()
        }
    }

    @OnLoop private func readOnLoop() {
        let mine = lock.withLock {
            if hasReader { return false }
            hasReader = true
            return true
        }
        // A blocked caller reads; it calls the loop back when it leaves.
        guard mine else {
            stopWatching()
            return
        }
        defer {
            passOnFromLoop()
        }
        while true {
            switch frames.read(from: fd, waiting: false) {
            case .frame(let body):
                // What isn't understood has ended the connection, and everybody who waits knows.
                guard let frame = try? understand(body) else { return }
                deliver(frame)
            case .later: return
            case .closed, .failed:
                fail(ClientError(.connectionLost, Advice.connectionLost))
                return
            case .badLength:
                fail(ClientError(.protocolBroken, Advice.protocolBroken))
                return
            case .noRoom:
                fail(ClientError(.refused(.tooLarge), Advice.noLockedMemory))
                return
            }
        }
    }

    @OnLoop private func passOnFromLoop() {
        let keepWatching = lock.withLock {
            hasReader = false
            return !wakeReader() && handlers > 0 && failure == nil
        }
        if !keepWatching { stopWatching() }
    }

    @OnLoop private func stopWatching() {
        watch?.remove()
        watch = nil
    }
}
