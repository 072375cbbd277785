internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbLoop

/// Listing, enrolling and forgetting fingers. fprintd lets a root daemon change anybody's, and a user's own programs theirs: what
/// keeps a stranger at an open laptop from adding a finger is the passcode, asked for here, each time.
@OnLoop final class FingerCall {
    private let calls: AppCalls
    private let call: UInt32
    private var isEnrolling = false

    init(_ calls: AppCalls, _ call: UInt32) {
        self.calls = calls
        self.call = call
    }

    private var keeper: (any FingerKeeper)? { calls.device.parts.fingers }

    func list() {
        guard let keeper else { return end(.noReader) }
        keeper.fingers { [weak calls, call] result in
            switch result {
            case .success(let fingers): calls?.send(.fingers(fingers), call)
            case .failure(let failure): calls?.send(.enrollingEnded(failure), call)
            }
        }
    }

    func enroll(_ finger: Finger) throws(Refusal) {
        try afterPasscode("enroll a finger") { [self] keeper in
            do throws(Refusal) {
                try calls.begin(self, call)
            } catch {
                return calls.refuse(error, call)
            }
            isEnrolling = true
            keeper.enroll(finger) { [self] report in
                // Taken back: what still comes of it is nobody's.
                guard isEnrolling else { return }
                switch report {
                case .progress(let progress): calls.send(.enrolling(progress), call)
                case .ended(let failure):
                    isEnrolling = false
                    calls.endFinger(call)
                    changed(.fingerEnrolled, failure)
                }
            }
        }
    }

    func forget(_ finger: Finger?) throws(Refusal) {
        try afterPasscode("forget an enrolled finger") { [self] keeper in
            keeper.forget(finger) { [self] failure in changed(.fingerForgotten, failure) }
        }
    }

    /// The app is gone, or the session was locked.
    func withdraw() {
        guard isEnrolling else { return }
        isEnrolling = false
        keeper?.stopEnrolling()
    }

    func interrupt() {
        guard isEnrolling else { return }
        withdraw()
        calls.endFinger(call)
        end(.cancelled)
    }

    private func end(_ failure: EnrollingFailure?) { calls.send(.enrollingEnded(failure), call) }

    private func changed(_ event: AuditEvent, _ failure: EnrollingFailure?) {
        calls.note(event, failure: failure == nil ? nil : .internalFailure, factors: [.passcode])
        calls.device.environmentMayHaveChanged()
        end(failure)
    }

    private func afterPasscode(_ reason: String, then: @escaping (any FingerKeeper) -> Void) throws(Refusal) {
        guard let keeper else { return end(.noReader) }
        guard calls.device.parts.passcode.isSet else { return end(.notPermitted) }
        try PasscodeCall(calls, call).afterPasscode(reason) { then(keeper) }
    }
}
