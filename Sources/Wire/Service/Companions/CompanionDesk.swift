import ThumbAccess
import ThumbAuthentication
import ThumbCompanion
import ThumbKeychain
import ThumbLoop
import ThumbSecrets

/// The device's paired machines: who carries frames to them, which of them are near, and the questions in both directions.
///
/// It carries out what the states of `ThumbCompanion` decide. The carrier is a program of the user's and is believed nothing: its word only
/// says whether asking is worth a try.
@OnLoop final class CompanionDesk {
    let parts: Device.Parts
    let machines: PairedMachines
    /// The device, for the questions that are asked here. It has this desk.
    weak var device: Device?
    /// The connection that carries, and the number of its call.
    private var carrier: (app: App, call: UInt32)?
    /// The pairings whose other machine the carrier says it reaches.
    private var up: Set<[UInt8]> = []
    /// This device's own question, one for each companion that has it.
    private var asking: [CompanionAsking] = []
    private var report: ((CompanionReport) -> Void)?
    /// What the best of those that are done said.
    private var outcome = CompanionReport.away
    /// Other machines' questions, by pairing, for as long as there is one: how often each may call doesn't begin anew with a connection.
    private var answering: [[UInt8]: CompanionAnswering] = [:]
    /// What was logged lately, and when.
    private var logged: [String: Double] = [:]

    init(_ parts: Device.Parts) {
        self.parts = parts
        machines = PairedMachines(
            tables: parts.tables, store: parts.store, limit: CompanionLimit.pairings,
            clock: { [clock = parts.clock] in clock.date })
    }

    /// Every pairing, without those that can't be read just now.
    private var all: [PairedMachine] {
        do throws(KeychainFailure) {
            return try machines.all()
        } catch {
            parts.log("the paired machines could not be read")
            return []
        }
    }

    func isUp(_ id: [UInt8]) -> Bool { up.contains(id) }

    /// Logs what anybody on the network can bring about, at most once a minute for each text.
    func logSparingly(_ what: String) {
        let now = parts.clock.now
        if let before = logged[what], now - before < Self.secondsOfSilence { return }
        logged[what] = now
        parts.log(what)
    }

    private static let secondsOfSilence = 60.0

    // MARK: The carrier

    /// Makes this connection the carrier. Fails with `.duplicateItem` if there is one.
    func attach(_ app: App, _ call: UInt32) throws(KeychainFailure) {
        guard carrier == nil else { throw .duplicateItem }
        carrier = (app, call)
    }

    /// The connection is gone.
    func detach(_ app: App) {
        guard carrier?.app === app else { return }
        carrier = nil
        up = []
        for one in asking { one.hearNothing() }
        for one in answering.values { one.hangUp() }
        device?.environmentMayHaveChanged()
    }

    /// The carrier says whether it reaches a pairing's other machine.
    func line(_ said: CompanionLineSaid, from app: App) {
        guard carrier?.app === app, let machine = all.first(where: { $0.id == said.pairing }), isUp(machine.id) != said.isUp
        else { return }
        if said.isUp {
            up.insert(machine.id)
        } else {
            up.remove(machine.id)
            for one in asking where one.machine.id == machine.id { one.hearNothing() }
            answering[machine.id]?.hangUp()
        }
        // What apps may ask has changed only if that machine answers. A line to one that asks comes and goes as anybody likes.
        if machine.side == .asks { device?.environmentMayHaveChanged() }
    }

    /// The carrier brings a frame. What it says about which pairing the frame is of is believed only as far as the frame opens.
    func carried(_ said: CompanionFrameSaid, from app: App) {
        guard carrier?.app === app, let machine = all.first(where: { $0.id == said.pairing }) else { return }
        switch machine.side {
        case .asks: for one in asking where one.machine.id == machine.id { one.hear(said.frame) }
        case .answers:
            let one = answering[machine.id] ?? CompanionAnswering(machine, self)
            answering[machine.id] = one
            one.hear(said.frame, over: said.connection)
        }
    }

    /// A question that opened came over this connection: so it is the other machine's, and the carrier keeps it before others.
    func proven(_ machine: PairedMachine, _ connection: UInt32) {
        guard connection != 0 else { return }
        carrier?.app.proven(machine.id, connection, carrier?.call ?? 0)
    }

    func send(_ frame: [UInt8], to machine: PairedMachine) { carrier?.app.carry(frame, to: machine.id, carrier?.call ?? 0) }

    /// The carrier as the program that has a prompt for another machine's question.
    var prompter: (app: App, call: UInt32)? { carrier }

    /// A pairing was removed: nothing of it counts any more.
    func removed(_ id: [UInt8]) {
        up.remove(id)
        for one in asking where one.machine.id == id { one.hearNothing() }
        answering.removeValue(forKey: id)?.end()
    }

    /// The passcode was removed, and with it the keys of every pairing.
    func forgetAll() {
        let ids = all.map(\.id)
        do throws(KeychainFailure) {
            try machines.removeAll()
        } catch {
            parts.log("the paired machines could not be removed; they can't be used without their keys")
        }
        for id in ids { removed(id) }
    }

    // MARK: Keys

    /// What this machine's link key shares with another public key. Answers later; nil if the key can't be used just now.
    func agree(_ machine: PairedMachine, with peer: [UInt8], _ answer: @escaping (SecretBytes?) -> Void) {
        do throws(KeychainFailure) {
            use(try machines.linkKey(of: machine), .agree(peer: peer, .raw), answer)
        } catch {
            logSparingly("a paired machine's link key can't be used now")
            answer(nil)
        }
    }

    func use(_ released: ReleasedKey, _ operation: KeyOperation, _ answer: @escaping (SecretBytes?) -> Void) {
        let custodian: (any KeyCustodian)? = released.custodian == .software ? parts.software : parts.enclave
        guard let custodian else { return answer(nil) }
        custodian.use(released.key, operation) { result in
            // The custodian has logged why.
            answer(try? result.get())
        }
    }
}

/// A frame that a carrier brings, and its own number for the connection that it came over.
struct CompanionFrameSaid {
    let pairing: [UInt8]
    let frame: [UInt8]
    let connection: UInt32
}

/// What a carrier says about a line.
struct CompanionLineSaid {
    let pairing: [UInt8]
    let isUp: Bool
}

extension CompanionDesk: @OnLoop Companions {
    var near: [String] {
        // Without anybody to carry, nothing has to be read.
        guard carrier != nil, !up.isEmpty, machines.areOpen else { return [] }
        return all.filter { $0.side == .asks && up.contains($0.id) }.map(\.name)
    }

    var digest: [UInt8]? {
        let ids = all.filter { $0.side == .asks }.map(\.id)
        return ids.isEmpty ? nil : parts.sha256(Array("thumbturn companions 1".utf8) + ids.joined())
    }

    var revision: UInt64 { machines.revision }

    func ask(_ question: CompanionQuestion, _ report: @escaping (CompanionReport) -> Void) {
        stop()
        self.report = report
        outcome = .away
        asking =
            near.isEmpty ? [] : all.filter { $0.side == .asks && up.contains($0.id) }.map { CompanionAsking($0, question, self) }
        if asking.isEmpty { return finish(.away) }
        for one in asking { one.begin() }
    }

    /// Takes the question back.
    func stop() {
        report = nil
        let asked = asking
        asking = []
        for one in asked { one.withdraw() }
    }

    /// A companion is asking its owner.
    func asks() { report?(.asks) }

    /// A companion is done. A yes or a refusal decides for all; otherwise the last one does.
    func ended(_ one: CompanionAsking, _ said: CompanionReport) {
        asking.removeAll { $0 === one }
        switch said {
        case .yes, .refused: return finish(said)
        case .unrecognized: outcome = .unrecognized
        case .away, .asks: break
        }
        if asking.isEmpty { finish(outcome) }
    }

    private func finish(_ said: CompanionReport) {
        let report = report
        stop()
        report?(said)
    }
}
