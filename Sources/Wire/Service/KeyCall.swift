internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// Making and using a private key: the keychain's rules first, then the custodian's work, then the answer.
@OnLoop final class KeyCall {
    private let calls: AppCalls
    private let call: UInt32

    init(_ calls: AppCalls, _ call: UInt32) {
        self.calls = calls
        self.call = call
    }

    func make(_ new: NewKey) throws(Refusal) {
        let device = calls.device
        let custodian: any KeyCustodian
        do throws(KeychainFailure) {
            try device.keychain.checkNewKey(new, try authority(new.asking))
            guard let found = new.isEnclave ? device.enclave : device.parts.software else { throw .custodianAbsent }
            custodian = found
        } catch {
            return fail(error)
        }
        try calls.beginWork(call)
        custodian.make(new.kind) { [self] made in
            guard calls.endWork(call) else { return }
            answer { () throws(KeychainFailure) in
                // Anew: a custodian takes its time, and the world may be another when it is done.
                let authority = try authority(new.asking)
                return .key(try device.keychain.keep(made.get(), new, by: custodian.custodian, authority))
            }
        }
    }

    func use(_ use: KeyUse) throws(Refusal) {
        let keychain = calls.device.keychain
        try KeychainCall(calls, call, use.asking, tellsEvaluation: true).run { [self] (authority) throws(KeychainFailure) in
            try keychain.hold(use, authority).map { released in
                .begun { [self] () throws(Refusal) in try perform(use.operation, with: released) }
            }
        }
    }

    /// Has the custodian do what its key was released for.
    func perform(_ operation: KeyOperation, with released: ReleasedKey) throws(Refusal) {
        let parts = calls.device.parts
        let custodian: (any KeyCustodian)? = released.custodian == .software ? parts.software : parts.enclave
        guard let custodian else { return fail(.custodianAbsent) }
        try calls.beginWork(call)
        custodian.use(released.key, operation) { [self] result in
            guard calls.endWork(call) else { return }
            answer { () throws(KeychainFailure) in .keyUsed(KeyProduct(try result.get(), by: released.custodian)) }
        }
    }

    func allow(_ allowance: Allowance, _ isAllowed: Bool) throws(Refusal) {
        let reason = isAllowed ? "allow \(allowance.name)" : "no longer allow \(allowance.name)"
        try PasscodeCall(calls, call).afterPasscode(reason) { [self] in
            answer { () throws(KeychainFailure) in
                try calls.device.allowances.set(allowance, isAllowed)
                calls.note(.allowanceChanged)
                return .done
            }
        }
    }

    private func authority(_ asking: AskingTerms) throws(KeychainFailure) -> Authority {
        let context = calls.context(asking.context)
        if context.isInvalidated { throw .authenticationFailed }
        return try calls.device.authority(
            for: calls.caller, context: context, applicationKey: calls.applicationKey(asking.context))
    }

    private func answer(_ body: () throws(KeychainFailure) -> Answer) {
        do throws(KeychainFailure) {
            calls.send(try body(), call)
        } catch {
            fail(error)
        }
    }

    private func fail(_ failure: KeychainFailure) { calls.send(.failed(failure), call) }
}
