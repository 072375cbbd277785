public import ThumbAccess

// Converts between what the owner is asked and what a statement says: the wire has a number for it, the page a word.

extension Purpose {
    public init(_ asked: StatementPurpose) {
        self =
            switch asked {
            case .signIn: .signIn
            case .register: .register
            case .changePassword: .changePassword
            case .removePassword: .removePassword
            case .endSessions: .endSessions
            case .revokeDevice: .revokeDevice
            case .deleteAccount: .deleteAccount
            }
    }
}

extension StatementPurpose {
    public init(_ written: Purpose) {
        self =
            switch written {
            case .signIn: .signIn
            case .register: .register
            case .changePassword: .changePassword
            case .removePassword: .removePassword
            case .endSessions: .endSessions
            case .revokeDevice: .revokeDevice
            case .deleteAccount: .deleteAccount
            }
    }
}
