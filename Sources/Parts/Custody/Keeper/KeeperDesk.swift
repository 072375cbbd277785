import ThumbAccess
import ThumbConversation
import ThumbCrypto
import ThumbMetering
import ThumbSecrets
import ThumbSystem

/// What the keeper does with the TPM for its users, on its one thread: one command after the other, each for the user whose turn it is.
final class KeeperDesk: @unchecked Sendable {
    // @unchecked: used on the keeper's worker thread alone.
    private let chip: TPMChip?
    private let file: LedgerFile
    private var ledger: KeeperLedger
    private let log: @Sendable (String) -> Void
    /// Whose the key is that the TPM has loaded.
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

    /// A user has no connection any more: nothing of theirs stays in the TPM.
    func left(_ uid: UInt32) {
        guard user == uid else { return }
        chip?.unload()
        user = nil
    }

    /// Gives the TPM back whatever is held.
    func close() { chip?.close() }

    private func perform(_ asked: ToTPMKeeper, _ uid: UInt32, _ chip: TPMChip) throws -> any Word {
        switch asked {
        case .makeKey: return try TPMKeyMade(chip.makeKey().encoded())
        case .sign(let asked): return try TPMSignature(chip.sign(asked.digest, with: TPMKeyMaterial(asked.material)))
        case .agree(let asked): return try TPMAgreement(chip.agree(with: asked.peer, TPMKeyMaterial(asked.material)))
        case .seal(let asked):
            return try TPMSealed(chip.seal(asked.secret, asked.authorization, isGuarded: asked.isGuarded).bytes)
        case .unseal(let asked):
            let seal = try TPMSeal(asked.seal)
            guard asked.isGuarded else { return TPMUnsealed(try chip.unseal(seal, asked.authorization, isGuarded: false)) }
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
                // One that the TPM didn't make is nobody's.
                if isNew, try !chip.hasCounter(index) { try forget(index) }
                throw error
            }
            try note(index, of: uid)
            return TPMCount(count)
        }
    }

    // MARK: Guesses

    /// Opens a guarded seal, as far as the user may guess. That the guess was made is on the disk before the TPM hears of it, as a miss
    /// is everywhere in this house; a guess that was right is taken back.
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
            let secret = try chip.unseal(seal, authorization, isGuarded: true)
            if secret != nil { takeBack(uid) }
            return secret
        } catch {
            // A TPM that went away may have counted it. If it didn't, the guess is forgotten as soon as the TPM is seen to count fewer.
            if error.code != .lost && error.code != .stale { takeBack(uid) }
            throw error
        }
    }

    /// It stays on the disk where it can't be written, which costs the user one guess until the next is written.
    private func takeBack(_ uid: UInt32) {
        ledger.guesses.giveBack(uid)
        do throws(TPMError) { try save() } catch {  // What that costs is said above.
            log("user \(uid): a right guess could not be taken back")
        }
    }

    // MARK: Counters

    /// A counter may be made if its user has few enough. It is the user's, on the disk, before the TPM has it.
    private func makeRoom(for index: UInt32, of uid: UInt32, _ chip: TPMChip) throws(TPMError) {
        let before = ledger
        if ledger.counters(of: uid).count >= KeeperLedger.countersPerUser {
            // Some may be gone: their store was removed, or the TPM cleared.
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

    /// A counter is the user's whose device had the right authorization for it: also one from before there was a keeper.
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
        // One that couldn't be read again isn't written.
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
    /// Whether the TPM has something under a counter's number. What isn't ours any more is no counter of ours.
    fileprivate func isStanding(_ index: UInt32) throws(TPMError) -> Bool {
        do throws(TPMError) {
            return try hasCounter(index)
        } catch  where error.code == .damaged {
            return false
        }
    }
}
