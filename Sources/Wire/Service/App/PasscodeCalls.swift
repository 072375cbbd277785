import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets

// Calls that change what protects the owner. If there is a passcode, each begins with an evaluation by passcode inside the daemon.
extension App {
    private var passcode: any Passcode { device.parts.passcode }

    func setPasscode(_ call: RunningCall) async throws -> Done {
        let shown: Set<Factor> = passcode.isSet ? [.passcode] : []
        if passcode.isSet {
            try await call.askForPasscode(to: "change the passcode")
        } else if device.parts.mode == .system {
            // Whoever chooses the first passcode is the owner from then on. In user mode nothing stops a program of the user from choosing
            // it.
            try await call.askForPasscode(to: "choose the first passcode", judge: .account)
            // Another call has set a passcode meanwhile, so that passcode has to be given first.
            if passcode.isSet { throw KeychainFailure.authenticationFailed }
        }
        return try await choosePasscode(call, shown)
    }

    func useAccountPassword(_ call: RunningCall) async throws -> Done {
        guard device.parts.account != nil else { throw KeychainFailure.unsupported }
        let shown: Set<Factor> = passcode.isSet ? [.passcode] : []
        if passcode.isSet { try await call.askForPasscode(to: "use the account's password as passcode") }
        return try await takeAccountPassword(call, shown)
    }

    func removePasscode(_ call: RunningCall) async throws -> Done {
        let hold = try await countBehindPasscode()
        // The owner is told what goes where they say yes to it.
        let lost = [(hold.erased, "item"), (hold.pairings, "pairing")].filter { $0.0 > 0 }.map { count, thing in
            "\(count) \(thing)\(count == 1 ? "" : "s")"
        }
        let loss = lost.isEmpty ? "" : ", and with it \(lost.joined(separator: " and ")) for good"
        try await call.askForPasscode(to: "remove the passcode" + loss)
        do {
            try passcode.remove()
        } catch {
            throw KeychainFailure.storeUnavailable
        }
        device.companionDesk.forgetAll()
        try device.keychain.forgetAnswersAboutLostItems()
        note(.passcodeRemoved, factors: [.passcode])
        device.environmentMayHaveChanged()
        return Done()
    }

    /// Counts what hangs on the passcode: some of it in each turn of the loop, because a store may be large.
    func countBehindPasscode() async throws -> PasscodeHold {
        guard passcode.isSet else { throw KeychainFailure.itemNotFound }
        var hold = PasscodeHold()
        var place: Int64? = 0
        while let from = place {
            place = try device.keychain.count(into: &hold, after: from)
            await withCheckedContinuation { done in EventLoop.shared.post { done.resume() } }
            try Task.checkCancellation()
        }
        hold.pairings = UInt64(try device.companionDesk.machines.all().count)
        return hold
    }

    func makeRecoveryCode(_ call: RunningCall) async throws -> NewRecoveryCode {
        guard passcode.isSet else { throw KeychainFailure.itemNotFound }
        try await call.askForPasscode(to: "make a recovery code")
        do {
            let code = try passcode.makeRecoveryCode()
            note(.recoveryCodeMade, factors: [.passcode])
            return NewRecoveryCode(code)
        } catch {
            throw KeychainFailure.storeUnavailable
        }
    }

    func recover(_ code: SecretBytes, _ call: RunningCall) async throws -> Done {
        guard passcode.hasRecoveryCode else { throw KeychainFailure.itemNotFound }
        switch await withCheckedContinuation({ done in passcode.checkRecoveryCode(code) { done.resume(returning: $0) } }) {
        case .right:
            device.clearMisses()
            note(.recovered)
        case .wrong, .failed, .changedElsewhere, .expired, .locked, .waits:
            note(.recovered, failure: .authenticationFailed)
            throw KeychainFailure.authenticationFailed
        }
        try Task.checkCancellation()
        // If the passcode was the account's password, it stays so: only the slot had fallen behind.
        let wasAccounts = passcode.source == .account && device.parts.account != nil
        return wasAccounts ? try await takeAccountPassword(call, []) : try await choosePasscode(call, [])
    }

    // MARK: The new one

    /// Takes the account's password. It is judged like every other guess: counted, delayed, and noted in the audit if it is wrong.
    ///
    /// - Parameter shown: what the owner has shown for the change.
    private func takeAccountPassword(_ call: RunningCall, _ shown: Set<Factor>) async throws -> Done {
        let replaces = passcode.isSet
        let given: Given
        do {
            given = try await call.ask(
                Demands([[.passcode]]), PromptWords(ours: "make the account's password the passcode"), judge: .newPasscode)
        } catch let failure as EvaluationFailure {
            note(.passcodeSet, failure: failure.keychainFailure)
            throw failure.keychainFailure
        }
        guard let accepted = given.accepted else { throw KeychainFailure.authenticationFailed }
        try await keep(accepted, from: .account, replaces: replaces, shown)
        return Done()
    }

    /// Has the owner type a new passcode twice, and compares the two.
    private func choosePasscode(_ call: RunningCall, _ shown: Set<Factor>) async throws -> Done {
        let replaces = passcode.isSet
        let words = PromptWords(ours: "choose a new passcode")
        let screen: Screen
        do {
            screen = try await Screen(for: call)
        } catch let failure as EvaluationFailure {
            throw failure.keychainFailure
        }
        var notice: PromptNotice?
        while true {
            screen.show(.choosePasscode, words, notice)
            let first = try await screen.typed()
            guard (PasscodeLimit.least...PasscodeLimit.most).contains(first.count) else {
                notice = .passcodeTooShort(least: PasscodeLimit.least)
                continue
            }
            screen.show(.repeatPasscode, words, nil)
            guard first == (try await screen.typed()) else {
                notice = .passcodesDiffer
                continue
            }
            screen.looks()
            do {
                try await keep(first, from: .own, replaces: replaces, shown)
                screen.close(.success)
                return Done()
            } catch {
                screen.close(.failure)
                throw error
            }
        }
    }

    /// - Parameter replaces: whether there was a passcode when this change was allowed. If another call has set or removed one since, the
    ///   owner never allowed this change to what is there now.
    private func keep(
        _ typed: SecretBytes, from source: PasscodeSource, replaces: Bool, _ shown: Set<Factor>
    ) async throws {
        guard passcode.isSet == replaces else { throw KeychainFailure.authenticationFailed }
        let isKept = await withCheckedContinuation { done in passcode.set(typed, from: source) { done.resume(returning: $0) } }
        device.environmentMayHaveChanged()
        note(.passcodeSet, failure: isKept ? nil : .storeUnavailable, factors: isKept ? shown : [])
        if !isKept { throw KeychainFailure.storeUnavailable }
    }
}
