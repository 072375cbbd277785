import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop

/// One connection's permission to read the whole audit, which the owner's passcode gave. It is good for one reading, from the first page to
/// the last.
@OnLoop final class AuditReading {
    /// Where the reading goes on; nil if none is under way.
    fileprivate private(set) var next: UInt64?
    /// Whether the passcode was given for it. As long as no passcode is set, anybody may read.
    fileprivate var wasAsked = false
    private var timer: LoopTimer?

    /// The permission ends: the session was locked, or the app is gone.
    func end() {
        timer?.cancel()
        (timer, next) = (nil, nil)
    }

    fileprivate func goOn(at next: UInt64) {
        self.next = next
        timer = EventLoop.shared.after(WireLimit.secondsBetweenAuditPages) { [weak self] in self?.end() }
    }
}

// Reading the audit: a program may read its own records at any time, and all records after the owner's passcode.
extension App {
    func readAudit(_ asked: ReadAudit, _ call: UInt32) throws(Refusal) {
        switch asked.scope {
        case .own:
            answer(asked, call) { () throws(KeychainFailure) in try page(asked.place, of: AuditProgram(caller)) }
        case .whole where asked.place == 0:
            audit.end()
            try run(asked, call) { [self] running in
                try await allowWholeAudit("read what every program did", running)
                audit.wasAsked = device.parts.passcode.isSet
                return try page(0, of: nil)
            }
        case .whole:
            answer(asked, call) { () throws(KeychainFailure) in
                // If a passcode was set meanwhile, a reading that began without one doesn't go on.
                guard asked.place == audit.next, audit.wasAsked || !device.parts.passcode.isSet else {
                    throw .authenticationFailed
                }
                return try page(asked.place, of: nil)
            }
        }
    }

    func verifyAudit(_ scope: AuditScope, _ call: RunningCall) async throws -> AuditReport {
        let program = scope == .own ? AuditProgram(caller) : nil
        if scope == .whole { try await allowWholeAudit("check what every program did", call) }
        guard program?.isKnown ?? true else { return AuditReport() }
        return try await call.wait { device.audit.verify(of: program, $0) }.get()
    }

    private func allowWholeAudit(_ reason: String, _ call: RunningCall) async throws {
        // A sandbox separates its program from the others, whatever runs it, so the program may not read their records.
        guard caller.kind != .sandboxed else {
            note(.auditRead, failure: .missingEntitlement)
            throw KeychainFailure.missingEntitlement
        }
        let isAsked = device.parts.passcode.isSet
        if isAsked { try await call.askForPasscode(to: reason) }
        note(.auditRead, factors: isAsked ? [.passcode] : [])
    }

    private func page(_ place: UInt64, of program: AuditProgram?) throws(KeychainFailure) -> AuditAnswer {
        if program == nil { audit.end() }
        guard program?.isKnown ?? true else { return AuditAnswer([], next: nil) }
        let page = try device.audit.read(from: place, of: program)
        let records = try device.keychain.shown(page, to: caller)
        if program == nil, let next = page.next { audit.goOn(at: next) }
        return AuditAnswer(records, next: page.next)
    }
}
