/// The number of each word on the wire, as docs/PROTOCOL.md has them.
public enum WordKind: UInt8, Sendable, CaseIterable {
    // An app's
    case hello = 1, echo, getStatus
    case getCapability = 10, evaluate, invalidate = 13, release, promptUnavailable, setCredential, isCredentialSet,
        watchEnvironment, watchSession
    case addItem = 20, findItems, updateItems, removeItems
    case releaseForReader = 24, getReadable, listKeptItems, protectKeptItem, allowReader, putItem
    case setPasscode = 30, removePasscode, makeRecoveryCode, recover, listApps, judgeApp, useAccountPassword
    case evaluateForReader = 37
    case countBehindPasscode = 38
    case readAudit = 40, verifyAudit
    case makeKey = 50, keepKey, readKey, useKey, allow, signStatement, listFingers, enrollFinger, forgetFinger
    case beginExport = 70, exportChunk, beginImport, importChunk
    case pairCompanion = 80, pairingFrameIn, listCompanions, removeCompanion, carryCompanions, carriedIn, companionLine,
        getCompanionState

    // A prompt's, and a login's
    case typed = 60, cancelled, fallback, offerPasscode, shown, here, dismissProgram, askOwner
    case loginStands = 74

    // Polkit's agent's
    case askForPolkit = 68, lendTouch

    // The daemon's, to a helper
    case checkPassword = 90, look, helperReply

    // The daemon's
    case welcome = 128, refused, done, echoed, status, capability, evaluated, failed, itemPage, promptNeeded, recoveryCode, flag
    case changed, apps, auditPage, auditReport
    case readable = 144, sessionTold
    case behindPasscode = 146
    case key = 150, keyProduct
    case fingers = 156, enrolling, enrollingEnded
    case show = 160, dismiss, promptWanted
    case windowNeeded = 164, wait
    case exportBegun = 170, exportedChunk, imported, backupFailed
    case companionList = 180, companionPaired, pairingFrameOut, carriedOut, companionState, companionProven

    // A helper's
    case question = 190, verdict

    // Between the processes of system mode
    case serve = 200
    case whose = 201, peerArrived, wantsLineGiven, sleeps, wakes, lidMoved, sessionLocked, machineKnown, unused, endNow, want,
        given, peerContents, sessionInFront
    // A device's, to the reader, and the reader's
    case prepareReader = 220, watchFinger, stopWatching, stopEnrolling, readerAway
    case readFaceModels = 226
    case readerSnapshot = 228, fingerReport
    case faceModels = 231
    // A device's, to the TPM's keeper, and the keeper's
    case makeTPMKey = 235, signWithTPM, agreeWithTPM, sealInTPM, unsealInTPM, readTPMCounter, raiseTPMCounter
    case tpmKey = 245, tpmSignature, tpmAgreement, tpmSeal, tpmUnsealed, tpmCount, tpmFailed

    /// Whether one of the daemon's peers may say it, in some role.
    var isPeers: Bool { rawValue < WordKind.checkPassword.rawValue }
}
