import ThumbAccess

/// What this program says about what it did or found, one sentence each, in one table. A test reads it as a list.
///
/// Lists, the doctor's findings, and what a terminal shows during typing or waiting are in the code that makes them.
enum Notice: Sendable {
    // The owner.
    case recognized(by: Factor)
    case allowed(String, Bool)

    // Secrets and keys.
    case noSecrets, noKeys, noSSHKeys
    case added(Thing)
    case replaced(Thing)
    case renamed(Thing, to: String)
    case changed(Thing), unchanged(Thing)
    case copied(Thing, field: String?, seconds: Int)
    case removed(Thing)
    case made(Thing, holder: String)
    case signature(of: Thing, isGenuine: Bool)

    // The passcode and the store.
    case noPasscode
    case passcodeIsSet, passcodeIsAccountPassword
    case passcodeWasGiven, passcodeWasNotGiven
    case hasRecoveryCode, hasNoRecoveryCode
    case passcodeChosen, passcodeChanged, passcodeRemoved
    case passcodeTakes(items: UInt64, pairings: UInt64), closedWithoutPasscode(UInt64)
    case accountPasswordChosen
    case makeRecoveryCode
    case writeRecoveryCode, useRecoveryCode
    case storeMended

    // Fingers.
    case noFingers
    case enrolled(String)
    case forgotten(String)
    case forgottenAll

    // Apps.
    case noApps
    case appMay(String, wish: String)
    case appMayNot(String, wish: String)
    case appForgotten(String, wish: String)
    case noKeptItems
    case itemProtected(String, String)
    case readerAllowed(String, String, Bool)
    case noProtectedPrograms
    case protected(String, group: String)
    case protectedRunsAnything(String)
    case unprotected(String, group: String)

    // Companions.
    case noCompanions, companionWaits, runCarrier
    case companionPaired(String, PairingSide)
    case companionRemoved(String)

    // The machine.
    case systemModeSwitchedOn, systemModeSwitchedOff
    case systemModeIsOn, systemModeIsOff, systemModeIsDown
    case takeFingers(PAMProfile), takeNoFingers(PAMProfile), needSystemMode(PAMProfile), waitForFprintd(PAMProfile)
    case pamChanges, tryFingers(PAMProfile)
    case loginsOpen, loginsOpenNothing, startIsOpen
    case polkitAsksHere, polkitAsksElsewhere, polkitTakesNoFingers, polkitStartsByHand

    // The Secret Service.
    case takesOver(from: String?)
    case keepsBehind(Int)
    case secretsServiceIsOn, secretsServiceIsOff
    case secretsServiceAnswers(String), secretsServiceWaits, secretsServiceIsNobodys
    case broughtOver(UInt64), goBack, itemsStay

    // The log.
    case nothingLogged
    case logIsSound(records: UInt64)

    // Backups.
    case exported(UInt64, to: String)
    case stayedBehind(UInt64, StayingBehind)
    case imported(UInt64), wouldImport(UInt64)
    case importReplaced(UInt64), wouldReplace(UInt64)
    case present(UInt64)
    case moved(UInt64), wouldMove(UInt64)
    case leftOut(Int)
    case twoQuestions

    var text: String {
        switch self {
        case .recognized(by: .biometry): "The owner was recognized by finger or face."
        case .recognized(by: .passcode): "The owner was recognized by passcode."
        case .recognized(by: .companion): "The owner was recognized at a companion."
        case .allowed(let name, true): "'\(name)' is allowed now."
        case .allowed(let name, false): "'\(name)' is no longer allowed."

        case .noSecrets: "There are no secrets yet. Run 'thumbturn secret add NAME' to add one."
        case .noKeys: "There are no keys yet. Run 'thumbturn key create NAME' to make one."
        case .noSSHKeys: "There are no SSH keys yet. Run 'thumbturn ssh-key create NAME' to make one."
        case .added(let thing): "Added the \(thing.name)."
        case .replaced(let thing): "Replaced the \(thing.name)."
        case .renamed(let thing, let name): "Renamed the \(thing.name) to '\(SafeText(name, limit: 60))'."
        case .changed(let thing): "Changed the \(thing.name)."
        case .unchanged(let thing): "The \(thing.name) is as it was."
        case .copied(let thing, let field, let seconds):
            "The \(field.map { "field '\($0)' of the " } ?? "")\(thing.name) is on the clipboard for \(seconds) second\(seconds == 1 ? "" : "s")."
        case .removed(let thing): "Removed the \(thing.name)."
        case .made(let thing, let holder): "Made the \(thing.name), held \(holder)."
        case .signature(let key, true): "The \(key.name) made this signature."
        case .signature(let key, false): "The \(key.name) did not make this signature."

        case .noPasscode: "No passcode is set."
        case .passcodeIsSet: "A passcode is set."
        case .passcodeIsAccountPassword: "The passcode is your account's password."
        case .passcodeWasGiven: "It has been given since the daemon started."
        case .passcodeWasNotGiven: "It has not been given since the daemon started."
        case .hasRecoveryCode: "There is a recovery code."
        case .hasNoRecoveryCode: "There is no recovery code."
        case .passcodeChosen: "The passcode is set."
        case .passcodeChanged: "The passcode is changed."
        case .passcodeRemoved: "The passcode is removed."
        case .passcodeTakes(let items, let pairings):
            "Removing the passcode removes \(Self.lost(items, pairings)) for good."
        case .closedWithoutPasscode(let count):
            "\(Self.items(count)) \(count == 1 ? "stays" : "stay") closed until you set a passcode again."
        case .accountPasswordChosen: "Your account's password is the passcode now."
        case .makeRecoveryCode: "Next, run 'thumbturn passcode recovery', in case you forget the passcode."
        case .writeRecoveryCode:
            "Write this code on paper and keep it away from the machine. It is shown only this once, and earlier codes no longer work."
        case .useRecoveryCode: "With it, 'thumbturn passcode recover' sets a new passcode without the old one."
        case .storeMended: "The store opens again."

        case .noFingers: "No finger is enrolled yet. Run 'thumbturn enroll' to enroll one."
        case .enrolled(let finger): "Enrolled the finger \(finger)."
        case .forgotten(let finger): "Forgot the finger \(finger)."
        case .forgottenAll: "Forgot every finger."

        case .noApps: "No app has asked for anything yet."
        case .appMay(let app, let wish): "The app '\(SafeText(app, limit: 60))' may use \(wish)."
        case .appMayNot(let app, let wish): "The app '\(SafeText(app, limit: 60))' may not use \(wish)."
        case .appForgotten(let app, let wish): "Forgot the answer about \(wish) for the app '\(SafeText(app, limit: 60))'."
        case .noKeptItems: "No program of your desktop keeps anything here yet."
        case .itemProtected(let item, "none"): "The program that saved the item '\(SafeText(item, limit: 60))' reads it freely."
        case .itemProtected(let item, let protection): "The item '\(SafeText(item, limit: 60))' takes \(protection) now."
        case .readerAllowed(let program, let item, true):
            "\(SafeText(program, limit: 120)) may read the item '\(SafeText(item, limit: 60))' from now on."
        case .readerAllowed(let program, let item, false):
            "You are asked again before \(SafeText(program, limit: 120)) reads the item '\(SafeText(item, limit: 60))'."
        case .noProtectedPrograms: "No program is protected."
        case .protected(let path, let group): "Protected \(path); its access group is '\(group)'."
        case .protectedRunsAnything(let path):
            "Take care: \(path) runs whatever it is told to, so every program that starts it has its items. Undo this with "
                + "'thumbturn protect --undo', and protect a program of your own instead."
        case .unprotected(let path, let group): "\(path) is no longer protected; its access group was '\(group)'."

        case .systemModeSwitchedOn:
            "System mode is on. Each user runs 'thumbturn passcode set', then 'thumbturn migrate' to copy the items of their own "
                + "daemon."
        case .systemModeSwitchedOff: "System mode is off. The stores stay below /var/lib/thumbturn."
        case .systemModeIsOn: "System mode is on: each user's secrets have a process of their own."
        case .systemModeIsOff: "System mode is off: each user has a daemon of their own."
        case .systemModeIsDown: "System mode is on, but nothing listens. Run 'sudo thumbturn system-mode on' to start it."

        case .takeFingers(let profile): profile.takesFingers
        case .takeNoFingers(let profile): profile.takesNoFingers
        case .needSystemMode(let profile): profile.needsSystemMode
        case .waitForFprintd(let profile): profile.waitsForFprintd
        case .pamChanges:
            "These lines decide who gets in. Open a root shell in another terminal first, with 'sudo -i', and keep it open until you have "
                + "tried the result."
        case .tryFingers(let profile): profile.trial
        case .loginsOpen: "A login by finger opens your secrets, except those that wait for the passcode."
        case .loginsOpenNothing: "A login by finger opens no secrets."
        case .startIsOpen:
            "Take care: Secure Boot is off, so whoever takes this machine can start another system on it and read them."

        case .polkitAsksHere: "Thumbturn's window asks for polkit in this session."
        case .polkitAsksElsewhere: "Thumbturn's window doesn't ask for polkit."
        case .polkitStartsByHand:
            "Your desktop doesn't start graphical-session.target, so later sessions won't have it. Have your desktop run 'systemctl --user "
                + "start thumbturn-polkit' when it starts."
        case .polkitTakesNoFingers: "Only the password counts there. Run 'sudo thumbturn sudo on' to have a finger count too."

        case .noCompanions: "No machine is paired. Run 'thumbturn companion pair HOST' to pair one."
        case .companionWaits: "Waiting. On the other machine, run 'thumbturn companion pair' with this machine's name or address."
        case .runCarrier: "On both machines, run 'systemctl --user enable --now thumbturn-companion' once."
        case .companionPaired(let name, .asks): "'\(SafeText(name, limit: 64))' can say yes for this machine now."
        case .companionPaired(let name, .answers): "You can say yes here for '\(SafeText(name, limit: 64))' now."
        case .companionRemoved(let name): "The pairing with '\(SafeText(name, limit: 64))' is removed. Remove it there too."

        case .takesOver(let name):
            "Thumbturn will keep the passwords of every program from then on"
                + (name.map { ". \($0) keeps its own items, and stops answering." } ?? ".")
        case .keepsBehind(let count):
            "\(Self.items(count)) can't be brought over, and will be out of your programs' reach."
        case .secretsServiceIsOn: "Thumbturn keeps the passwords of every program."
        case .secretsServiceIsOff: "Thumbturn doesn't keep the passwords of other programs."
        case .secretsServiceAnswers(let name): "\(SafeText(name, limit: 60)) answers on the session bus."
        case .secretsServiceWaits: "Thumbturn starts when a program asks."
        case .secretsServiceIsNobodys: "Nobody answers on the session bus now."
        case .broughtOver(let count): "Brought over \(Self.items(count))."
        case .goBack: "To go back, run 'thumbturn secrets-service off'."
        case .itemsStay:
            "What programs keep here stays here, and is there again when you switch it on. To copy it to the other keyring, run "
                + "'thumbturn secrets-service off --with-items'."

        case .nothingLogged: "Nothing has happened yet."
        case .logIsSound(records: 1): "1 record is intact, and none is missing."
        case .logIsSound(let records): "\(records) records are intact, and none is missing."

        case .exported(let count, let path): "Exported \(Self.items(count)) to \(SafeText(path, limit: 200))."
        case .stayedBehind(let count, let reason): "\(Self.items(count)) stayed behind: \(reason.words)."
        case .imported(let count): "Added \(Self.items(count))."
        case .wouldImport(let count): "Would add \(Self.items(count))."
        case .importReplaced(let count): "Replaced \(Self.items(count))."
        case .wouldReplace(let count): "Would replace \(Self.items(count))."
        case .present(let count): "\(Self.items(count)) \(count == 1 ? "was" : "were") there already."
        case .moved(let count): "Copied \(Self.items(count))."
        case .wouldMove(let count): "Would copy \(Self.items(count))."
        case .leftOut(let count): "\(Self.items(count)) \(count == 1 ? "wasn't" : "weren't") included:"
        case .twoQuestions: "Your own daemon asks you first, then the system service."
        }
    }

    private static func lost(_ items: UInt64, _ pairings: UInt64) -> String {
        let pairs = "\(pairings) pairing\(pairings == 1 ? "" : "s") with other machines"
        if pairings == 0 { return Self.items(items) }
        return items == 0 ? pairs : "\(Self.items(items)) and \(pairs)"
    }

    static func items(_ count: some BinaryInteger) -> String { "\(count) item\(count == 1 ? "" : "s")" }
}

extension StayingBehind {
    /// Why items of this kind don't go into a backup.
    var words: String {
        switch self {
        case .thisDeviceOnly: "made for this device alone"
        case .currentEnrolment: "bound to the fingers or faces enrolled here"
        case .applicationPassword: "locked with an app's own password"
        case .privateKey: "private keys that are never handed out"
        case .notShown: "more than the passcode is needed to read them"
        case .dead: "nothing can open them any more"
        case .damaged: "damaged; 'thumbturn doctor' says more"
        }
    }

    /// The same for programs.
    var code: String {
        switch self {
        case .thisDeviceOnly: "thisDeviceOnly"
        case .currentEnrolment: "currentEnrolment"
        case .applicationPassword: "applicationPassword"
        case .privateKey: "privateKey"
        case .notShown: "notShown"
        case .dead: "dead"
        case .damaged: "damaged"
        }
    }
}
