public import ThumbConversation
public import ThumbLoop
public import ThumbPeers

/// A device's end of its line to the front. It turns what the front says into calls of the device.
@OnLoop public final class DeviceLine {
    /// The functions that the front's words are handed to.
    public struct Hearing {
        public var peer: (_ descriptor: Int32, PeerArrived, PeerContents) -> Void
        public var wantsLine: (WantsLine) -> Void
        /// The machine sleeps. Whatever this requires is done before it returns.
        public var sleeps: () -> Void
        public var wakes: () -> Void
        public var lid: (_ isClosed: Bool) -> Void
        public var lock: (_ isLocked: Bool) -> Void
        public var front: (_ isInFront: Bool) -> Void
        public var machineKnown: () -> Void
        public var end: () -> Void
        /// The front is gone.
        public var lost: () -> Void

        public init(
            peer: @escaping (_ descriptor: Int32, PeerArrived, PeerContents) -> Void, wantsLine: @escaping (WantsLine) -> Void,
            sleeps: @escaping () -> Void, wakes: @escaping () -> Void, lid: @escaping (_ isClosed: Bool) -> Void,
            lock: @escaping (_ isLocked: Bool) -> Void, front: @escaping (_ isInFront: Bool) -> Void,
            machineKnown: @escaping () -> Void, end: @escaping () -> Void, lost: @escaping () -> Void
        ) {
            (self.peer, self.wantsLine, self.sleeps, self.wakes) = (peer, wantsLine, sleeps, wakes)
            (self.lid, self.lock, self.front) = (lid, lock, front)
            (self.machineKnown, self.end, self.lost) = (machineKnown, end, lost)
        }
    }

    private var line: PacketLine?
    private let hearing: Hearing
    private var peers: UInt64 = 0
    /// What came for the client that comes next.
    private var contents = PeerContents()

    /// Takes the descriptor over and begins to listen.
    public init(_ descriptor: Int32, _ hearing: Hearing) {
        self.hearing = hearing
        line = PacketLine(descriptor) { [weak self] (frame, passed) throws(Refusal) in
            try self?.hear(frame, passed)
        } ended: { [weak self] in
            self?.line = nil
            self?.hearing.lost()
        }
    }

    private func hear(_ frame: Frame, _ passed: Int32?) throws(Refusal) {
        var passed = passed
        defer { if let passed { UnixSocket.close(passed) } }
        /// The descriptor that a word must bring along.
        func taken() throws(Refusal) -> Int32 {
            guard let descriptor = passed else { throw .malformed }
            passed = nil
            return descriptor
        }
        switch try ToDevice(frame) {
        case .peer(let word):
            peers += 1
            let descriptor = try taken()
            let contents = contents
            self.contents = PeerContents()
            hearing.peer(descriptor, word, contents)
        case .contents(let word):
            guard contents.put(word.part, try taken()) else { throw .malformed }
        case .wantsLine: hearing.wantsLine(WantsLine(try taken()))
        case .sleeps:
            hearing.sleeps()
            line?.say(Done(), call: frame.call)
        case .wakes: hearing.wakes()
        case .lid(let word): hearing.lid(word.isClosed)
        case .lock(let word): hearing.lock(word.isLocked)
        case .front(let word): hearing.front(word.isInFront)
        case .machineKnown: hearing.machineKnown()
        case .end: hearing.end()
        }
    }

    /// Tells the front that nobody uses the device, and whether the device should end soon.
    public func tellUnused(isSoon: Bool) { line?.say(Unused(peers: peers, isSoon: isSoon)) }

    /// Lets go of the front.
    public func close() {
        line?.close()
        line = nil
        contents = PeerContents()
    }
}
