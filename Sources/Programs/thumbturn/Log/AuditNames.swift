import ThumbAccess

/// The audit's terms, for people and for programs.
enum AuditNames {
    static func ring(_ ring: AuditRing) -> String {
        switch ring {
        case .earlier: "earlier"
        case .protection: "protection"
        case .notice: "notice"
        case .everyday: "everyday"
        }
    }

    static func what(_ event: AuditEvent) -> String {
        switch event {
        case .released: "released"
        case .added: "added"
        case .changed: "changed"
        case .removed: "removed"
        case .evaluated: "evaluated"
        case .died: "sealed for good"
        case .passcodeSet: "passcode set"
        case .passcodeRemoved: "passcode removed"
        case .recoveryCodeMade: "recovery code made"
        case .recovered: "recovery code used"
        case .appJudged: "app judged"
        case .exported: "exported"
        case .imported: "imported"
        case .keyUsed: "key used"
        case .statementSigned: "statement signed"
        case .allowanceChanged: "allowance changed"
        case .fingerEnrolled: "finger enrolled"
        case .fingerForgotten: "finger forgotten"
        case .auditRead: "log read"
        case .companionPaired: "companion paired"
        case .companionRemoved: "companion removed"
        case .companionAnswered: "answered for a companion"
        }
    }

    static func outcome(_ failure: KeychainFailure?) -> String {
        switch failure {
        case nil: "done"
        case .userCanceled: "cancelled"
        case .authenticationFailed: "refused"
        case .interactionNotAllowed: "could not ask"
        case .damaged: "damaged"
        default: "failed"
        }
    }
}
