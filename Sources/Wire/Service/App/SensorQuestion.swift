import ThumbConversation

/// Whether a word can only be answered once the sensor is known.
enum SensorQuestion {
    /// An earlier result will do. If more is needed, the owner is asked, and then the sensor is read anyway.
    case casual
    case exact

    init?(_ word: FromApp) {
        switch word {
        case .getCapability, .evaluate, .getStatus: self = .exact
        // Whoever watches the session is told what logind knows, which is asked with the sensor.
        case .watchSession, .addItem, .putItem, .findItems, .updateItems, .removeItems, .releaseForReader,
            .evaluateForReader, .protectKeptItem,
            .makeKey,
            .keepKey, .readKey,
            .useKey, .signStatement:
            self = .casual
        case .echo, .invalidate, .release, .promptUnavailable, .setCredential, .isCredentialSet, .watchEnvironment, .setPasscode,
            .removePasscode, .makeRecoveryCode, .recover, .useAccountPassword, .countBehindPasscode, .listApps, .judgeApp,
            .readAudit, .verifyAudit,
            .beginExport, .exportChunk, .beginImport, .importChunk, .allow, .listFingers, .enrollFinger, .forgetFinger,
            .pairCompanion, .pairingFrame, .listCompanions, .removeCompanion, .carryCompanions, .carriedIn, .companionLine,
            .getCompanionState, .getReadable, .listKeptItems, .allowReader:
            return nil
        }
    }
}
