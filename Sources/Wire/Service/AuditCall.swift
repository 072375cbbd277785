internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// One connection's reading of the audit: a program's own records at any time, the whole after the owner's passcode, which is good
/// for one reading from its first page to its last.
@OnLoop final class AuditCall {
    private unowned let calls: AppCalls
    /// Where the reading of the whole that was allowed goes on; nil where none is under way.
    private var next: UInt64?
    /// Whether the passcode was given for it: without one anybody may read, until one is set.
    private var wasAsked = false
    private var timer: LoopTimer?

    init(_ calls: AppCalls) { self.calls = calls }

    /// What was allowed isn't any more: the session was locked, or the app is gone.
    func end() {
        timer?.cancel()
        (timer, next) = (nil, nil)
    }

    func read(_ scope: AuditScope, _ place: UInt64, _ call: UInt32) throws(Refusal) {
        switch scope {
        case .own: page(place, of: AuditProgram(calls.caller), call)
        case .whole where place == 0:
            end()
            try afterPasscode("read what every program did", call) { [self] in
                wasAsked = calls.device.parts.passcode.isSet
                page(0, of: nil, call)
            }
        case .whole:
            // A passcode that was set meanwhile is asked for: what was begun without one doesn't go on.
            guard place == next, wasAsked || !calls.device.parts.passcode.isSet else {
                return calls.send(.failed(.authenticationFailed), call)
            }
            page(place, of: nil, call)
        }
    }

    func verify(_ scope: AuditScope, _ call: UInt32) throws(Refusal) {
        switch scope {
        case .own: try verify(AuditProgram(calls.caller), call)
        case .whole:
            try afterPasscode("check what every program did", call) { [self] in
                do throws(Refusal) {
                    try verify(nil, call)
                } catch {
                    calls.refuse(error, call)
                }
            }
        }
    }

    private func afterPasscode(_ reason: String, _ call: UInt32, then: @escaping () -> Void) throws(Refusal) {
        // Whatever runs it, a sandbox is there to keep its program from the others.
        guard calls.caller.kind != .sandboxed else {
            calls.note(.auditRead, failure: .missingEntitlement)
            return calls.send(.failed(.missingEntitlement), call)
        }
        guard calls.device.parts.passcode.isSet else {
            calls.note(.auditRead)
            return then()
        }
        try PasscodeCall(calls, call).afterPasscode(reason) { [calls] in
            calls.note(.auditRead, factors: [.passcode])
            then()
        }
    }

    private func page(_ place: UInt64, of program: AuditProgram?, _ call: UInt32) {
        if program == nil { end() }
        do throws(KeychainFailure) {
            guard program?.isKnown ?? true else { return calls.send(.audit(AuditAnswer([], next: nil)), call) }
            let page = try calls.device.audit.read(from: place, of: program)
            let records = try calls.device.keychain.shown(page, to: calls.caller)
            if program == nil, let next = page.next { goOn(at: next) }
            calls.send(.audit(AuditAnswer(records, next: page.next)), call)
        } catch {
            calls.send(.failed(error), call)
        }
    }

    private func goOn(at next: UInt64) {
        self.next = next
        timer = EventLoop.shared.after(WireLimit.secondsBetweenAuditPages) { [weak self] in self?.end() }
    }

    private func verify(_ program: AuditProgram?, _ call: UInt32) throws(Refusal) {
        guard program?.isKnown ?? true else { return calls.send(.auditReport(AuditReport()), call) }
        try calls.beginWork(call)
        calls.device.audit.verify(of: program) { [weak calls] result in
            guard let calls, calls.endWork(call) else { return }
            switch result {
            case .success(let report): calls.send(.auditReport(report), call)
            case .failure(let failure): calls.send(.failed(failure), call)
            }
        }
    }
}
