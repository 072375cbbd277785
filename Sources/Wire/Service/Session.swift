import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbIdentities
import ThumbLoop
import ThumbPeers
import ThumbProtectedPrograms
import ThumbSecrets

/// One peer's connection: its frames in both directions, its role, its contexts.
@OnLoop final class Session {
    enum Role {
        case unknown
        case app(App)
        case prompt((PromptWord) -> Void)
        case agent(any PromptSource)
        case login(LoginCalls)
        case polkit(PolkitCalls)
    }

    let peer: UnixSocket.Peer
    unowned let service: Service
    let fd: Int32
    /// What another process found out about the peer; nil if it is found out here.
    let arrived: PeerArrived?
    /// What came with it, for the digests.
    var contents: PeerContents?
    private var role = Role.unknown
    private var frames: FrameReader
    private var outgoing: [OutgoingFrame] = []
    private var unread = 0
    /// Calls that wait until the peer has read most of what was sent.
    private var readers: [CheckedContinuation<Void, Never>] = []
    private var watch: Watch?
    private var pauses: Pauses = []
    private var helloTimer: LoopTimer?
    private var frameTime = FrameTime()
    private var framesRead = 0
    /// Whether the incomplete frame has taken some of the process's room for frames.
    private var hasTakenRoom = false
    /// Before its hello a peer counts as a visitor, then as its user's.
    private var meter: Meter
    private(set) var isClosed = false

    /// Why nothing is read from the peer just now. What it sends meanwhile stays in its socket.
    struct Pauses: OptionSet {
        let rawValue: UInt8
        /// It has much to read itself.
        static let unread = Pauses(rawValue: 1)
        /// There is no room for the rest of its frame.
        static let room = Pauses(rawValue: 2)
        /// Its call waits for the sensor, so its next calls have to wait too.
        static let sensor = Pauses(rawValue: 4)
        /// Those that the peer can't end.
        static let ours: Pauses = [.room, .sensor]
    }

    init(_ fd: Int32, _ peer: UnixSocket.Peer, _ arrived: PeerArrived?, _ contents: PeerContents?, _ service: Service) {
        self.fd = fd
        self.arrived = arrived
        self.contents = contents
        self.peer = peer
        self.service = service
        meter = service.visitors
        frames = FrameReader(
            least: WireLimit.headBytes, limit: WireLimit.frameBeforeWelcome, stage: service.stage, arena: meter.arena)
        // A connection speaks for the process that made it, not for a process that it was passed on to.
        frames.onlySender = peer.pid
    }

    func open() {
        watch = Watch(fd, .readable) { [weak self] ready in self?.ready(ready) }
        helloTimer = EventLoop.shared.after(service.secondsForHello) { [weak self] in self?.helloIsDue() }
    }

    /// Whether it has not said hello yet.
    var isSilent: Bool { if case .unknown = role { true } else { false } }

    private func helloIsDue() {
        // If the loop was busy, the hello may have come without anybody looking.
        if isSilent, !isClosed, hasSomething { receive() }
        if isSilent { close() }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        helloTimer?.cancel()
        frameTime.stop()
        wakeReaders()
        outgoing = []
        watch?.remove()
        watch = nil
        UnixSocket.close(fd)
        switch role {
        case .unknown: break
        case .app(let app): app.end()
        case .prompt(let hear): hear(.gone)
        case .agent(let prompts): prompts.unregister(self)
        case .login(let calls): calls.end()
        case .polkit(let calls): calls.end()
        }
        meter.leave(self)
        service.ended(self)
    }

    // MARK: In

    private func ready(_ ready: Readiness) {
        if ready.contains(.writable) { flush() }
        if isClosed { return }
        guard pauses.isEmpty else {
            // Nobody is there any more to read our answers.
            if ready.contains(.hungUp) { close() }
            return
        }
        if frames.hasAhead || !ready.isDisjoint(with: [.readable, .hungUp]) { receive() }
    }

    /// Whether something has come that wasn't looked at yet.
    var hasSomething: Bool { frames.hasAhead || UnixSocket.isReadable(fd) }

    /// Takes one frame, or the part of it that is there. One frame in each turn of the loop: its call has begun before the next frame is
    /// looked at.
    private func receive() {
        let meter = meter
        var isRefused = false
        let outcome = frames.read(from: fd, waiting: false) { bytes in
            hasTakenRoom = true
            isRefused = !meter.mayTake(bytes, self)
            return !isRefused
        }
        switch outcome {
        case .frame(let body):
            frameEnded()
            understand(body)
        case .later:
            if isRefused { return pause(.room) }
            if frames.isWithinFrame { limitFrame(meter.limits.secondsForFrame) }
        case .closed, .failed: close()
        case .badLength: refuse(.tooLarge, call: 0)
        case .noRoom: refuse(.noRoom, call: 0)
        }
        if frames.hasAhead, pauses.isEmpty { watch?.turnAgain() }
    }

    private func frameEnded() {
        framesRead += 1
        frameTime.stop()
        guard hasTakenRoom else { return }
        hasTakenRoom = false
        meter.frameEnded(of: self)
    }

    private func limitFrame(_ seconds: Double) {
        frameTime.run(seconds) { [weak self] late in self?.frameIsDue(late) }
    }

    /// A frame's time is over, because a peer that sends so slowly holds memory for nothing. It is over too for a peer that doesn't read
    /// what it was sent, and of which nothing is read for that. If the loop itself was late, the peer gets that time back.
    private func frameIsDue(_ late: Double) {
        frameTime.stop()
        let number = framesRead
        if pauses.isEmpty, hasSomething { receive() }
        guard !isClosed, pauses.isDisjoint(with: .ours), framesRead == number else { return }
        frameTime.stop()
        if late < FrameTime.secondsLate { close() } else { limitFrame(late) }
    }

    func pause(_ reason: Pauses) {
        pauses.insert(reason)
        if reason.isSubset(of: .ours) { frameTime.stop() }
        changeInterest()
    }

    func resume(_ reason: Pauses) {
        guard pauses.remove(reason) != nil, !isClosed else { return }
        // What the peer waited for us doesn't count.
        if frames.isWithinFrame { limitFrame(meter.limits.secondsForFrame) }
        goOn()
    }

    /// Reads again if nothing else prevents it. The descriptor doesn't report what was read ahead.
    private func goOn() {
        changeInterest()
        if frames.hasAhead, pauses.isEmpty { watch?.turnAgain() }
    }

    private func changeInterest() {
        var interest: Readiness = pauses.isEmpty ? .readable : []
        if !outgoing.isEmpty { interest.insert(.writable) }
        watch?.change(to: interest)
    }

    private func understand(_ body: SecretBytes) {
        do throws(Refusal) {
            try take(try Frame(body))
        } catch {
            refuse(error, call: 0)
        }
    }

    private func take(_ frame: Frame) throws(Refusal) {
        switch role {
        case .unknown:
            guard frame.kind == .hello else { throw .helloExpected }
            try greet(try frame.word(), frame.call)
        case .app(let app): try app.take(frame)
        case .login(let calls): try calls.take(try FromLogin(frame), frame.call)
        case .polkit(let calls): try calls.take(try FromPolkitAgent(frame), frame.call)
        case .prompt(let hear):
            switch try FromPrompt(frame) {
            case .shown: hear(.shown)
            case .here(let said): hear(.here(acts: said.acts))
            case .typed(let said): hear(.typed(said.passcode))
            case .cancelled: hear(.cancelled)
            case .fallback: hear(.fallback)
            case .dismissProgram: hear(.dismissProgram)
            }
        case .agent(let prompts):
            switch try FromAgent(frame) {
            case .promptUnavailable(let said): prompts.decline(ticket: said.ticket, by: self)
            }
        }
    }

    private func greet(_ hello: Hello, _ call: UInt32) throws(Refusal) {
        guard (hello.lowestVersion...hello.highestVersion).contains(WireLimit.version) else { throw .versionNotSpoken }
        let device = try service.device.get()
        meter.leave(self)
        meter = device.meter
        do throws(SecretError) { try frames.move(to: meter.arena) } catch { throw .noRoom }
        guard let role = try role(of: hello, on: device) else { return close() }
        self.role = role
        switch role {
        case .app: frames.limit = WireLimit.frame
        case .polkit: frames.limit = WireLimit.polkitFrame
        case .agent: service.agentsChanged()
        case .login, .prompt, .unknown: break
        }
        send(Welcome(mode: device.parts.mode), call)
        // If the peer went away during its welcome, it will never answer; closing has reported that.
        if case .prompt(let hear) = role, !isClosed { hear(.welcomed) }
        helloTimer?.cancel()
    }

    // MARK: Out

    func send(_ word: some Word, _ call: UInt32) {
        if isClosed { return }
        let encoded = word.frame(call: call)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        if outgoing.isEmpty {
            switch frame.send(to: fd, waiting: false) {
            case .sent: return
            case .later: break
            // A login doesn't always wait for its answers. What it said before it left counts, and its end is read behind that.
            case .failed where arrived == .login: return
            case .failed: return close()
            }
        }
        keep(frame)
    }

    /// Keeps what the peer hasn't read yet, within a limit: a peer that asks and never reads would make us keep its answers for ever.
    private func keep(_ frame: OutgoingFrame) {
        unread += frame.remaining
        meter.isBehind(self, by: frame.remaining)
        // It was closed for having too much unread, so nobody will read this answer.
        if isClosed { return }
        do {
            outgoing.append(try frame.moved(to: meter.arena))
        } catch {
            return close()
        }
        if unread > meter.limits.muchUnread { pauses.insert(.unread) }
        changeInterest()
    }

    private func flush() {
        let before = unread
        var isSent = true
        while isSent, var frame = outgoing.first {
            let remaining = frame.remaining
            let outcome = frame.send(to: fd, waiting: false)
            unread -= remaining - frame.remaining
            switch outcome {
            case .sent: outgoing.removeFirst()
            case .later:
                outgoing[0] = frame
                isSent = false
            case .failed: return close()
            }
        }
        meter.hasRead(self, before - unread)
        if unread <= meter.limits.muchUnread / 4 {
            pauses.remove(.unread)
            wakeReaders()
        }
        if !isClosed { goOn() }
    }

    /// Whether the peer has much to read. What can wait then waits until it has read some.
    var hasMuchUnread: Bool { unread > meter.limits.muchUnread }

    /// Waits until the peer has read most of it, or is gone.
    func isRead() async {
        if isClosed || outgoing.isEmpty { return }
        await withCheckedContinuation { readers.append($0) }
    }

    private func wakeReaders() {
        let waiting = readers
        readers = []
        for reader in waiting { reader.resume() }
    }

    /// Says why, then closes.
    func refuse(_ refusal: Refusal, call: UInt32) {
        send(refusal, call)
        close()
    }
}

extension Session: @OnLoop PromptAgent {
    var isAgent: Bool { if case .agent = role { true } else { false } }

    func want(ticket: [UInt8]) { send(PromptWanted(ticket: ticket), 0) }
}

extension Session: @OnLoop PromptScreen {
    func wait(behind programs: Int) { send(WaitBehind(programs: UInt16(clamping: programs)), 0) }
    func show(_ content: PromptContent) { send(content, 0) }
    func dismiss(_ ending: PromptEnding) {
        send(ending, 0)
        // Its process may have been stopped by whoever started it, and holds a place that other logins need.
        if arrived == .login { close() }
    }
}

extension Session: @OnLoop MeteredPeer {
    func roomIsFree() { resume(.room) }
    func readsTooLittle() { close() }
}
