import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop

/// Sees to it that what is noted is on disk within a second, and that reading it back keeps nobody waiting.
@OnLoop final class AuditDesk {
    /// Half of what is promised: the write itself takes time too.
    private static let delay = 0.5
    /// How long a repetition may be counted before it is written down.
    private static let secondsOfRepeats = 60.0

    private typealias Verified = (Result<AuditReport, KeychainFailure>) -> Void

    /// One verification, and who wants to know.
    private struct Verification {
        let program: AuditProgram?
        var progress = AuditProgress()
        var answers: [Verified]
    }

    let trail: any AuditTrail
    private let log: (String) -> Void
    private var timer: LoopTimer?
    private var settling: LoopTimer?
    /// The first runs, the others wait for their turn.
    private var line: [Verification] = []
    /// Pieces of verifications read so far: for tests, which count turns and not seconds.
    private(set) var pieces = 0

    init(_ trail: any AuditTrail, _ log: @escaping (String) -> Void) {
        self.trail = trail
        self.log = log
    }

    // MARK: Writing

    /// Has what counts repetitions written from time to time, and what waits within a second.
    private func plan() {
        if timer == nil { timer = EventLoop.shared.after(Self.delay) { [weak self] in self?.flushNow() } }
        guard settling == nil else { return }
        settling = EventLoop.shared.after(Self.secondsOfRepeats) { [weak self] in
            guard let self else { return }
            settling = nil
            settleNow()
        }
    }

    /// Writes what waits, now; what can't be written is said, and waits on.
    func flushNow() {
        timer?.cancel()
        timer = nil
        do {
            try trail.flush()
        } catch {
            log("the audit can't be written just now")
        }
    }

    /// The same with what was only counted so far: nothing that happened is missing on disk.
    func settleNow() {
        trail.settle()
        flushNow()
    }

    // MARK: Reading

    /// A page of what happened, the latest moment included.
    func read(from place: UInt64, of program: AuditProgram?) throws(KeychainFailure) -> AuditPage {
        settleNow()
        return try trail.records(from: place, limit: WireLimit.auditRecords, of: program)
    }

    /// Verifies, a piece each turn of the loop and one verification at a time. Who asks for the same as one that waits shares its
    /// answer; one that runs already doesn't do, for it has passed what may have been altered since.
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
