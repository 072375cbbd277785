public import ThumbAccess

// What the owner is asked about, and what stands in a statement: the wire's number and the page's word for the same two things.

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
