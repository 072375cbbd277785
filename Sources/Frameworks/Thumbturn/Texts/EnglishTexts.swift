import LocalAuthentication

extension LanguageTexts {
    static let english = LanguageTexts(
        plain: [
            .touchID: SensorTexts(
                name: "Fingerprint",
                logIn: "Log in with your fingerprint",
                reason: "Show by your fingerprint that it is you",
                available: "You can log in with your fingerprint.",
                notEnrolled: "No fingerprint is enrolled. Enrol one in the settings.",
                lockedOut: "The fingerprint reader is locked after too many attempts. Give the passcode to use it again.",
                notAvailable: "The fingerprint reader can't be used by this app. Look in the settings whether it is allowed.",
                disconnected: "The fingerprint reader isn't connected.",
                passcodeNotSet: "Set a passcode first. Then you can log in with your fingerprint.",
                notRecognized: "The fingerprint wasn't recognized.",
                enrolmentChanged: "The enrolled fingerprints may have changed. Log in with your password."),
            .faceID: SensorTexts(
                name: "Face recognition",
                logIn: "Log in with your face",
                reason: "Show by your face that it is you",
                available: "You can log in with your face.",
                notEnrolled: "No face is enrolled. Enrol one in the settings.",
                lockedOut: "Face recognition is locked after too many attempts. Give the passcode to use it again.",
                notAvailable: "Face recognition can't be used by this app. Look in the settings whether it is allowed.",
                disconnected: "The camera for face recognition isn't connected.",
                passcodeNotSet: "Set a passcode first. Then you can log in with your face.",
                notRecognized: "The face wasn't recognized.",
                enrolmentChanged: "The enrolled faces may have changed. Log in with your password."),
            .opticID: SensorTexts(
                name: "Iris recognition",
                logIn: "Log in with your eyes",
                reason: "Show by your eyes that it is you",
                available: "You can log in with your eyes.",
                notEnrolled: "No iris is enrolled. Enrol one in the settings.",
                lockedOut: "Iris recognition is locked after too many attempts. Give the passcode to use it again.",
                notAvailable: "Iris recognition can't be used by this app. Look in the settings whether it is allowed.",
                disconnected: "The camera for iris recognition isn't connected.",
                passcodeNotSet: "Set a passcode first. Then you can log in with your eyes.",
                notRecognized: "The iris wasn't recognized.",
                enrolmentChanged: "The enrolled irises may have changed. Log in with your password."),
        ],
        product: [
            .touchID: product("Touch ID"), .faceID: product("Face ID"), .opticID: product("Optic ID"),
        ],
        noSensor: SensorTexts(
            name: "Passcode",
            logIn: "Log in with the passcode",
            reason: "Show that it is you",
            available: "You can log in.",
            notEnrolled: "Nobody is enrolled. Use the passcode.",
            lockedOut: "Locked after too many attempts. Give the passcode.",
            notAvailable: "This device has no sensor that can be used. Use the passcode.",
            disconnected: "No sensor is connected. Use the passcode.",
            passcodeNotSet: "No passcode is set. Set one in the settings.",
            notRecognized: "You weren't recognized.",
            enrolmentChanged: "It can't be told whether somebody else was enrolled. Log in with your password."),
        errors: [
            LAError.userCancel.rawValue: "You cancelled.",
            LAError.userFallback.rawValue: "Log in with your password.",
            LAError.systemCancel.rawValue: "The system interrupted this. Try again.",
            LAError.passcodeNotSet.rawValue: "No passcode is set. Set one in the settings.",
            LAError.appCancel.rawValue: "The app took its question back.",
            LAError.invalidContext.rawValue: "This question is over. Try again.",
            LAError.companionNotAvailable.rawValue: "No paired device is near.",
            LAError.invalidDimensions.rawValue: "There is no room to ask you here.",
            LAError.notInteractive.rawValue: "You can't be asked here just now.",
        ],
        reason: "Show that it is you",
        alreadyInProgress: "You are being asked already.",
        unknown: "It can't be told just now whether you can log in. Try again, or use the passcode.")

    private static func product(_ name: String) -> SensorTexts {
        SensorTexts(
            name: name,
            logIn: "Log in with \(name)",
            reason: "Show with \(name) that it is you",
            available: "You can log in with \(name).",
            notEnrolled: "\(name) isn't set up. Set it up in Settings.",
            lockedOut: "\(name) is locked after too many attempts. Enter the passcode to use it again.",
            notAvailable: "\(name) can't be used by this app. Look in Settings whether it is allowed.",
            disconnected: "The \(name) accessory isn't connected.",
            passcodeNotSet: "Set a passcode first. Then you can log in with \(name).",
            notRecognized: "\(name) didn't recognize you.",
            enrolmentChanged: "\(name) may have been set up anew. Log in with your password.")
    }
}
