import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop

/// Makes sure that notes are on disk within a second, and that nobody has to wait while the audit is read back.
@OnLoop final class AuditDesk {
    /// Half of the promised second, because the write itself takes time too.
    private static let delay = 0.5
    /// How long repetitions are only counted before they are written down.
    private static let secondsOfRepeats = 60.0

    private typealias Verified = (Result<AuditReport, KeychainFailure>) -> Void

    /// One verification, and everybody who waits for its result.
    private struct Verification {
        let program: AuditProgram?
        var progress = AuditProgress()
        var answers: [Verified]
    }

    let trail: any AuditTrail
    private let log: (String) -> Void
    private var timer: LoopTimer?
    private var settling: LoopTimer?
    /// The first one runs; the others wait.
    private var line: [Verification] = []
    /// Pieces of verifications read so far. It exists for tests, which count turns instead of seconds.
    private(set) var pieces = 0

    init(_ trail: any AuditTrail, _ log: @escaping (String) -> Void) {
        self.trail = trail
        self.log = log
    }

    // MARK: Writing

    /// Schedules two writes: of waiting notes within a second, and of counted repetitions after a longer time.
    private func plan() {
        if timer == nil { timer = EventLoop.shared.after(Self.delay) { [weak self] in self?.flushNow() } }
        guard settling == nil else { return }
        settling = EventLoop.shared.after(Self.secondsOfRepeats) { [weak self] in
            guard let self else { return }
            settling = nil
            settleNow()
        }
    }

    /// Writes the waiting notes now. If that fails, it is logged, and the notes go on waiting.
    func flushNow() {
        timer?.cancel()
        timer = nil
        do {
            try trail.flush()
        } catch {
            log("the audit can't be written just now")
        }
    }

    /// The same, including repetitions that were only counted so far, so that the disk lacks nothing.
    func settleNow() {
        trail.settle()
        flushNow()
    }

    // MARK: Reading

    /// A page of the audit, up to this moment.
    func read(from place: UInt64, of program: AuditProgram?) throws(KeychainFailure) -> AuditPage {
        settleNow()
        return try trail.records(from: place, limit: WireLimit.auditRecords, of: program)
    }

    /// Verifies the audit, a piece in each turn of the loop and one verification at a time. A waiting verification of the same records is
    /// shared. One that runs already isn't: a record that it has passed may have been altered since.
    func verify(of program: AuditProgram?, _ answer: @escaping (Result<AuditReport, KeychainFailure>) -> Void) {
        settleNow()
        if let place = line.indices.dropFirst().first(where: { line[$0].program == program }) {
            line[place].answers.append(answer)
            return
        }
        line.append(Verification(program: program, answers: [answer]))
        if line.count == 1 { goOn() }
    }

    private func goOn() { _ = EventLoop.shared.after(0) { [weak self] in self?.readPiece() } }

    private func readPiece() {
        guard !line.isEmpty else { return }
        pieces += 1
        do throws(KeychainFailure) {
            let isAtEnd = try trail.verifyAudit(
                &line[0].progress, limit: WireLimit.auditRecordsVerified, of: line[0].program)
            guard isAtEnd else { return goOn() }
            end(.success(line[0].progress.report))
        } catch {
            end(.failure(error))
        }
    }

    private func end(_ result: Result<AuditReport, KeychainFailure>) {
        let ended = line.removeFirst()
        if !line.isEmpty { goOn() }
        for answer in ended.answers { answer(result) }
    }
}

extension AuditDesk: @OnLoop AuditTrail {
    func note(_ note: AuditNote) {
        trail.note(note)
        plan()
    }

    func noting<Result>(
        _ notes: [AuditNote], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result {
        let result = try trail.noting(notes, write)
        plan()
        return result
    }

    func settle() { trail.settle() }

    func flush() throws(KeychainFailure) { try trail.flush() }

    func records(from place: UInt64, limit: Int, of program: AuditProgram?) throws(KeychainFailure) -> AuditPage {
        try trail.records(from: place, limit: limit, of: program)
    }

    func verifyAudit(
        _ progress: inout AuditProgress, limit: Int, of program: AuditProgram?
    ) throws(KeychainFailure) -> Bool {
        try trail.verifyAudit(&progress, limit: limit, of: program)
    }
}
