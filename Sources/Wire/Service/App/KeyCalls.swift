import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import ThumbSignIn

// Private keys: the keychain's rules first, then the custodian's work, then the answer.
extension App {
    func makeKey(_ new: NewKey, _ call: RunningCall) async throws -> KeyRecord {
        let inquiry = Inquiry(self, new.asking, groups: [new.attributes[.group]])
        try await inquiry.settle(call) { [device] (_) throws(KeychainFailure) in
            try device.keychain.checkNewKey(new, try authority(new.asking.context))
            return .done(())
        }
        guard let custodian = new.isEnclave ? device.enclave : device.parts.software else {
            throw KeychainFailure.custodianAbsent
        }
        let made = try await call.wait { custodian.make(new.kind, $0) }.get()
        // The authority is determined again: a custodian takes its time, and things may have changed when it is done.
        return try device.keychain.keep(made, new, by: custodian.custodian, try authority(new.asking.context))
    }

    func keepKey(_ asked: KeepKey, _ call: UInt32) throws(Refusal) {
        let inquiry = Inquiry(self, AskingTerms(), groups: [asked.attributes[.group]])
        try answer(asked, call, inquiry, nil) { [device] (authority) throws(KeychainFailure) in
            .done(try device.keychain.keepKey(asked.detached, asked.attributes, authority))
        }
    }

    func readKey(_ asked: ReadKey, _ call: UInt32) throws(Refusal) {
        try answer(asked, call, Inquiry(self, AskingTerms()), nil) { [device] (authority) throws(KeychainFailure) in
            .done(try device.keychain.readKey(asked.detached, authority))
        }
    }

    func useKey(_ use: KeyUse, _ call: RunningCall) async throws -> KeyProduct {
        let inquiry = Inquiry(self, use.asking, tellsEvaluation: true)
        let released = try await inquiry.settle(call) { [device] (authority) throws(KeychainFailure) in
            try device.keychain.hold(use, authority)
        }
        return try await perform(use.operation, with: released, call)
    }

    /// Signs in: checks the words, asks the owner with them, and has the key sign a statement that is composed here.
    ///
    /// The owner is asked each time. If a yes for something else, for another origin, or from an unlock of the session counted, an app
    /// could sign in silently.
    func signStatement(_ use: StatementUse, _ call: RunningCall) async throws -> KeyProduct {
        let request = StatementRequest(use)
        // The app only decides whether there is a fallback. None of its own words stand beside origin and account.
        var asking = use.asking
        asking.words = PromptWords(reason: "", fallbackTitle: use.asking.words.fallbackTitle == "" ? "" : nil)
        let inquiry = Inquiry(self, asking, signIn: use.words, tellsEvaluation: true)
        let (statement, released) = try await inquiry.settle(call) { [device] (authority) throws(KeychainFailure) in
            guard let request else { throw .parameter }
            return try device.keychain.hold(use, authority).map { (request, $0) }
        }
        let parts = device.parts
        guard let id = parts.spki(released.key.publicKey).flatMap(parts.sha256).flatMap(Digest32.init),
            let digest = parts.sha256(statement.statement(of: DeviceID(id)).bytes)
        else { throw KeychainFailure.internalFailure }
        return try await perform(.sign(digest: digest, .ecdsa), with: released, call)
    }

    /// Has the custodian perform the operation that the key was released for.
    private func perform(
        _ operation: KeyOperation, with released: ReleasedKey, _ call: RunningCall
    ) async throws -> KeyProduct {
        let custodian: (any KeyCustodian)? = released.custodian == .software ? device.parts.software : device.parts.enclave
        guard let custodian else { throw KeychainFailure.custodianAbsent }
        let product = try await call.wait { custodian.use(released.key, operation, $0) }.get()
        return KeyProduct(product, by: released.custodian)
    }

    func allow(_ asked: Allow, _ call: RunningCall) async throws -> Done {
        guard !asked.isAllowed || device.mayAllow(asked.allowance) else { throw KeychainFailure.unsupported }
        try await call.askForPasscode(to: asked.words)
        try await device.allow(asked.allowance, asked.isAllowed)
        note(.allowanceChanged, factors: [.passcode])
        return Done()
    }
}

extension Allow {
    /// What the prompt says that the program wants to do.
    fileprivate var words: String {
        switch (allowance, isAllowed) {
        case (.openByFinger, true): "let this machine open your secrets when you log in by finger"
        case (.openByFinger, false): "keep your secrets shut until the passcode, also after a login by finger"
        case (.softwareKeys, true), (.weakEnrolment, true): "allow \(allowance.name)"
        case (.softwareKeys, false), (.weakEnrolment, false): "no longer allow \(allowance.name)"
        }
    }
}

extension StatementRequest {
    /// nil unless a statement may contain every word.
    fileprivate init?(_ use: StatementUse) {
        guard let origin = Origin(use.words.origin.text), let account = AccountName(use.words.account.text),
            let challenge = Challenge(use.challenge)
        else { return nil }
        self.init(origin: origin, account: account, purpose: Purpose(use.words.purpose), challenge: challenge)
    }
}
