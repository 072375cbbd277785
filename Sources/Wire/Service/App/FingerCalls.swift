import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop

// Listing, enrolling and forgetting fingers. fprintd lets a daemon of root's change anybody's fingers, and a user's own programs that
// user's. Only the passcode, which is asked for every time, keeps a stranger at an open laptop from adding a finger.
extension App {
    private func keeper() throws -> any FingerKeeper {
        guard let keeper = device.parts.fingers else { throw EnrollingFailure.noReader }
        return keeper
    }

    func listFingers() async throws -> EnrolledFingers {
        let keeper = try keeper()
        return try await withCheckedContinuation { done in keeper.fingers { done.resume(returning: $0) } }.get()
    }

    func enroll(_ finger: Finger, _ call: RunningCall) async throws -> EnrollingEnded {
        let keeper = try await keeperAfterPasscode("enroll a finger", call)
        // Between the passcode's verdict and this there was neither a prompt nor anything else that a lock would have ended.
        if device.isLocked { throw EnrollingFailure.cancelled }
        var isStopped = false
        let stop = { @OnLoop in
            isStopped = true
            keeper.stopEnrolling()
        }
        call.onLock = stop
        let failure: EnrollingFailure? = await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                keeper.enroll(finger) { [self] report in
                    switch report {
                    case .progress(let progress): if !isStopped { send(progress, call.number) }
                    case .ended(let failure): done.resume(returning: failure)
                    }
                }
            }
        } onCancel: {
            OnLoop.assumed { stop() }
        }
        // A finger that is enrolled stays so, whether or not anybody still waits for the answer.
        if isStopped, failure == .cancelled { throw EnrollingFailure.cancelled }
        return changed(.fingerEnrolled, failure)
    }

    func forget(_ finger: Finger?, _ call: RunningCall) async throws -> EnrollingEnded {
        let keeper = try await keeperAfterPasscode("forget an enrolled finger", call)
        let failure = await withCheckedContinuation { done in keeper.forget(finger) { done.resume(returning: $0) } }
        return changed(.fingerForgotten, failure)
    }

    private func keeperAfterPasscode(_ reason: String, _ call: RunningCall) async throws -> any FingerKeeper {
        let keeper = try keeper()
        guard device.parts.passcode.isSet else { throw EnrollingFailure.notPermitted }
        try await call.askForPasscode(to: reason)
        return keeper
    }

    private func changed(_ event: AuditEvent, _ failure: EnrollingFailure?) -> EnrollingEnded {
        note(event, failure: failure == nil ? nil : .internalFailure, factors: [.passcode])
        device.environmentMayHaveChanged()
        return EnrollingEnded(failure)
    }
}
