import ThumbConversation

/// Whether a word can be answered only by who knows the sensor.
enum SensorQuestion {
    /// What was found out once will do: where it matters, the owner is asked, and then the sensor speaks for itself.
    case casual
    case exact

    init?(_ word: FromApp) {
        switch word {
        case .getCapability, .evaluate, .getStatus: self = .exact
        case .addItem, .findItems, .updateItems, .removeItems, .makeKey, .keepKey, .readKey, .useKey, .signStatement:
            self = .casual
        case .echo, .invalidate, .release, .promptUnavailable, .setCredential, .isCredentialSet, .watchEnvironment, .setPasscode,
            .removePasscode, .makeRecoveryCode, .recover, .useAccountPassword, .listApps, .judgeApp, .readAudit, .verifyAudit,
            .beginExport, .exportChunk, .beginImport, .importChunk, .allow, .listFingers, .enrollFinger, .forgetFinger:
            return nil
        }
    }
}
