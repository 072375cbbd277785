internal import ThumbAccess

/// The prompt's own words.
enum PromptTexts {
    /// How surely the program is known, where that is more than its name.
    static func known(_ kind: CallerClass) -> String {
        switch kind {
        case .consented: ""
        case .sandboxed: ", in a sandbox,"
        case .protected: ", a protected program,"
        }
    }

    static func invitation(_ content: PromptContent) -> String? {
        let cancel = content.words.cancelTitle.flatMap { $0.isEmpty ? nil : SafeText($0).description } ?? "cancel"
        let way: String? =
            switch (content.listening, content.acceptsPasscode) {
            case (.touchID, true): "Touch the fingerprint reader, or type the passcode."
            case (.touchID, false): "Touch the fingerprint reader."
            case (.faceID, true): "Look at the camera, or type the passcode."
            case (.faceID, false): "Look at the camera."
            case (.none, true): nil
            case (.none, false): "Choose below."
            }
        return (way.map { $0 + " " } ?? "") + "Ctrl-C: \(cancel)."
    }

    static func notice(_ notice: PromptNotice) -> String {
        switch notice {
        case .missed(let left) where left > 0: "Not recognized. Tries left: \(left)."
        case .missed: "Not recognized."
        case .retry(.again): "Not read. Try once more."
        case .retry(.tooShort): "Too short. Rest the finger longer."
        case .retry(.centre): "Centre the finger on the reader."
        case .retry(.liftAndRepeat): "Lift the finger and touch again."
        case .wrongPasscode: "That passcode is not right."
        case .passcodeUnchecked: "The passcode could not be checked. Try again."
        case .passcodeWaits: "After too many wrong ones, the TPM takes no passcode for a while. Try again later."
        case .biometryLocked: "Too many tries. Only the passcode helps now."
        case .passcodesDiffer: "The two were not the same. Start again."
        case .passcodeTooShort(let least): "Use at least \(least) characters, and at most \(PasscodeLimit.most) bytes."
        case .question(let question): "Your account asks: “\(SafeText(question.text, limit: 200))”"
        case .accountPasswordChanged:
            "Your account has a new password. Type the previous one, this once; if it is lost: thumbturn passcode recover."
        case .accountPasswordExpired: "Your account's password is past its time. Change it, then try again."
        case .accountLocked: "Your account is locked."
        }
    }

    static func field(_ content: PromptContent) -> String {
        if case .question? = content.notice { return "Answer:" }
        return switch content.purpose {
        case .evaluate: "Passcode:"
        case .choosePasscode: "New passcode:"
        case .repeatPasscode: "Again:"
        case .accountPassword: "Account password:"
        }
    }
}
