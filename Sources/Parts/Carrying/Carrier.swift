public import ThumbAccess
public import ThumbLoop
import ThumbSystem

/// Carries sealed frames between this machine's daemon and other machines' carriers. It knows pairings by their ids and reads nothing.
///
/// The asking machine's carrier connects to the companion's and stays connected; the companion's accepts.
@OnLoop public final class Carrier {
    /// Where frames go that came, and what becomes of lines.
    public var heard: (_ pairing: [UInt8], _ frame: [UInt8]) -> Void = { _, _ in }
    public var line: (_ pairing: [UInt8], _ isUp: Bool) -> Void = { _, _ in }

    private let address: String?
    private let port: UInt16
    private let log: (String) -> Void
    private var pairings: [[UInt8]: CompanionFacts] = [:]
    /// The connection over which each pairing's other machine was heard.
    private var lines: [[UInt8]: LinkConnection] = [:]
    /// Connections that this machine makes, by the pairing that each is for; and those that it accepted.
    private var dialled: [[UInt8]: LinkConnection] = [:]
    private var dialling: Set<[UInt8]> = []
    private var accepted: [LinkConnection] = []
    private var listener: (watch: Watch, fd: Int32)?
    /// Connecting waits for a name and for the other machine, and the loop doesn't.
    private let worker = Worker(limit: CarryingLimit.connections)
    private var isBeating = false

    /// - Parameters:
    ///   - address: where to listen; nil: at every address of this machine.
    ///   - log: takes what a person should know, in our own words.
    public init(address: String?, port: UInt16, log: @escaping (String) -> Void) {
        (self.address, self.port, self.log) = (address, port, log)
    }

    deinit { worker.finish() }

    /// The pairings there are now. Lines of others are closed, and those that are new are looked for.
    public func update(_ all: [CompanionFacts]) {
        pairings = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        for (id, connection) in dialled where pairings[id] == nil { connection.close() }
        for id in Array(lines.keys) where pairings[id] == nil { lines[id] = nil }
        if all.contains(where: { $0.side == .answers }) { listen() } else { stopListening() }
        for facts in all where facts.side == .asks { dial(facts) }
        beat()
    }

    /// Carries a frame, if the other machine is reached.
    public func send(_ frame: [UInt8], of pairing: [UInt8]) { lines[pairing]?.send(Parcel(pairing, frame)) }

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
        // A pairing that isn't, or isn't any more, has no line.
        guard pairings[parcel.pairing] != nil else { return }
        let before = lines[parcel.pairing]
        lines[parcel.pairing] = connection
        // Who accepts says that it is here as soon as it hears who calls.
        if before !== connection, accepted.contains(where: { $0 === connection }) { connection.send(Parcel(parcel.pairing)) }
        if before == nil { line(parcel.pairing, true) }
        if !parcel.frame.isEmpty { heard(parcel.pairing, parcel.frame) }
    }

    private func lost(_ connection: LinkConnection) {
        accepted.removeAll { $0 === connection }
        for (id, one) in dialled where one === connection { dialled[id] = nil }
        for (id, one) in lines where one === connection {
            lines[id] = nil
            line(id, false)
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
            for (id, connection) in lines { connection.send(Parcel(id)) }
            for facts in pairings.values where facts.side == .asks { dial(facts) }
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
            let socket = try LinkSocket.listen(address, port: port)
            let fd = socket.released()
            listener = (Watch(fd, .readable) { [weak self] _ in self?.accept(fd) }, fd)
        } catch {
            log("port \(port) can't be listened at: error \(error.number)")
        }
    }

    private func stopListening() {
        guard let (watch, fd) = listener else { return }
        listener = nil
        watch.remove()
        // Nobody watches it any more, so it can go.
        _ = Descriptor(owning: fd)
        for connection in accepted { connection.close() }
    }

    private func accept(_ fd: Int32) {
        guard let taken = LinkSocket.accept(fd) else { return }
        let connection = LinkConnection(taken)
        // One that has said nothing yet gives way to a new one.
        if accepted.count >= CarryingLimit.connections {
            guard let idle = accepted.first(where: { one in !lines.values.contains { $0 === one } }) else {
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
