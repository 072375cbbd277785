import CThumbLinux
import ThumbAccess
import ThumbCarrying
import ThumbClient
import ThumbDaemonProcess
import ThumbLoop
import ThumbSecrets

/// The carrier between this machine's daemon and the lines to other machines. It composes the two and decides nothing.
@OnLoop final class CarrierRun {
    private let carrier: Carrier
    /// The daemon; nil while it is away.
    private var daemon: CarrierLine?
    private var up: Set<[UInt8]> = []

    init(address: String?, port: UInt16) {
        carrier = Carrier(address: address, port: port) { Output.error("thumbturn-companion: \($0)") }
        carrier.heard = { [weak self] in self?.daemon?.bring($1, of: $0, over: $2) }
        carrier.line = { [weak self] pairing, isUp in self?.lineChanged(pairing, isUp) }
    }

    private func lineChanged(_ pairing: [UInt8], _ isUp: Bool) {
        if isUp { up.insert(pairing) } else { up.remove(pairing) }
        daemon?.say(pairing, isUp: isUp)
    }

    /// A daemon that was found again is told what is reached.
    func attach(_ line: CarrierLine) {
        daemon = line
        for pairing in up { line.say(pairing, isUp: true) }
    }

    func detach() { daemon = nil }
    func carry(_ frame: [UInt8], of pairing: [UInt8]) { carrier.send(frame, of: pairing) }
    func proven(_ pairing: [UInt8], _ connection: UInt32) { carrier.proven(pairing, connection) }
    func update(_ pairings: [CompanionFacts]) { carrier.update(pairings) }
}

/// What happened at the daemon, for the thread that asks it.
final class DaemonNews: Sendable {
    private let condition = Condition()
    private let state = Locked<(hasChanged: Bool, end: KeychainFailure?)>((false, nil))

    func changed() { tell { $0.hasChanged = true } }
    func ended(_ why: KeychainFailure) { tell { $0.end = why } }

    private func tell(_ change: (inout (hasChanged: Bool, end: KeychainFailure?)) -> Void) {
        condition.withLock { _ in state.withLock { change(&$0) } }
        condition.signal()
    }

    /// Waits until something changed; returns why the daemon's call ended, if it did.
    func next() -> KeychainFailure? {
        condition.withLock { held in
            while state.withLock({ !$0.hasChanged && $0.end == nil }) { held.wait() }
            return state.withLock {
                $0.hasChanged = false
                return $0.end
            }
        }
    }

    /// Lets some time pass, unless the daemon's call has ended; returns why it did.
    func endWithin(_ limit: Duration) -> KeychainFailure? {
        condition.withLock { held in
            if state.withLock({ $0.end == nil }) { _ = held.wait(atMost: limit) }
            return state.withLock { $0.end }
        }
    }

    /// Another call begins.
    func begin() { state.withLock { $0 = (false, nil) } }

    /// Lets some time pass.
    func rest(_ limit: Duration) { condition.withLock { held in _ = held.wait(atMost: limit) } }
}

enum Carrying {
    /// Seconds before a daemon that went away is looked for again.
    private static let rest = Duration.seconds(1)

    /// Carries until the process is ended, or another carrier is there.
    static func run(address: String?, port: UInt16) -> Never {
        let run = EventLoop.shared.sync { CarrierRun(address: address, port: port) }
        let (client, news) = (DeviceClient.shared, DaemonNews())
        // Once for every daemon that is found from now on.
        client.watchEnvironment { news.changed() }
        while true {
            news.begin()
            let why = serve(client, run, news)
            EventLoop.shared.sync { run.detach() }
            if why == .duplicateItem {
                Output.error("thumbturn-companion: Another carrier runs for this user.")
                exit(75)
            }
            news.rest(rest)
        }
    }

    /// Serves one connection to the daemon; returns why it ended.
    private static func serve(_ client: DeviceClient, _ run: CarrierRun, _ news: DaemonNews) -> KeychainFailure {
        do throws(ClientError) {
            let line = try client.carry { event in
                switch event {
                case .frame(let pairing, let frame): EventLoop.shared.post { run.carry(frame, of: pairing) }
                case .proven(let pairing, let connection): EventLoop.shared.post { run.proven(pairing, connection) }
                case .ended(let why): news.ended(why)
                }
            }
            EventLoop.shared.sync { run.attach(line) }
        } catch {
            return .deviceUnreachable
        }
        while true {
            do throws(KeychainFailure) {
                let pairings = try client.companions()
                EventLoop.shared.post { run.update(pairings) }
            } catch {
                // It can't say just now. If it is gone, its call has ended.
                if let why = news.endWithin(rest) { return why }
                continue
            }
            if let why = news.next() { return why }
        }
    }
}
