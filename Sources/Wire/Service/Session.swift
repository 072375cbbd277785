internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbLoop
internal import ThumbProtectedPrograms
internal import ThumbSecrets

/// One peer's connection: its frames in and out, its role, its contexts.
@OnLoop final class Session {
    private enum Role {
        case unknown
        case app(AppCalls)
        case prompt((PromptWord) -> Void)
        case agent(any PromptSource)
        case login(LoginCalls)
    }

    let peer: UnixSocket.Peer
    private unowned let service: Service
    private let fd: Int32
    private var role = Role.unknown
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frameBeforeWelcome)
    private var outgoing: [OutgoingFrame] = []
    private var unread = 0
    /// Who waits until the peer has read most of what it has.
    private var readers: [() -> Void] = []
    private var watch: Watch?
    private var pauses: Pauses = []
    private var helloTimer: LoopTimer?
    private var frameTime = FrameTime()
    private var framesRead = 0
    /// Something of the process's room for frames is taken by the one that is coming.
    private var hasTakenRoom = false
    /// Before its hello a peer is a visitor; then it is its user's.
    private var meter: Meter
    private(set) var isClosed = false

    /// Why nothing is read from the peer just now. What it sends meanwhile waits in its own socket.
    struct Pauses: OptionSet {
        let rawValue: UInt8
        /// It has much to read itself.
        static let unread = Pauses(rawValue: 1)
        /// There is no room for the rest of its frame.
        static let room = Pauses(rawValue: 2)
        /// What it asked waits for the sensor, and what it asks next waits behind.
        static let sensor = Pauses(rawValue: 4)
    }

    init(_ fd: Int32, _ peer: UnixSocket.Peer, _ service: Service) {
        self.fd = fd
        self.peer = peer
        self.service = service
        meter = service.visitors
        frames.arena = meter.arena
        // A connection speaks for the process that made it, not for whom it is passed on to.
        frames.onlySender = peer.pid
    }

    func open() {
        watch = Watch(fd, .readable) { [weak self] ready in self?.ready(ready) }
        helloTimer = EventLoop.shared.after(service.secondsForHello) { [weak self] in self?.helloIsDue() }
    }

    /// Whether it has not said hello yet.
    var isSilent: Bool { if case .unknown = role { true } else { false } }

    private func helloIsDue() {
        // Where the loop was busy it may be there, and nobody has looked.
        if isSilent, !isClosed, UnixSocket.isReadable(fd) { receive() }
        if isSilent { close() }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        helloTimer?.cancel()
        frameTime.stop()
        readers = []
        outgoing = []
        watch?.remove()
        watch = nil
        UnixSocket.close(fd)
        switch role {
        case .unknown: break
        case .app(let calls): calls.end()
        case .prompt(let hear): hear(.gone)
        case .agent(let prompts): prompts.unregister(self)
        case .login: break
        }
        meter.leave(self)
        service.ended(self)
    }

    // MARK: In

    private func ready(_ ready: Readiness) {
        if ready.contains(.writable) { flush() }
        if isClosed { return }
        guard pauses.isEmpty else {
            // Nobody is there any more to read anything.
            if ready.contains(.hungUp) { close() }
            return
        }
        if !ready.isDisjoint(with: [.readable, .hungUp]) { receive() }
    }

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

    /// A frame's time is over: whoever sends so slowly holds memory for nothing. Where the loop was late itself, the peer gets that time.
    private func frameIsDue(_ late: Double) {
        frameTime.stop()
        let number = framesRead
        if pauses.isEmpty, UnixSocket.isReadable(fd) { receive() }
        guard !isClosed, pauses.isEmpty, framesRead == number else { return }
        frameTime.stop()
        if late < FrameTime.secondsLate { close() } else { limitFrame(late) }
    }

    func pause(_ reason: Pauses) {
        pauses.insert(reason)
        if reason == .room { frameTime.stop() }
        changeInterest()
    }

    func resume(_ reason: Pauses) {
        guard pauses.remove(reason) != nil, !isClosed else { return }
        if reason == .room { limitFrame(meter.limits.secondsForFrame) }
        changeInterest()
    }

    private func changeInterest() {
        var interest: Readiness = pauses.isEmpty ? .readable : []
        if !outgoing.isEmpty { interest.insert(.writable) }
        watch?.change(to: interest)
    }

    private func understand(_ body: SecretBytes) {
        do throws(Refusal) {
            let (call, request) = try Request.read(body)
            try answer(request, call, body.count)
        } catch {
            refuse(error, call: 0)
        }
    }

    private func answer(_ request: Request, _ call: UInt32, _ bytes: Int) throws(Refusal) {
        switch role {
        case .unknown:
            guard case .hello(let hello) = request else { throw .helloExpected }
            try greet(hello, call)
        case .app(let calls): try calls.take(request, call, bytes)
        case .login(let calls): try calls.take(request, call)
        case .prompt(let hear):
            switch request {
            case .shown: hear(.shown)
            case .here(let acts): hear(.here(acts: acts))
            case .typed(let passcode): hear(.typed(passcode))
            case .cancelled: hear(.cancelled)
            case .fallback: hear(.fallback)
            case .dismissProgram: hear(.dismissProgram)
            case .hello, .echo, .status, .capability, .evaluate, .invalidate, .release, .promptUnavailable, .setCredential,
                .isCredentialSet, .watchEnvironment, .add, .find, .update, .remove, .setPasscode, .removePasscode,
                .makeRecoveryCode, .recover, .useAccountPassword, .offerPasscode, .listApps, .judgeApp, .readAudit, .verifyAudit,
                .listFingers, .enroll, .forgetFinger,
                .makeKey, .keepKey, .readKey,
                .useKey, .signStatement, .allow, .beginExport, .exportChunk, .beginImport, .importChunk:
                throw .notAllowedInThisRole
            }
        case .agent(let prompts):
            guard case .promptUnavailable(let ticket) = request else { throw .notAllowedInThisRole }
            prompts.decline(ticket: ticket, by: self)
        }
    }

    private func greet(_ hello: Hello, _ call: UInt32) throws(Refusal) {
        guard (hello.lowestVersion...hello.highestVersion).contains(WireLimit.version) else { throw .versionNotSpoken }
        if hello.role == .login {
            guard peer.uid == 0 else { throw .notAllowedInThisRole }
            role = .login(LoginCalls(self, service))
            helloTimer?.cancel()
            return send(.welcome(version: WireLimit.version, mode: service.devices.mode), call)
        }
        let device = try service.devices.device(of: peer.uid).get()
        meter.leave(self)
        meter = device.meter
        frames.arena = meter.arena
        switch hello.role {
        case .app:
            let caller = Callers.caller(
                peer, on: fd, label: hello.label, faceUsage: hello.faceUsage, groups: service.callerGroups,
                protected: service.protected.program(of: peer.gid), place: device.parts.place)
            guard let caller else { return close() }
            role = .app(AppCalls(self, device, service.population, caller))
            frames.limit = WireLimit.frame
            send(.welcome(version: WireLimit.version, mode: device.parts.mode), call)
        case .login: break
        case .prompt:
            guard vouches(on: device) else { throw .notAllowedInThisRole }
            guard let ticket = hello.ticket else { throw .ticketNotGood }
            let seat = device.parts.seat
            let spot = hello.surface.map { seat.spot(of: peer.pid, uid: peer.uid, on: $0) } ?? .elsewhere
            guard let hear = device.parts.prompts.attach(self, ticket: ticket, uid: peer.uid, at: spot) else {
                throw .ticketNotGood
            }
            role = .prompt(hear)
            send(.welcome(version: WireLimit.version, mode: device.parts.mode), call)
            // Gone already, while it was welcomed: nobody will ever answer there; closing has said so.
            if !isClosed { hear(.welcomed) }
        case .agent:
            // Only where its user sits at this machine, and there only one: else it would hear who is asked elsewhere.
            guard vouches(on: device), let session = device.parts.place(peer.uid, peer.pid).windowSession,
                device.parts.prompts.register(self, uid: peer.uid, session: session)
            else { throw .notAllowedInThisRole }
            role = .agent(device.parts.prompts)
            service.agentsChanged()
            send(.welcome(version: WireLimit.version, mode: device.parts.mode), call)
        }
        helloTimer?.cancel()
    }

    /// Whether this may show prompts. Where the system's daemon serves, only what root installed for it: a program of the user's would
    /// show one thing and have the owner touch the sensor for another.
    private func vouches(on device: Device) -> Bool {
        device.parts.mode != .system || peer.uid == 0 || service.protected.program(of: peer.gid)?.showsPrompts == true
    }

    // MARK: Out

    func send(_ answer: Answer, _ call: UInt32) {
        if isClosed { return }
        let encoded = answer.frame(call: call)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        if outgoing.isEmpty {
            switch frame.send(to: fd, waiting: false) {
            case .sent: return
            case .later: break
            case .failed: return close()
            }
        }
        keep(frame)
    }

    /// Keeps what the peer doesn't read yet. A peer that asks and doesn't read would have us keep its answers for ever.
    private func keep(_ frame: OutgoingFrame) {
        unread += frame.remaining
        meter.isBehind(self, by: frame.remaining)
        // Closed over it, or told that it was: then its own answers are nobody's.
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
            let waiting = readers
            readers = []
            for reader in waiting { reader() }
        }
        if !isClosed { changeInterest() }
    }

    /// Whether the peer has much to read: what can wait until it has read some does.
    var hasMuchUnread: Bool { unread > meter.limits.muchUnread }

    /// Calls back when most of it is read; never, if the peer goes before.
    func whenRead(_ body: @escaping () -> Void) {
        if isClosed { return }
        if outgoing.isEmpty { return body() }
        readers.append(body)
    }

    /// Says why, then closes.
    func refuse(_ refusal: Refusal, call: UInt32) {
        send(.refused(refusal), call)
        close()
    }
}

extension Session: @OnLoop PromptAgent {
    var isAgent: Bool { if case .agent = role { true } else { false } }

    func want(ticket: [UInt8]) { send(.promptWanted(ticket: ticket), 0) }
}

extension Session: @OnLoop PromptScreen {
    func wait(behind programs: Int) { send(.wait(programs: UInt16(clamping: programs)), 0) }
    func show(_ content: PromptContent) { send(.show(content), 0) }
    func dismiss(_ ending: PromptEnding) { send(.dismiss(ending), 0) }
}

extension Session: @OnLoop MeteredPeer {
    func roomIsFree() { resume(.room) }
    func readsTooLittle() { close() }
}
