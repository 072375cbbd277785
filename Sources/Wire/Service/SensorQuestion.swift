internal import ThumbConversation

/// Whether a request can be answered only by who knows the sensor.
enum SensorQuestion {
    /// What was found out once will do: where it matters, the owner is asked, and then the sensor speaks for itself.
    case casual
    case exact

    init?(_ request: Request) {
        switch request {
        case .capability, .evaluate, .status: self = .exact
        case .add, .find, .update, .remove, .makeKey, .keepKey, .readKey, .useKey, .signStatement: self = .casual
        case .hello, .echo, .invalidate, .release, .promptUnavailable, .setCredential, .isCredentialSet, .watchEnvironment,
            .setPasscode, .removePasscode, .makeRecoveryCode, .recover, .useAccountPassword, .offerPasscode, .listApps, .judgeApp,
            .readAudit, .verifyAudit,
            .beginExport, .exportChunk, .beginImport, .importChunk, .allow, .listFingers, .enroll, .forgetFinger, .typed,
            .cancelled, .fallback, .shown, .here, .dismissProgram:
            return nil
        }
    }
}
