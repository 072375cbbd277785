import CThumbLinux
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// One connection to a daemon, shared by every thread of the process.
///
/// A blocking call writes and reads on its caller's own thread. The first waiting thread reads for all the others (it is the *reader*) and
/// passes the role on when its own answer has come. The loop takes the role only while nobody blocks and an evaluation is pending.
final class DeviceConnection: @unchecked Sendable {
    // @unchecked: everything mutable is touched under `lock`, except `frames`, which belongs to whoever is the reader.
    typealias Handler = @Sendable (Result<Frame, ClientError>) -> Progress

    enum Progress { case more, finished }

    private final class Waiter {
        let condition: Condition
        var inbox: [Frame] = []
        /// Only a waiting thread can be woken to read. A thread that is about to wait or to return would not notice that it got the role.
        var isWaiting = false

        init(_ lock: Lock) { condition = Condition(lock: lock) }
    }

    private enum Pending {
        case waiter(Waiter)
        case handler(Handler)
    }

    /// How long a caller polls for its answer before it sleeps. Most answers arrive sooner than a sleeping core wakes up.
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
    // If no memory can be locked for a stage, each frame takes two reads.
    private var frames = FrameReader(
        least: WireLimit.headBytes, limit: WireLimit.frame, stage: try? SecretStage(capacity: FrameReader.stageBytes))
    private var watch: Watch?
    /// How to look for a daemon that says nothing; nil if it may take its time.
    private let look: DaemonLook?
    /// Whether a daemon that says nothing for a while is given up without a look.
    private let hasPatience: Bool
    private let loopLook = LoopLook()
    private var isWelcomed = false

    /// - Parameters:
    ///   - socket: where the daemon takes other connections; nil if that isn't known.
    ///   - patience: how many seconds it may say nothing; nil if it may take its time.
    init(_ fd: Int32, socket: String? = nil, patience: Double? = nil) {
        self.fd = fd
        look = patience == nil ? DaemonLook(fd, socket: socket) : nil
        hasPatience = patience != nil
        guard let patience else { return }
        // Whoever reads or writes comes back after that time, and gives up.
        UnixSocket.limitReading(fd, seconds: patience)
        UnixSocket.limitWriting(fd, seconds: patience)
    }

    deinit { UnixSocket.close(fd) }

    /// Whether calls can still be made; not after a failure, nor in a child of the process that connected.
    var isUsable: Bool { lock.withLock { failure == nil } && process == getpid() }

    /// The daemon has welcomed this connection.
    func welcome() {
        lock.withLock { isWelcomed = true }
        look?.welcomed()
        Silence.note(nil)
    }

    // MARK: Calls

    /// Makes a call and blocks until `handle` has returned something for one of the frames that answer it.
    func call<Value>(_ word: some Word, _ handle: (Frame) throws(ClientError) -> Value?) throws(ClientError) -> Value {
        let waiter = Waiter(lock)
        let number = try register(.waiter(waiter))
        var isReader = false
        // The call is forgotten first. Otherwise it might be given the role although it has just ended, and nobody would read. A call may
        // also get the role while it returns, so it passes the role on even if it doesn't know that it has it.
        defer {
            forget(number)
            passOn(asReader: isReader)
        }
        let wasSent = try write(word, number)
        while true {
            let answer: Frame
            do {
                if isReader {
                    guard let read = try readAsReader(for: number) else { continue }
                    answer = read
                } else {
                    switch try waitForAnswerOrRole(waiter) {
                    case .answer(let arrived): answer = arrived
                    case .role:
                        isReader = true
                        continue
                    }
                }
            } catch {
                // Even if writing failed, what the daemon said before it closed is read, for example why it refuses us.
                throw wasSent ? error : error.unsent
            }
            if let value = try handle(answer) { return value }
        }
    }

    /// Makes a call whose answers come to `handler`, on the loop or on the thread that happens to be reading.
    func start(_ word: some Word, _ handler: @escaping Handler) throws(ClientError) {
        let number = try register(.handler(handler))
        let wasSent: Bool
        do {
            wasSent = try write(word, number)
        } catch {
            // When the connection failed, it told the handler.
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

    /// Sends a word that has no answer of its own.
    func tell(_ word: some Word, call: UInt32) throws(ClientError) {
        guard try write(word, call) else { throw fail(ClientError(.connectionLost, Advice.connectionLost)) }
    }

    private func register(_ entry: Pending) throws(ClientError) -> UInt32 {
        try lock.withLock { () throws(ClientError) in
            // It was lost before this call was made.
            if let failure { throw failure.unsent }
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

    /// Returns whether everything was sent. If not, nothing was sent, or the connection has failed.
    private func write(_ word: some Word, _ number: UInt32) throws(ClientError) -> Bool {
        let encoded = word.frame(call: number)
        guard encoded.count - 4 <= WireLimit.frame else { throw ClientError(.refused(.tooLarge), Advice.refused(.tooLarge)) }
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        let outcome = try writing.withLock { () throws(ClientError) in
            while true {
                let outcome = frame.send(to: fd, waiting: true)
                guard outcome == .later else { return outcome }
                // Only a connection with patience, or one that looks for its daemon, comes back before all is sent.
                if let problem = problem() { throw fail(problem) }
            }
        }
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

    /// Reads one frame as the reader; nil if the frame was for another call, or if none has come.
    private func readAsReader(for number: UInt32) throws(ClientError) -> Frame? {
        switch readSoon() {
        case .frame(let body):
            let frame = try understand(body)
            if frame.call == number { return frame }
            deliver(frame)
            return nil
        case .later:
            // Only a connection with patience, or one that looks for its daemon, comes back without anything.
            if let problem = problem() { throw fail(problem) }
            return nil
        case .closed, .failed: throw fail(ClientError(.connectionLost, Advice.connectionLost))
        case .badLength: throw fail(ClientError(.protocolBroken, Advice.protocolBroken))
        case .noRoom: throw fail(ClientError(.refused(.tooLarge), Advice.noLockedMemory))
        }
    }

    /// Reads the next frame. It polls for a moment, yielding the core to anyone who wants it, and then sleeps.
    private func readSoon() -> FrameReader.Outcome {
        let end = EventLoop.now + Self.secondsAwake
        repeat {
            let outcome = frames.read(from: fd, waiting: false)
            guard case .later = outcome else { return outcome }
            sched_yield()
        } while EventLoop.now < end
        return frames.read(from: fd, waiting: true)
    }

    /// A refusal ends the connection, whichever call it came for.
    private func understand(_ body: SecretBytes) throws(ClientError) -> Frame {
        let frame = try read { () throws(Refusal) in try Frame(body) }
        guard frame.kind == .refused else { return frame }
        let refusal = try read { () throws(Refusal) in try frame.word(Refusal.self) }
        throw fail(ClientError(.refused(refusal), Advice.refused(refusal)))
    }

    /// Decodes what the daemon said. Anything that can't be decoded ends the connection.
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
            // The call was taken back while its answer was on the way.
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

    /// Why the daemon should be given up, after a while in which it said nothing; nil if it is there, or if it may take its time.
    func problem() -> ClientError? {
        if hasPatience { return ClientError(.silent(isStopped: false), Advice.silent(nil, isRoots: Finding.isSystemMode)) }
        return look?.problem(isWelcomed: lock.withLock { isWelcomed })
    }

    /// Whether it was given up because the daemon said nothing.
    var endedInSilence: Bool {
        if case .silent? = lock.withLock({ failure })?.code { true } else { false }
    }

    /// Whether this connection looks for its daemon, and the loop waits for an answer.
    var looksOnLoop: Bool { look != nil && lock.withLock { failure == nil && handlers > 0 } }

    /// Ends the connection and tells every waiting call why.
    @discardableResult
    func fail(_ error: ClientError) -> ClientError {
        let (first, orphans): (ClientError, [Handler]) = lock.withLock {
            if let failure { return (failure, []) }
            failure = error
            if case .silent = error.code { Silence.note(error) }
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
                // The watch keeps the connection alive exactly as long as evaluations are pending on it.
                self.watch = Watch(self.fd, .readable) { _ in self.readOnLoop() }
            }
            // A caller may have read past its own answer; the descriptor doesn't report those bytes as readable.
            self.readOnLoop()
            self.loopLook.later(for: self)
        }
    }

    @OnLoop private func readOnLoop() {
        let mine = lock.withLock {
            if hasReader { return false }
            hasReader = true
            return true
        }
        // A blocked caller reads. It calls the loop back when it leaves.
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
                // A frame that can't be understood has ended the connection, and every waiting call has been told.
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
