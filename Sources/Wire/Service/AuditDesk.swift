internal import ThumbAccess
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// Sees to it that what is noted is on disk within a second.
@OnLoop final class AuditDesk: @OnLoop AuditTrail {
    /// Half of what is promised: the write itself takes time too.
    private static let delay = 0.5

    private let trail: any AuditTrail
    private let log: (String) -> Void
    private var timer: LoopTimer?

    init(_ trail: any AuditTrail, _ log: @escaping (String) -> Void) {
        self.trail = trail
        self.log = log
    }

    func note(_ record: AuditRecord) {
        trail.note(record)
        plan()
    }

    func noting<Result>(
        _ records: [AuditRecord], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result {
        let result = try trail.noting(records, write)
        plan()
        return result
    }

    func flush() throws(KeychainFailure) { try trail.flush() }

    func records(from number: UInt64, limit: Int) throws(KeychainFailure) -> [AuditRecord] {
        try trail.records(from: number, limit: limit)
    }

    func verifyAudit() throws(KeychainFailure) -> AuditReport {
        flushNow()
        return try trail.verifyAudit()
    }

    /// A page of what happened, the latest moment included.
    func read(from number: UInt64) throws(KeychainFailure) -> [AuditRecord] {
        flushNow()
        return try trail.records(from: number, limit: WireLimit.auditRecords)
    }

    /// Writes what waits, now; what can't be written is said, and waits on.
    func flushNow() {
        timer?.cancel()
        timer = nil
        do {
            try flush()
        } catch {
            log("the audit can't be written just now")
        }
    }

    private func plan() {
        guard timer == nil else { return }
        timer = EventLoop.shared.after(Self.delay) { [weak self] in self?.flushNow() }
    }
}
