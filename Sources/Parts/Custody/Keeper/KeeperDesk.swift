import ThumbAccess
import ThumbConversation
import ThumbCrypto
import ThumbMetering
import ThumbSecrets
import ThumbSystem

/// What the keeper does with the TPM for its users, on its one thread: one command after the other, for the user whose turn it is.
final class KeeperDesk: @unchecked Sendable {
    // @unchecked: used only on the keeper's worker thread.
    private let chip: TPMChip?
    private let file: LedgerFile
    private var ledger: KeeperLedger
    private let log: @Sendable (String) -> Void
    /// The user whose key may be loaded in the TPM.
    private var user: UInt32?

    /// - Parameter chip: nil on a machine without a TPM.
    init(_ chip: TPMChip?, _ file: LedgerFile, _ ledger: KeeperLedger, log: @escaping @Sendable (String) -> Void) {
        (self.chip, self.file, self.ledger, self.log) = (chip, file, ledger, log)
    }

    /// Does what a user's device asks.
    func answer(_ asked: ToTPMKeeper, of uid: UInt32) -> any Word {
        guard let chip else { return TPMFailed(.custodianAbsent, number: 0) }
        if user != uid { chip.unload() }
        user = uid
        do {
            return try perform(asked, uid, chip)
        } catch {
            let own = error as? TPMError
            if let own, own.code != .parameter { log("user \(uid): \(own)") }
            return TPMFailed(KeychainFailure(custody: error), number: own?.number ?? 0)
        }
    }

    /// The user has no connection any more, so nothing of theirs may stay in the TPM.
    func left(_ uid: UInt32) {
        guard user == uid else { return }
        chip?.unload()
        user = nil
    }

    /// Gives back everything that is held in the TPM.
    func close() { chip?.close() }

    private func perform(_ asked: ToTPMKeeper, _ uid: UInt32, _ chip: TPMChip) throws -> any Word {
        switch asked {
        case .makeKey: return try TPMKeyMade(chip.makeKey().encoded())
        case .sign(let asked): return try TPMSignature(chip.sign(asked.digest, with: TPMKeyMaterial(asked.material)))
        case .agree(let asked): return try TPMAgreement(chip.agree(with: asked.peer, TPMKeyMaterial(asked.material)))
        case .seal(let asked):
            return try TPMSealed(chip.seal(asked.secret, asked.authorization, guardedBy: asked.guarding).bytes)
        case .unseal(let asked):
            let seal = try TPMSeal(asked.seal)
            guard asked.guarding == .guesses else {
                return TPMUnsealed(try chip.unseal(seal, asked.authorization, guardedBy: asked.guarding))
            }
            return TPMUnsealed(try guess(at: seal, asked.authorization, uid, chip))
        case .count(let asked):
            let count = try chip.count(asked.name, asked.authorization)
            if count != nil { try note(TPMLink.index(asked.name), of: uid) }
            return TPMCount(count)
        case .countUp(let asked):
            let index = TPMLink.index(asked.name)
            let isNew = try !chip.hasCounter(index)
            if isNew { try makeRoom(for: index, of: uid, chip) }
            let count: UInt64
            do {
                count = try chip.countUp(asked.name, asked.authorization)
            } catch {
                // The TPM didn't make the counter, so it belongs to nobody.
                if isNew, try !chip.hasCounter(index) { try forget(index) }
                throw error
            }
            try note(index, of: uid)
            return TPMCount(count)
        }
    }

    // MARK: Guesses

    /// Opens a guarded seal if the user may still guess. The guess is on the disk before the TPM hears of it, as a miss is everywhere in
    /// Thumbturn. A right guess is taken back.
    private func guess(
        at seal: TPMSeal, _ authorization: SecretBytes, _ uid: UInt32, _ chip: TPMChip
    ) throws(TPMError) -> SecretBytes? {
        let (counted, most) = try chip.guesses()
        guard ledger.guesses.take(uid, counted: counted, most: most) else {
            throw TPMError(.locked, "sharing out what the TPM forgives")
        }
        do throws(TPMError) {
            try save()
        } catch {
            ledger.guesses.giveBack(uid)
            throw error
        }
        do throws(TPMError) {
            let secret = try chip.unseal(seal, authorization, guardedBy: .guesses)
            if secret != nil { takeBack(uid) }
            return secret
        } catch {
            // If the TPM went away, it may have counted the guess. If it didn't count it, the guess is forgotten as soon as the TPM shows a
            // smaller count.
            if error.code != .lost && error.code != .stale { takeBack(uid) }
            throw error
        }
    }

    /// If this can't be written, the guess stays on the disk, and costs the user one guess until the ledger is next written.
    private func takeBack(_ uid: UInt32) {
        ledger.guesses.giveBack(uid)
        do throws(TPMError) { try save() } catch {  // The comment above says what that costs.
            log("user \(uid): a right guess could not be taken back")
        }
    }

    // MARK: Counters

    /// Makes room for a counter if its user has few enough. The ledger on the disk names the user before the TPM has the counter.
    private func makeRoom(for index: UInt32, of uid: UInt32, _ chip: TPMChip) throws(TPMError) {
        let before = ledger
        if ledger.counters(of: uid).count >= KeeperLedger.countersPerUser {
            // Some may be gone: their store was removed, or the TPM was cleared.
            for old in ledger.counters(of: uid) {
                if try !chip.isStanding(old) { ledger.counters[old] = nil }
            }
        }
        guard ledger.counters(of: uid).count < KeeperLedger.countersPerUser else {
            throw TPMError(.refused, "making one more counter of a user's")
        }
        ledger.counters[index] = uid
        do throws(TPMError) {
            try save()
        } catch {
            ledger = before
            throw error
        }
    }

    /// A counter belongs to the user whose device had the right authorization for it. This includes counters from before there was a
    /// keeper.
    private func note(_ index: UInt32, of uid: UInt32) throws(TPMError) {
        guard ledger.counters[index] != uid else { return }
        let before = ledger
        ledger.counters[index] = uid
        do throws(TPMError) {
            try save()
        } catch {
            ledger = before
            throw error
        }
    }

    private func forget(_ index: UInt32) throws(TPMError) {
        ledger.counters[index] = nil
        try save()
    }

    private func save() throws(TPMError) {
        // A ledger that couldn't be read again isn't written.
        guard ledger.text.utf8.count <= KeeperLedger.mostBytes else { throw TPMError(.refused, "writing a longer ledger") }
        do {
            try file.write(ledger)
        } catch {
            log("the ledger can't be written: error \(error.error.number)")
            throw TPMError(.refused, "writing the ledger", number: 0)
        }
    }
}

extension TPMChip {
    /// Whether the TPM has one of our counters under that number. If something else is there, it doesn't count.
    fileprivate func isStanding(_ index: UInt32) throws(TPMError) -> Bool {
        do throws(TPMError) {
            return try hasCounter(index)
        } catch  where error.code == .damaged {
            return false
        }
    }
}
