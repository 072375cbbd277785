import ThumbAccess

extension PromptTexts {
    static let english = PromptTexts(
        asks: " asks for you",
        ownWords: "In the program's own words:",
        ourWords: "What you would allow:",
        signIn: { purpose, origin in
            switch purpose {
            case .signIn: "Sign in to \(origin)"
            case .register: "Register this device with \(origin)"
            case .changePassword: "Change your password at \(origin)"
            case .removePassword: "Remove your password at \(origin)"
            case .endSessions: "End sessions of yours at \(origin)"
            case .revokeDevice: "Revoke a device of your account at \(origin)"
            case .deleteAccount: "Delete your account at \(origin)"
            }
        },
        account: { "Account: \($0)" },
        cancel: "Cancel",
        cancelKey: "cancel",
        accept: "OK",
        fallback: "Enter Password",
        failed: "That did not work.",
        cancelled: "Cancelled.",
        takenBack: "This question is no longer open.",
        hidden: { "A program that hides itself (process \($0))" },
        place: {
            switch $0 {
            case .system: "Installed by the system."
            case .changeable: "In a folder that its user can change."
            case .gone: "Its file was replaced or removed since it began."
            case .elsewhere: "It sees other folders than you do; this path leads elsewhere for it."
            case .unseen: "Nobody can tell who can change its file."
            }
        },
        interpreter: "It runs another file, which can't be identified.",
        claim: { "It calls itself “\($0)”." },
        known: {
            switch $0 {
            case .consented: nil
            case .sandboxed: "A program in a sandbox"
            case .protected: "A protected program"
            }
        },
        knownInside: {
            switch $0 {
            case .consented: ""
            case .sandboxed: ", in a sandbox,"
            case .protected: ", a protected program,"
            }
        },
        purpose: {
            switch $0 {
            case .evaluate: nil
            case .choosePasscode: "Choose a new passcode."
            case .repeatPasscode: "Type the new passcode once more."
            case .accountPassword: nil
            }
        },
        sensor: {
            switch ($0, $1) {
            case (.touchID, true): "Touch the fingerprint reader, or type the passcode."
            case (.touchID, false): "Touch the fingerprint reader."
            case (.faceID, true): "Look at the camera, or type the passcode."
            case (.faceID, false): "Look at the camera."
            case (.none, true): nil
            case (.none, false): "Choose below."
            }
        },
        notice: {
            switch $0 {
            case .missed(let left) where left > 0: "Not recognized. Tries left: \(left)."
            case .missed: "Not recognized."
            case .retry(.again): "Not read. Try once more."
            case .retry(.tooShort): "Too short. Rest the finger longer."
            case .retry(.centre): "Centre the finger on the reader."
            case .retry(.liftAndRepeat): "Lift the finger and touch again."
            case .wrongPasscode: "That passcode is not right."
            case .passcodeUnchecked: "The passcode could not be checked. Try again."
            case .passcodeWaits: "After too many wrong passcodes, the TPM accepts none for a while. Try again later."
            case .biometryLocked: "Too many tries. Only the passcode helps now."
            case .passcodesDiffer: "The two were not the same. Start again."
            case .passcodeTooShort(let least):
                "Use \(least) to \(PasscodeLimit.most) bytes (a plain letter or digit is one byte)."
            case .question(let question): "Your account asks: “\(SafeText(question.text, limit: 200))”"
            case .accountPasswordChanged:
                "Your account has a new password. Type the previous one once more. "
                    + "If you lost it, run: thumbturn passcode recover"
            case .accountPasswordExpired: "Your account's password has expired. Change it, then try again."
            case .accountLocked: "Your account is locked."
            }
        },
        answer: "Answer:",
        field: {
            switch $0 {
            case .accountPassword: "Account password:"
            case .evaluate: "Passcode:"
            case .choosePasscode: "New passcode:"
            case .repeatPasscode: "Again:"
            }
        },
        wait: { "You can try the next passcode in \($0) s." },
        picture: {
            switch $0 {
            case .touchID: "Fingerprint reader"
            case .faceID: "Camera"
            case .none: "Passcode"
            }
        },
        dismiss: "Refuse this program for a minute",
        dismissKey: "refuse this program for a minute",
        others: { $0 == 1 ? "Another program is waiting." : "\($0) other programs are waiting." },
        before: { $0 == 1 ? "Another program asks first." : "\($0) other programs ask first." },
        asksFrom: { "It asks on another machine of yours: \($0)" },
        mayAnswer: { "You can answer on another machine: \($0)." })
}
