import ThumbAccess
import ThumbAuthentication
import ThumbCompanion
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets

// Paired machines: pairing, listing and removing them, and the connection that carries.
extension App {
    private var companions: CompanionDesk { device.companionDesk }

    /// Pairings are the owner's affair: a program in a sandbox neither sees them nor carries for them.
    private func checkUnconfined() throws(KeychainFailure) {
        if caller.kind == .sandboxed { throw .missingEntitlement }
    }

    // MARK: Carrying

    func carryCompanions(_ asked: CarryCompanions, _ call: UInt32) {
        do throws(KeychainFailure) {
            try checkUnconfined()
            try companions.attach(self, call)
        } catch {
            send(error, call)
        }
    }

    func carry(_ frame: [UInt8], to pairing: [UInt8], _ call: UInt32) { send(CarriedOut(pairing, frame), call) }

    func proven(_ pairing: [UInt8], _ connection: UInt32, _ call: UInt32) {
        send(CompanionProven(pairing, connection: connection), call)
    }

    func carried(_ said: CarriedIn) {
        companions.carried(CompanionFrameSaid(pairing: said.pairing, frame: said.frame, connection: said.connection), from: self)
    }

    func line(_ said: CompanionLine) {
        companions.line(CompanionLineSaid(pairing: said.pairing, isUp: said.isUp), from: self)
    }

    // MARK: What there is

    func listCompanions() throws(KeychainFailure) -> CompanionList {
        try checkUnconfined()
        return CompanionList(try companions.machines.all().map(facts))
    }

    private func facts(_ machine: PairedMachine) -> CompanionFacts {
        CompanionFacts(
            id: machine.id, side: machine.side, name: machine.name, place: machine.place, date: machine.date,
            isNear: companions.isUp(machine.id))
    }

    func removeCompanion(_ id: [UInt8], _ call: RunningCall) async throws -> Done {
        try checkUnconfined()
        guard let machine = try companions.machines.machine(id) else { throw KeychainFailure.itemNotFound }
        try await call.askForPasscode(to: "remove the pairing with \(SafeText.quoted(machine.name))")
        try companions.machines.remove(id)
        companions.removed(id)
        note(.companionRemoved, factors: [.passcode])
        device.environmentMayHaveChanged()
        return Done()
    }

    // MARK: Pairing

    func pairCompanion(_ wish: PairingWish, _ call: RunningCall) async throws -> CompanionPaired {
        try checkUnconfined()
        guard pairing == nil else { throw Refusal.tooManyCalls }
        let frames = PairingFrames()
        pairing = frames
        defer { pairing = nil }
        do {
            return try await pair(wish, frames, call)
        } catch let refusal as CompanionRefusal {
            throw refusal == .failed ? KeychainFailure.internalFailure : .agreementFailed
        }
    }

    private func pair(_ wish: PairingWish, _ frames: PairingFrames, _ call: RunningCall) async throws -> CompanionPaired {
        let machines = companions.machines
        if let name = wish.otherName { try machines.checkRoom(wish.side, named: name) }
        guard device.parts.passcode.isSet else { throw KeychainFailure.authenticationFailed }
        // The keys are sealed under the passcode's class, which is shut until it was given once.
        if !machines.areOpen { try await call.askForPasscode(to: "pair another machine") }
        guard let custodian = device.enclave else { throw KeychainFailure.custodianAbsent }
        frames.limit(device.parts.clock)
        let link = try await call.wait { custodian.make(.elliptic(.p256), $0) }.get()
        var machine = PairedMachine(
            id: [], side: wish.side, name: "", place: wish.place, otherLink: [], otherYes: [],
            link: try machines.seal(link, by: custodian.custodian, asks: false), yes: [], date: 0)
        var yes: [UInt8] = []
        if wish.side == .answers {
            let made = try await call.wait { custodian.make(.elliptic(.p256), $0) }.get()
            (machine.yes, yes) = (try machines.seal(made, by: custodian.custodian, asks: true), made.publicKey)
        }

        let compared = try await meet(wish, link.publicKey, yes, frames, call.number)
        (machine.id, machine.otherLink, machine.otherYes) = (compared.id, compared.link, compared.yes)
        machine.name = wish.otherName ?? compared.name
        try machines.checkRoom(wish.side, named: machine.name)
        try await call.askForPasscode(to: Self.comparison(compared, wish.side))

        let shared = try await call.wait { companions.agree(machine, with: compared.link, $0) }
        guard let shared else { throw CompanionRefusal.failed }
        let confirmed = try compared.confirmed(shared)
        send(PairingFrameOut(confirmed.frame), call.number)
        try confirmed.isConfirmed(by: try await frames.next())

        // Waiting for the other side took long enough for the passcode to be removed, and the keys with it. From here on nothing waits.
        guard (try? machines.linkKey(of: machine)) != nil else { throw KeychainFailure.authenticationFailed }
        try machines.keep(machine)
        note(.companionPaired, factors: [.passcode])
        device.environmentMayHaveChanged()
        guard let kept = try machines.machine(machine.id) else { throw KeychainFailure.storeUnavailable }
        return CompanionPaired(facts(kept))
    }

    /// The first three frames, until both machines know both.
    private func meet(
        _ wish: PairingWish, _ link: [UInt8], _ yes: [UInt8], _ frames: PairingFrames, _ call: UInt32
    ) async throws -> PairingCompared {
        let crypto = device.parts.crypto
        switch wish.side {
        case .asks:
            let offered = try PairingOffered(crypto, link: link, name: wish.ownName)
            send(PairingFrameOut(offered.frame), call)
            let compared = try offered.answered(try await frames.next())
            if let opening = compared.frame { send(PairingFrameOut(opening), call) }
            return compared
        case .answers:
            let answered = try PairingAnswered(crypto, try await frames.next(), link: link, yes: yes, name: wish.ownName)
            send(PairingFrameOut(answered.frame), call)
            return try answered.opened(try await frames.next())
        }
    }

    /// What the owner compares and allows. The machine's own name is a claim; the code shows whose it is. So the code comes first, and a
    /// name with as many digits as a code has is shown without them.
    private static func comparison(_ compared: PairingCompared, _ side: PairingSide) -> String {
        let code = compared.code.prefix(3) + " " + compared.code.suffix(3)
        let isLikeCode = compared.name.count(where: \.isNumber) >= compared.code.count
        let name = SafeText.quoted(isLikeCode ? String(compared.name.map { $0.isNumber ? "·" : $0 }) : compared.name)
        let condition = "if its screen shows \(code) too; it calls itself \(name)"
        return switch side {
        case .asks: "have another machine say yes for this one, \(condition)"
        case .answers: "say yes here for another machine, \(condition)"
        }
    }
}

/// The frames of the pairing that runs on a connection.
@OnLoop final class PairingFrames {
    /// More than a pairing has.
    private static let most = 8

    private var frames: [[UInt8]] = []
    private var waiter: CheckedContinuation<[UInt8]?, Never>?
    private var isOver = false

    /// From now on the pairing may take so long.
    func limit(_ clock: any HouseClock) {
        clock.after(CompanionLimit.secondsToPair) { [weak self] in self?.end() }
    }

    func put(_ frame: [UInt8]) {
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: frame)
        } else if frames.count < Self.most {
            frames.append(frame)
        }
    }

    /// The next frame. Fails if the pairing took too long, or was taken back.
    func next() async throws -> [UInt8] {
        try Task.checkCancellation()
        if !frames.isEmpty { return frames.removeFirst() }
        if isOver { throw KeychainFailure.interactionNotAllowed }
        let frame = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter = $0 }
        } onCancel: {
            // Only a closing connection cancels, and connections are closed on the loop.
            OnLoop.assumed { end() }
        }
        try Task.checkCancellation()
        guard let frame else { throw KeychainFailure.interactionNotAllowed }
        return frame
    }

    private func end() {
        isOver = true
        let waiter = waiter
        self.waiter = nil
        waiter?.resume(returning: nil)
    }
}
