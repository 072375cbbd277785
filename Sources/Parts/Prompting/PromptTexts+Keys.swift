import ThumbAccess

// Which text says what. None of these has a `default`, so nothing that a prompt may have to say is without words.

extension PromptTexts {
    func asking(_ kind: CallerClass) -> PromptText {
        switch kind {
        case .consented: .asking
        case .sandboxed: .askingSandboxed
        case .protected: .askingProtected
        }
    }

    /// How surely the program is known, if more than its name shows it.
    func known(_ kind: CallerClass) -> PromptText? {
        switch kind {
        case .consented: nil
        case .sandboxed: .knownSandboxed
        case .protected: .knownProtected
        }
    }

    func place(_ place: ProgramPlace) -> PromptText {
        switch place {
        case .system: .placeSystem
        case .changeable: .placeChangeable
        case .gone: .placeGone
        case .elsewhere: .placeElsewhere
        case .unseen: .placeUnseen
        }
    }

    func signIn(_ purpose: StatementPurpose) -> PromptText {
        switch purpose {
        case .signIn: .signIn
        case .register: .signInRegister
        case .changePassword: .signInChangePassword
        case .removePassword: .signInRemovePassword
        case .endSessions: .signInEndSessions
        case .revokeDevice: .signInRevokeDevice
        case .deleteAccount: .signInDeleteAccount
        }
    }

    func sensor(_ kind: BiometryKind, orPasscode: Bool) -> PromptText? {
        switch (kind, orPasscode) {
        case (.touchID, true): .sensorFingerOrPasscode
        case (.touchID, false): .sensorFinger
        case (.faceID, true): .sensorFaceOrPasscode
        case (.faceID, false): .sensorFace
        case (.none, true): nil
        case (.none, false): .sensorNone
        }
    }

    func picture(of kind: BiometryKind) -> PromptText {
        switch kind {
        case .touchID: .pictureFinger
        case .faceID: .pictureFace
        case .none: .picturePasscode
        }
    }

    func field(_ purpose: PromptPurpose) -> PromptText {
        switch purpose {
        case .evaluate: .fieldPasscode
        case .choosePasscode: .fieldNew
        case .repeatPasscode: .fieldAgain
        case .accountPassword: .fieldAccount
        case .systemPassword: .fieldSystem
        }
    }

    /// The text of a notice in a prompt that asks for a password of the system's instead of the passcode.
    func passwordNotice(_ notice: PromptNotice) -> PromptText {
        switch notice {
        case .wrongPasscode: .noticeWrongPassword
        case .passcodeUnchecked: .noticePasswordUnchecked
        case .biometryLocked: .noticeFingerLocked
        case .missed, .retry, .passcodeWaits, .passcodesDiffer, .passcodeTooShort, .question, .accountPasswordChanged,
            .accountPasswordExpired, .accountLocked:
            self.notice(notice)
        }
    }

    func notice(_ notice: PromptNotice) -> PromptText {
        switch notice {
        case .missed(let left): left > 0 ? .noticeMissedLeft : .noticeMissed
        case .retry(.again): .noticeAgain
        case .retry(.tooShort): .noticeTooShort
        case .retry(.centre): .noticeCentre
        case .retry(.liftAndRepeat): .noticeLift
        case .wrongPasscode: .noticeWrongPasscode
        case .passcodeUnchecked: .noticeUnchecked
        case .passcodeWaits: .noticeTpmWaits
        case .biometryLocked: .noticeLocked
        case .passcodesDiffer: .noticeDiffer
        case .passcodeTooShort: .noticeLength
        case .question: .noticeQuestion
        case .accountPasswordChanged: .noticePasswordChanged
        case .accountPasswordExpired: .noticePasswordExpired
        case .accountLocked: .noticeAccountLocked
        }
    }

    /// The words that a notice's text has in braces.
    func words(of notice: PromptNotice) -> [String: String] {
        switch notice {
        case .missed(let left): ["left": String(left)]
        case .passcodeTooShort(let least): ["least": String(least), "most": String(PasscodeLimit.most)]
        case .question(let question): ["question": SafeText(question.text, limit: 200).description]
        case .retry, .wrongPasscode, .passcodeUnchecked, .passcodeWaits, .biometryLocked, .passcodesDiffer,
            .accountPasswordChanged, .accountPasswordExpired, .accountLocked:
            [:]
        }
    }
}
