import ThumbAccess
import ThumbAuthentication
import ThumbBus
import ThumbLoop

/// One watch for the owner's finger, from `listen` to `stop`. It claims the reader, verifies until there is a result, and
/// releases the reader however it ends.
@OnLoop final class FingerWatching {
    private enum Ending {
        case stopped
        case matched
        /// The enrolment changed while a finger was looked at, so there is no verdict.
        case changed
        case away
        case busy
        /// Something failed that may work the next time.
        case trouble
        case unplugged
        /// There is no reader, or no finger enrolled, or others have waited for the reader for a long time.
        case hopeless
    }

    /// How many seconds another program may have the reader before this watch ends.
    private static let busyPatience = 10.0
    private static let busyPause = 0.25
    /// How many troubles in a row end this watch. A reader that is only slow to come back gets another chance.
    private static let troubleLimit = 4
    private static let troublePause = 0.2

    private let fingerprint: Fingerprint
    private let inbox: StatusInbox
    private let report: (BiometryReport) -> Void
    private var troubles = 0
    private var ownerLost = false
    private var hasSaidToLift = false

    init(_ fingerprint: Fingerprint, _ inbox: StatusInbox, _ report: @escaping (BiometryReport) -> Void) {
        self.fingerprint = fingerprint
        self.inbox = inbox
        self.report = report
    }

    func run() async {
        var busySince: Double?
        while !inbox.isOver {
            if inbox.mustEnd { return fail() }
            if !fingerprint.absences.isEmpty {
                _ = await inbox.next()
                continue
            }
            let ending = await round()
            if ending != .busy { busySince = nil }
            switch ending {
            case .stopped, .matched: return
            case .away: continue
            case .changed, .hopeless: return fail()
            case .unplugged:
                fingerprint.readerIsGone()
                return fail(.disconnected)
            case .busy:
                let since = busySince ?? EventLoop.now
                busySince = since
                guard EventLoop.now - since < Self.busyPatience else { return fail() }
                _ = await inbox.next(within: Self.busyPause)
            case .trouble:
                troubles += 1
                guard troubles < Self.troubleLimit else { return fail() }
                _ = await inbox.next(within: Self.troublePause * Double(troubles))
            }
        }
    }

    private func fail(_ ending: BiometryReport = .failed) {
        guard !inbox.isOver else { return }
        fingerprint.doubt()
        report(ending)
    }

    /// Claims, verifies, releases.
    private func round() async -> Ending {
        ownerLost = false
        let wasThere = fingerprint.reader != nil
        let claim: ReaderClaim
        do {
            // A reader that was there when it was last asked about, and that fprintd no longer has, was unplugged.
            guard let made = try await ReaderClaim.make(fingerprint, for: inbox) else {
                return wasThere ? .unplugged : .hopeless
            }
            claim = made
        } catch {
            return ending(of: error)
        }
        let ending = inbox.isOver ? Ending.stopped : await verify(claim)
        await claim.release(ownerLost: ownerLost)
        return ending
    }

    private func ending(of error: BusError) -> Ending {
        switch error.code {
        case .wrongOwner: return .hopeless
        default: break
        }
        return switch FprintRefusal(error) {
        case .inUse: .busy
        case .noPrints, .noDevice, .notPermitted: .hopeless
        case .trouble: .trouble
        }
    }

    private func verify(_ claim: ReaderClaim) async -> Ending {
        do throws(BusError) {
            let fingers = try await claim.fingers()
            if fingers.isEmpty { return .hopeless }
            let before = fingerprint.presentEnrolment(fingers)
            while !inbox.isOver {
                if inbox.mustEnd { return .hopeless }
                if !fingerprint.absences.isEmpty { return .away }
                inbox.dropStatuses()
                let doubt = fingerprint.isDoubtful ? FingerDoubt(at: EventLoop.now) : nil
                try await claim.line.startVerifying(claim.reader)
                let ending = try await verdict(before, fingers, claim, doubt)
                // The code that waits for this touch goes first. There is time afterwards to tell the reader that it may rest.
                if ending == .matched { await Task.yield() }
                // This is needed even after a verification ended: fprintd begins another one only then. The result stands, whatever happens
                // here.
                do throws(BusError) {
                    if !ownerLost { try await claim.line.stopVerifying(claim.reader) }
                } catch {
                    if ending == nil { throw error }
                }
                if let ending { return ending }
            }
            return .stopped
        } catch {
            return inbox.isOver ? .stopped : ending(of: error)
        }
    }

    /// Waits for the result of one verification. nil if there must be another one: the finger missed, or had never left the reader.
    private func verdict(
        _ before: Enrolment, _ fingers: [Finger], _ claim: ReaderClaim, _ doubt: FingerDoubt?
    ) async throws(BusError) -> Ending? {
        var doubt = doubt
        while true {
            switch await inbox.next(within: doubt == nil ? nil : FingerDoubt.settling) {
            case .stopped: return .stopped
            case .mustEnd: return .hopeless
            case .ownerLost:
                ownerLost = true
                return .trouble
            case .awayChanged: if !fingerprint.absences.isEmpty { return .away }
            case .finger(let isPresent, let isNeeded):
                doubt?.hears(isPresent: isPresent, isNeeded: isNeeded, at: EventLoop.now)
            case .timedOut:
                guard let doubted = doubt else { break }
                switch doubted.state(isPresent: try await claim.line.fingerIsPresent(claim.reader), at: EventLoop.now) {
                case .looks: break
                case .lies: return nil
                case .hasLeft:
                    doubt = nil
                    fingerprint.fingerHasLeft()
                }
            case .status(let name, let isDone):
                let status = VerifyStatus(name, isDone: isDone)
                if doubt != nil, status.isTouch {
                    sayToLift()
                    _ = await inbox.next(within: FingerDoubt.settling)
                    return nil
                }
                switch status {
                case .retry(let hint):
                    troubles = 0
                    report(.retry(hint))
                case .noMatch:
                    troubles = 0
                    report(.miss)
                    return nil
                case .match: return match(before, fingers)
                case .disconnected: return .unplugged
                case .unknown: return .trouble
                }
            }
        }
    }

    /// The earlier touch doesn't count, and the owner is told once to lift the finger. Saying it each time would count as the owner's
    /// activity.
    private func sayToLift() {
        if !hasSaidToLift { report(.retry(.liftAndRepeat)) }
        hasSaidToLift = true
    }

    /// While we had the claim, nobody but root could change the enrolment. The templates tell whether root did.
    private func match(_ before: Enrolment, _ fingers: [Finger]) -> Ending {
        guard fingerprint.presentEnrolment(fingers) == before else { return .changed }
        report(.match(before))
        return .matched
    }
}
