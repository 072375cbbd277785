public import ThumbAccess
public import ThumbAuthentication
import ThumbBus
import ThumbLoop

/// Enrolling and forgetting fingers, each under a claim of its own.
extension Fingerprint: @OnLoop FingerKeeper, @OnLoop FingerReader {
    /// Seconds without a touch after which an enrolment ends.
    private static let enrollingPatience = 120.0

    public func fingers(_ answer: @escaping (Result<EnrolledFingers, EnrollingFailure>) -> Void) {
        EventLoop.shared.spawn { [self] in
            do throws(BusError) {
                let line = try connected()
                guard let reader = try await line.defaultReader() else { return answer(.failure(.noReader)) }
                found(reader)
                let fingers = try await line.fingers(reader, of: place.user)
                know(fingers)
                answer(.success(EnrolledFingers(fingers: fingers, isSwipe: reader.isSwipe)))
            } catch {
                answer(.failure(failure(error)))
            }
        }
    }

    public func enroll(_ finger: Finger, _ report: @escaping (EnrollingReport) -> Void) {
        guard enrolling == nil else { return report(.ended(.busy)) }
        let inbox = StatusInbox()
        enrolling = inbox
        enrollingTurn = begin(for: inbox) { [self] in
            let failure = await enroll(finger, inbox, report)
            if enrolling === inbox { enrolling = nil }
            lookAgain()
            report(.ended(failure))
            wasListenedTo()
            _ = await StatusInbox().next(within: restAfterEnrolling)
        }
    }

    public func stopEnrolling() {
        enrolling?.put(.stopped)
        enrolling = nil
        enrollingTurn?.giveUp()
        enrollingTurn = nil
    }

    public func forget(_ finger: Finger?, _ answer: @escaping (EnrollingFailure?) -> Void) {
        let inbox = StatusInbox()
        _ = begin(for: inbox) { [self] in
            do throws(BusError) {
                guard let claim = try await ReaderClaim.patiently(self, for: inbox) else { return answer(.noReader) }
                var failed: BusError?
                do throws(BusError) {
                    try await claim.line.forget(finger, claim.reader)
                    _ = try await claim.fingers()
                } catch {
                    failed = error
                }
                await claim.release(ownerLost: false)
                answer(failed.map(failure))
            } catch {
                answer(failure(error))
            }
        }
    }

    private func enroll(
        _ finger: Finger, _ inbox: StatusInbox, _ report: (EnrollingReport) -> Void
    ) async -> EnrollingFailure? {
        if inbox.isOver { return .cancelled }
        do {
            guard let claim = try await ReaderClaim.patiently(self, for: inbox) else { return .noReader }
            var ending: EnrollingFailure?
            var ownerLost = false
            do {
                try await claim.line.startEnrolling(finger, claim.reader)
                ending = await stages(claim.reader.stages, inbox, report, &ownerLost)
                if !ownerLost { try await claim.line.stopEnrolling(claim.reader) }
                if !ownerLost { _ = try await claim.fingers() }
            } catch {
                // Once a finger is enrolled it stays, whatever fprintd says afterwards.
                ending = ending ?? failure(error)
            }
            await claim.release(ownerLost: ownerLost)
            return ending
        } catch {
            return failure(error)
        }
    }

    private func stages(
        _ stages: Int, _ inbox: StatusInbox, _ report: (EnrollingReport) -> Void, _ ownerLost: inout Bool
    ) async -> EnrollingFailure? {
        var done = 0
        report(.progress(EnrollingProgress(done: 0, stages: stages)))
        while true {
            switch await inbox.next(within: Self.enrollingPatience) {
            case .stopped: return .cancelled
            case .timedOut, .mustEnd: return .failed
            case .ownerLost:
                ownerLost = true
                return .failed
            case .awayChanged: if !absences.isEmpty { return .cancelled }
            case .finger: break
            case .status(let name, let isDone):
                switch EnrollStatus(name, isDone: isDone) {
                case .stage:
                    done = min(done + 1, stages)
                    report(.progress(EnrollingProgress(done: done, stages: stages)))
                case .retry(let hint): report(.progress(EnrollingProgress(done: done, stages: stages, hint: hint)))
                case .ended(nil):
                    report(.progress(EnrollingProgress(done: stages, stages: stages)))
                    return nil
                case .ended(let failure): return failure
                }
            }
        }
    }

    private func failure(_ error: BusError) -> EnrollingFailure {
        if error.code == .wrongOwner || error.code == .noOwner || error.code == .disconnected { return .noReader }
        return switch FprintRefusal(error) {
        case .inUse: .busy
        case .noPrints: .notEnrolled
        case .noDevice: .noReader
        case .notPermitted: .notPermitted
        case .trouble: .failed
        }
    }
}
