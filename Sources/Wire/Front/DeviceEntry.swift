import ThumbConversation
import ThumbInside
import ThumbLoop
import ThumbMetering
import ThumbPeers
import ThumbSensors

/// One user's device, as the front knows it: its line, and the clients that wait for it.
@OnLoop final class DeviceEntry {
    let uid: UInt32
    private let places: any ProcessPlaces
    private let idleSeconds: Double
    /// The clock of the paces.
    private let now: () -> Double
    /// Makes the two ends of a line.
    private let pair: () -> Result<(Int32, Int32), Errno>
    private let log: (String) -> Void
    /// Called once, when this entry is of no more use.
    private let ended: () -> Void

    private var line: PacketLine?
    private var wants: PacketLine?
    private var paces: [Want.Server: Pace] = [:]
    private var linePace = Pace(FrontLimit.linesAtOnce, pause: FrontLimit.secondsToNextLine)
    private var machine: (any MachineWatch)?
    /// Clients that the device can't take yet, because it isn't there or is busy.
    private var waiting: [Waiting] = []
    private var startTimer: LoopTimer?
    private var lineTimer: LoopTimer?
    private var idleTimer: LoopTimer?
    /// Ends a device whose store didn't open, so that opening is tried again, however many clients ask meanwhile.
    private var refusalTimer: LoopTimer?
    /// How many clients the device was given.
    private var given: UInt64 = 0
    private var sleepers: [UInt32: () -> Void] = [:]
    private var lastCall: UInt32 = 0
    /// Whether nobody uses the device.
    private(set) var isUnused = false
    private var isOver = false

    init(
        _ uid: UInt32, _ places: any ProcessPlaces, idleSeconds: Double, now: @escaping () -> Double = { EventLoop.now },
        pair: @escaping () -> Result<(Int32, Int32), Errno> = PacketSocket.pair, log: @escaping (String) -> Void,
        ended: @escaping () -> Void
    ) {
        self.uid = uid
        self.places = places
        self.idleSeconds = idleSeconds
        self.now = now
        self.pair = pair
        self.log = log
        self.ended = ended
    }

    /// Starts the device and connects to it.
    func begin() {
        startTimer = EventLoop.shared.after(FrontLimit.secondsToStart) { [weak self] in self?.fail("it didn't start in time") }
        places.device(of: uid) { [weak self] descriptor in
            guard let self, !self.isOver else {
                if let descriptor { UnixSocket.close(descriptor) }
                return
            }
            guard let descriptor else { return self.fail("it can't be started") }
            self.connected(descriptor)
        }
    }

    private func connected(_ descriptor: Int32) {
        startTimer?.cancel()
        line = PacketLine(descriptor) { [weak self] (frame, passed) throws(Refusal) in
            try self?.hear(frame, passed)
        } ended: { [weak self] in
            self?.end()
        }
        guard giveWantsLine() else { return fail("it can't be given a line") }
        line?.onRoom = { [weak self] in self?.passOn() }
        watchMachine()
        passOn()
    }

    private func giveWantsLine() -> Bool {
        guard case .success(let (ours, theirs)) = pair() else { return false }
        let wants = PacketLine(ours) { [weak self] (frame, passed) throws(Refusal) in
            if let passed { UnixSocket.close(passed) }
            switch try FromWantsLine(frame) {
            case .want(let want): self?.give(want.server, frame.call)
            }
        } ended: { [weak self] in
            self?.wantsEnded()
        }
        self.wants = wants
        return line?.hand(theirs, WantsLineGiven()) ?? false
    }

    /// If the device closed its wants line because an answer took too long, it gets a new one: now, or once its pace and
    /// this process's descriptors allow.
    private func wantsEnded() {
        wants = nil
        guard !isOver, line != nil else { return }
        // A line that can't be handed over ends at once, and comes back here. One that can't even be made doesn't.
        if linePace.take(at: now()), giveWantsLine() || wants != nil { return }
        lineTimer = EventLoop.shared.after(FrontLimit.secondsToNextLine) { [weak self] in self?.wantsEnded() }
    }

    /// Connects to a server and tells it which user it serves, before the device gets the connection.
    private func give(_ server: Want.Server, _ call: UInt32) {
        guard paces[server, default: Pace(FrontLimit.wantsAtOnce, pause: FrontLimit.secondsToNextWant)].take(at: now())
        else {
            return deny(call)
        }
        guard let connection = places.connection(to: server) else { return deny(call) }
        var frame = OutgoingFrame(plain: Serve(uid: uid).frame(call: 0).plain, secrets: [])
        guard frame.send(to: connection, waiting: false) == .sent else {
            UnixSocket.close(connection)
            return deny(call)
        }
        if wants?.hand(connection, Given(isThere: true), call: call) != true { deny(call) }
    }

    private func deny(_ call: UInt32) { wants?.say(Given(isThere: false), call: call) }

    // MARK: Clients

    /// A client that waits for the device.
    private struct Waiting {
        let descriptor: Int32
        let word: PeerArrived
        /// What goes before the client.
        let contents: PeerContents?
        let process: Int32
        /// Whether the device has some of the contents already, so that this client has to be the next one.
        var isBegun = false
    }

    /// Passes a client on, now or once the device can take it. The entry owns the descriptor from here on.
    func take(_ descriptor: Int32, _ word: PeerArrived, _ contents: PeerContents? = nil) {
        idleTimer?.cancel()
        isUnused = false
        let process = UnixSocket.peer(of: descriptor)?.pid ?? 0
        waiting.append(Waiting(descriptor: descriptor, word: word, contents: contents, process: process))
        passOn()
        if waiting.count > FrontLimit.waiting { shed() }
    }

    /// Passes clients on for as long as the device takes them.
    private func passOn() {
        while let line, !waiting.isEmpty {
            var client = waiting.removeFirst()
            while let (part, descriptor) = client.contents?.next() {
                switch line.offer(descriptor, PeerContentsGiven(part)) {
                case .taken: client.isBegun = true
                case .noRoom:
                    client.contents?.put(part, descriptor)
                    return waiting.insert(client, at: 0)
                case .lineEnded: return UnixSocket.close(client.descriptor)
                }
            }
            switch line.offer(client.descriptor, client.word) {
            case .taken: given += 1
            case .noRoom: return waiting.insert(client, at: 0)
            case .lineEnded: return
            }
        }
    }

    /// Closes one of the waiting clients, so that no process keeps another one out: the latest of the process that has most of them. Among
    /// processes with equally many, it is the one whose client waits longest.
    private func shed() {
        let counts = waiting.reduce(into: [Int32: Int]()) { $0[$1.process, default: 0] += $1.isBegun ? 0 : 1 }
        guard let most = counts.values.max(), let greedy = waiting.first(where: { counts[$0.process] == most })?.process,
            let place = waiting.lastIndex(where: { $0.process == greedy && !$0.isBegun })
        else { return }
        UnixSocket.close(waiting.remove(at: place).descriptor)
    }

    // MARK: What the device says

    private func hear(_ frame: Frame, _ passed: Int32?) throws(Refusal) {
        if let passed { UnixSocket.close(passed) }
        switch try FromDevice(frame) {
        case .done: sleepers.removeValue(forKey: frame.call)?()
        case .unused(let said):
            // The front has passed another client on meanwhile, so the device isn't unused.
            guard said.peers == given else { return }
            isUnused = true
            idleTimer?.cancel()
            if said.isSoon {
                guard refusalTimer == nil else { return }
                refusalTimer = EventLoop.shared.after(FrontLimit.secondsOfRefusal) { [weak self] in self?.retire() }
            } else if idleSeconds > 0 {
                idleTimer = EventLoop.shared.after(idleSeconds) { [weak self] in self?.retire() }
            }
        }
    }

    /// Ends a device that nobody uses.
    func retire() {
        line?.say(EndNow())
        end()
    }

    // MARK: The machine

    private func watchMachine() {
        let machine = places.machine(of: uid)
        self.machine = machine
        machine.onLid = { [weak self] in self?.line?.say(LidMoved(isClosed: $0)) }
        machine.onLock = { [weak self] in self?.line?.say(SessionLocked(isLocked: $0)) }
        machine.onFront = { [weak self] in self?.line?.say(SessionInFront(isInFront: $0)) }
        machine.onSleep = { [weak self] isAsleep, done in
            guard let self, let line = self.line else { return done() }
            guard isAsleep else {
                line.say(Wakes())
                return done()
            }
            self.sleep(line, done)
        }
        machine.start { [weak self] in self?.line?.say(MachineKnown()) }
    }

    /// Tells the device that the machine sleeps, and waits until the device has forgotten what it must.
    private func sleep(_ line: PacketLine, _ done: @escaping () -> Void) {
        lastCall &+= 1
        let call = lastCall
        sleepers[call] = done
        line.say(Sleeps(), call: call)
        _ = EventLoop.shared.after(FrontLimit.secondsToSleep) { [weak self] in self?.sleepers.removeValue(forKey: call)?() }
    }

    // MARK: The end

    private func fail(_ why: String) {
        log("user \(uid): the device isn't there: \(why)")
        refuseWaiting()
        end()
    }

    private func refuseWaiting() {
        for client in waiting { Front.refuse(client.descriptor, .storeUnavailable) }
        waiting = []
    }

    /// Lets go of everything here. The device itself goes on serving its clients.
    func end() {
        if isOver { return }
        isOver = true
        startTimer?.cancel()
        lineTimer?.cancel()
        idleTimer?.cancel()
        refusalTimer?.cancel()
        refuseWaiting()
        line?.close()
        line = nil
        wants?.close()
        wants = nil
        machine = nil
        for done in sleepers.values { done() }
        sleepers = [:]
        ended()
    }
}
