public import ThumbAccess
public import ThumbLoop
import ThumbMetering
import ThumbSystem

/// Carries sealed frames between this machine's daemon and other machines' carriers. It knows pairings by their ids and reads nothing.
///
/// The asking machine's carrier connects to the companion's and stays connected; the companion's accepts.
@OnLoop public final class Carrier {
    /// Where frames go that came, and what becomes of lines. A connection has a number; 0 is one that this machine made.
    public var heard: (_ pairing: [UInt8], _ frame: [UInt8], _ connection: UInt32) -> Void = { _, _, _ in }
    public var line: (_ pairing: [UInt8], _ isUp: Bool) -> Void = { _, _ in }

    private let address: String?
    private let port: UInt16
    private let log: (String) -> Void
    private var pairings: [[UInt8]: CompanionFacts] = [:]
    /// The connections over which somebody said to be a pairing's other machine. Only the two daemons can tell who it is, so a frame goes
    /// over all of them: to anybody else it is noise.
    private var lines: [[UInt8]: [LinkConnection]] = [:]
    /// Of these, the one over which the other machine's daemon has spoken.
    private var proven: [[UInt8]: UInt32] = [:]
    /// How many frames may come for each pairing, over all connections together, one after the other too.
    private var paces: [[UInt8]: Pace] = [:]
    /// Connections that this machine makes, by the pairing that each is for; and those that it accepted.
    private var dialled: [[UInt8]: LinkConnection] = [:]
    private var dialling: Set<[UInt8]> = []
    private var accepted: [LinkConnection] = []
    private var accepts: UInt32 = 0
    private var listener: (taking: Listener, fd: Int32)?
    /// Connecting waits for a name and for the other machine, and the loop doesn't. One that is away doesn't hold up the others either: each
    /// pairing has a thread of its own, of which there are as few as pairings.
    private var workers: [[UInt8]: Worker] = [:]
    private var isBeating = false
    /// Whether it was said that nobody can be listened to.
    private var isDeaf = false

    /// - Parameters:
    ///   - address: where to listen; nil: at every address of this machine.
    ///   - log: takes what a person should know, in our own words.
    public init(address: String?, port: UInt16, log: @escaping (String) -> Void) {
        (self.address, self.port, self.log) = (address, port, log)
    }

    deinit { for worker in workers.values { worker.finish() } }

    /// The pairings there are now. Lines of others are closed, and those that are new are looked for.
    public func update(_ all: [CompanionFacts]) {
        pairings = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        for (id, connection) in dialled where pairings[id] == nil { connection.close() }
        for id in Array(lines.keys) where pairings[id] == nil {
            (lines[id], proven[id]) = (nil, nil)
            line(id, false)
        }
        for id in Array(paces.keys) where pairings[id] == nil { paces[id] = nil }
        for id in Array(workers.keys) where pairings[id] == nil { workers.removeValue(forKey: id)?.finish() }
        if all.contains(where: { $0.side == .answers }) { listen() } else { stopListening() }
        for facts in all where facts.side == .asks { dial(facts) }
        beat()
    }

    /// Carries a frame, if the other machine is reached.
    public func send(_ frame: [UInt8], of pairing: [UInt8]) {
        for connection in lines[pairing] ?? [] { connection.send(Parcel(pairing, frame)) }
    }

    /// Ends everything.
    public func stop() { update([]) }

    // MARK: Lines

    private func open(_ connection: LinkConnection) {
        connection.heard = { [weak self, weak connection] parcel in
            guard let self, let connection else { return }
            take(parcel, connection)
        }
        connection.ended = { [weak self, weak connection] in
            guard let self, let connection else { return }
            lost(connection)
        }
        connection.open()
    }

    private func take(_ parcel: Parcel, _ connection: LinkConnection) {
        let id = parcel.pairing
        guard mayCarry(connection, id) else { return }
        let before = lines[id] ?? []
        if !before.contains(where: { $0 === connection }) {
            if before.count >= CarryingLimit.connectionsOfPairing {
                // Silent connections don't keep the other machine out, nor can anybody displace the one that was shown to be its.
                guard let oldest = before.first(where: { $0.number != proven[id] }) else { return connection.close() }
                oldest.close()
            }
            lines[id, default: []].append(connection)
            if before.isEmpty { line(id, true) }
            // Who accepts says that it is here as soon as it hears who calls.
            if pairings[id]?.side == .answers { connection.send(Parcel(id)) }
        }
        if parcel.frame.isEmpty { return }
        // Each frame costs the daemon something. Who brings too many is closed, and whoever connects anew gets no more by that.
        guard connection.takesFrame() else { return connection.close() }
        guard paces[id, default: CarryingLimit.pace].take(at: EventLoop.now) else { return }
        heard(id, parcel.frame, connection.number)
    }

    /// The daemon says that a connection is the other machine's. There is one such connection: an earlier one was lost, or never was.
    public func proven(_ pairing: [UInt8], _ number: UInt32) {
        if lines[pairing]?.contains(where: { $0.number == number }) == true { proven[pairing] = number }
    }

    /// Whether a connection may be a pairing's. One that this machine made is for one pairing. One that it accepted may be for any that it
    /// answers, since nobody shows who he is. A pairing that isn't, or isn't any more, has none.
    private func mayCarry(_ connection: LinkConnection, _ id: [UInt8]) -> Bool {
        switch pairings[id]?.side {
        case .asks: dialled[id] === connection
        case .answers: accepted.contains { $0 === connection }
        case nil: false
        }
    }

    private func lost(_ connection: LinkConnection) {
        accepted.removeAll { $0 === connection }
        for (id, one) in dialled where one === connection { dialled[id] = nil }
        for (id, all) in lines where all.contains(where: { $0 === connection }) {
            let left = all.filter { $0 !== connection }
            lines[id] = left.isEmpty ? nil : left
            if proven[id] == connection.number { proven[id] = nil }
            if left.isEmpty { line(id, false) }
        }
    }

    // MARK: Beats

    /// Says for each pairing that this carrier is here, closes what is silent, and looks for what is missing.
    private func beat() {
        if isBeating || pairings.isEmpty { return }
        isBeating = true
        _ = EventLoop.shared.after(CarryingLimit.secondsBetweenBeats) { [weak self] in
            guard let self else { return }
            isBeating = false
            let silent = EventLoop.now - CarryingLimit.secondsOfSilence
            for connection in accepted + Array(dialled.values) where connection.heardAt < silent { connection.close() }
            for id in lines.keys { send([], of: id) }
            for facts in pairings.values where facts.side == .asks { dial(facts) }
            if pairings.values.contains(where: { $0.side == .answers }) { listen() }
            beat()
        }
    }

    // MARK: Out

    private func dial(_ facts: CompanionFacts) {
        let id = facts.id
        guard dialled[id] == nil, dialling.insert(id).inserted else { return }
        guard let place = LinkPlace(facts.place) else {
            dialling.remove(id)
            return
        }
        let worker = workers[id] ?? Worker(limit: 1)
        workers[id] = worker
        let isTaken = worker.run({ () -> Int32? in
            do throws(SystemError) {
                let connection = try LinkSocket.connect(
                    to: place.host, port: place.port, seconds: CarryingLimit.secondsToConnect)
                return connection.released()
            } catch {
                return nil
            }
        }) { [weak self] fd in
            guard let self else {
                if let fd { _ = Descriptor(owning: fd) }
                return
            }
            dialled(id, fd)
        }
        if !isTaken { dialling.remove(id) }
    }

    private func dialled(_ id: [UInt8], _ fd: Int32?) {
        guard let fd else {
            // It is looked for again in a while.
            _ = EventLoop.shared.after(CarryingLimit.secondsBetweenTries) { [weak self] in
                guard let self else { return }
                dialling.remove(id)
                if let facts = pairings[id] { dial(facts) }
            }
            return
        }
        dialling.remove(id)
        let connection = LinkConnection(owning: fd)
        guard pairings[id] != nil else { return connection.close() }
        dialled[id] = connection
        open(connection)
        connection.send(Parcel(id))
    }

    // MARK: In

    private func listen() {
        if listener != nil { return }
        do throws(SystemError) {
            // Who has gone again before it is accepted must not stop the loop.
            let socket = try LinkSocket.listen(address, port: port, waits: false)
            let fd = socket.released()
            listener = (Listener(fd) { [weak self] connection in self?.accept(LinkSocket.taken(connection)) }, fd)
            isDeaf = false
        } catch {
            // It is tried again at each beat, and said once.
            if !isDeaf { log("port \(port) can't be listened at: error \(error.number)") }
            isDeaf = true
        }
    }

    private func stopListening() {
        guard let (taking, fd) = listener else { return }
        listener = nil
        taking.stop()
        // Nobody watches it any more, so it can go.
        _ = Descriptor(owning: fd)
        for connection in accepted { connection.close() }
    }

    private func accept(_ taken: consuming Descriptor) {
        accepts &+= 1
        let connection = LinkConnection(taken, number: max(1, accepts))
        // One that has said nothing yet gives way to a new one.
        if accepted.count >= CarryingLimit.connections {
            guard let idle = accepted.first(where: { one in !lines.values.joined().contains { $0 === one } }) else {
                return connection.close()
            }
            idle.close()
        }
        accepted.append(connection)
        open(connection)
    }
}

/// Where a carrier listens: a host and a port.
public struct LinkPlace: Sendable, Hashable {
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// Reads `HOST:PORT` or `[ADDRESS]:PORT`; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, host.utf8.count <= 255 else { return nil }
        self.init(host: host, port: port)
    }

    public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
