import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbProtectedPrograms
import ThumbSSHAgentServer

/// Why a command did not do what it was asked to do. This one table has everything that the program says about failures.
///
/// A test reads the table as a list. The words for another room's failure are in that failure's own table, in this folder.
enum Failure: Error, Sendable {
    // Other rooms' failures.
    case misuse(Misuse)
    case daemon(ClientError)
    case simulatorGone(ClientError)
    case keychain(KeychainFailure, about: Thing)
    case evaluation(EvaluationFailure)
    /// The owner was to be asked before something is used, and that ended so.
    case notReleased(Thing, EvaluationFailure)
    case reader(EnrollingFailure)
    case backup(BackupFailure)
    case secret(SecretFailure)
    case protection(ProtectionFailure)
    case systemMode(SystemModeFailure)
    case profile(ProfileFailure)
    case polkit(PolkitFailure)
    case secretsService(SecretsServiceFailure)
    case agentSocket(AgentSocketFailure)
    case helper(HelperFailure)

    // The command line, beyond what its description can express.
    case usage(Usage, [String])

    // The owner.
    case cancelled
    /// Something would be lost for good, and nobody could be asked whether that is meant.
    case notConfirmed(Notice)
    /// The act needs the owner, who wasn't recognized; then what that means.
    case notRecognized(soThat: String)
    case noPasscode
    /// An item under this rule would be useless here; and whether another rule would work.
    case passcodeNeeded(Loss, orAnotherRule: Bool)
    case enrolmentNeeded(Loss, orAnotherRule: Bool)
    /// An item can't be bound to the fingers or faces enrolled now, because the daemon can't tell which these are.
    case enrolmentUnknown(Loss, needsOnlySystemMode: Bool)
    case sessionLocked
    /// Only a finger or a face releases one of several secrets.
    case sensorNeeded(EvaluationFailure)

    // What comes in and goes out.
    case noLockedMemory
    case inputEmpty
    case inputUnreadable
    case inputLines(Int)
    case inputTooLarge(limit: Int)
    case secretTooLarge(limit: Int)
    case terminalUnreadable
    case fileUnreadable(String)
    case noSuchFile
    case outputNotWritten
    case recoveryCodeNotShown
    case inputTwice
    case wordsNotText
    case outputExists
    case outputNotMade
    case notForTerminal(String)

    // Secrets.
    case secretExists(Thing)
    /// Several secrets have that name; and a reference to one of them, if references were used.
    case severalSecrets(Thing, accounts: [String], reference: SecretReference?)
    case secretWithoutData(Thing)
    case zeroByte(Thing)
    case noMemoryFile

    // Keys.
    case keyExists(Thing)
    case severalKeys(Thing)
    case notHashed
    case digestLength(hash: String, wanted: Int, found: Int)
    case notEncrypted(Thing)
    case notDecrypted(Thing)
    case noRuntimeFolder

    // The passcode and the store.
    case passcodeIsSet
    case passcodeIsAccountPassword
    case passcodeIsAccountPasswordAlready
    case accountNotJudged
    case noRecoveryCode
    case wrongRecoveryCode
    case mistypedRecoveryCode
    case storeIsOpen
    case storeNotMended

    // Companions.
    case companionNotFound(String)
    case companionUnreachable(String)
    case companionLeft, companionDisagrees, companionExists, companionsFull, companionPortTaken, companionFailed

    // Apps and the log.
    case appNotFound(app: String, wish: String)
    case keptItemNotFound(String), keptItemAmbiguous(String)
    case programUnknown(String)
    case onlyRoot
    case logBroken(String)

    // Backups.
    case backupExists
    case backupNoFile
    case backupFolder
    case backupUnfinished
    case backupNotWritten(isFull: Bool)
    case backupUnreadable
    case backupTruncated
    case backupNotRecognized(done: String)
    indirect case interrupted(Failure, afterItems: Int)
    case noSystemService
    case noPasscodeAtOwnDaemon
    case noSessionBus
    case noSecretService
    case secretServiceStopped
    case secretServiceUnreadable

    // Other programs.
    /// A program of ours isn't installed; and the code that this failure has always had.
    case programMissing(String, code: String)
    case noProgram
    case cannotRun(String)
    case noTemporaryFolder
    case simulatorNotStarted
    case simulatorEnded
    case simulatorRefused(String?)
    case notSimulated

    /// What would happen to an item that nobody can release.
    enum Loss: Sendable {
        case secret, key

        var words: String {
            switch self {
            case .secret: "the secret could never be read"
            case .key: "the key could never be used"
            }
        }

        var bound: String {
            switch self {
            case .secret: "the secret can't be bound to them"
            case .key: "the key can't be bound to them"
            }
        }
    }

    var words: Words {
        switch self {
        case .misuse(let misuse): Words("usage", .usage, misuse.message, misuse.advice)
        case .daemon(let error): error.words
        case .simulatorGone(let error):
            Words("simulatorNotFound", .couldNotAsk, "The simulated device doesn't answer.", error.advice.sentence)
        case .keychain(let failure, let thing): failure.words(about: thing)
        case .evaluation(let failure): failure.words
        case .notReleased(let thing, let failure): failure.words(about: thing)
        case .reader(let failure): failure.words
        case .backup(let failure): failure.words
        case .secret(let failure): failure.words
        case .protection(let failure): failure.words
        case .systemMode(let failure): failure.words
        case .profile(let failure): failure.words
        case .polkit(let failure): failure.words
        case .secretsService(let failure): failure.words
        case .agentSocket(let failure): failure.words
        case .helper(let failure): failure.words

        case .usage(let usage, let path):
            Words("usage", .usage, usage.message, Misuse.advice(path))

        case .cancelled: Words("userCanceled", .cancelled, "Cancelled.")
        case .notConfirmed(let loss):
            Words("notConfirmed", .couldNotAsk, loss.text, "Run the command in a terminal and confirm it there, or use --force.")
        case .notRecognized(let consequence):
            Words("authenticationFailed", .no, "The owner wasn't recognized, so \(consequence).", "Try again.")
        case .noPasscode:
            Words("passcodeNotSet", .notFound, "No passcode is set.", "Run 'thumbturn passcode set' to choose one.")
        case .passcodeNeeded(let loss, let orAnotherRule):
            Words(
                "passcodeNotSet", .couldNotAsk, "No passcode is set, so \(loss.words).",
                "Run 'thumbturn passcode set'" + (orAnotherRule ? ", or choose another --protect." : " to choose one."))
        case .enrolmentNeeded(let loss, let orAnotherRule):
            Words(
                "biometryNotEnrolled", .couldNotAsk, "No sensor knows you, so \(loss.words).",
                "Run 'thumbturn doctor' to see which sensors there are"
                    + (orAnotherRule ? ", or use --protect presence, and the passcode is enough." : "."))
        case .enrolmentUnknown(let loss, let needsOnlySystemMode):
            Words(
                "enrolmentUnknown", .couldNotAsk,
                "The daemon can't tell which fingers or faces are enrolled, so \(loss.bound).",
                "Run '\(needsOnlySystemMode ? "sudo thumbturn system-mode on" : "thumbturn doctor")', or use '--protect biometry' for any "
                    + "enrolled finger or face.")
        case .sessionLocked:
            Words(
                "sessionLocked", .couldNotAsk, "Your session is locked, and your secrets with it.", "Unlock it and try again.")
        case .sensorNeeded(let failure):
            failure.words.next("At least one of these secrets needs a finger or a face. Enroll one to read it.")

        case .noLockedMemory:
            Words(
                "noLockedMemory", .failed, "No memory could be locked for the secret.",
                "Raise the limit on locked memory with 'ulimit -l'.")
        case .inputEmpty:
            Words(
                "noInput", .input, "Standard input was empty, so nothing was done.",
                "Pipe something into the command, or type it in a terminal.")
        case .inputUnreadable: Words("noInput", .input, "The input can't be read.", "Check where it comes from.")
        case .inputLines(1):
            Words("noInput", .input, "Standard input must have one line.", "Give the password on a line of its own.")
        case .inputLines(let count):
            Words(
                "noInput", .input, "Standard input must have \(count) lines.",
                "Give the present password first, then the new one, each on a line of its own.")
        case .inputTooLarge(let limit):
            Words("dataTooLarge", .input, "The input is longer than \(limit) bytes.", "Check that it is the right file.")
        case .secretTooLarge(let limit):
            Words(
                "dataTooLarge", .input, "A secret can have at most \(limit) bytes.",
                "Encrypt anything longer with a passphrase, and keep the passphrase here.")
        case .terminalUnreadable:
            Words("noInput", .input, "The terminal can't be read.", "Run the command in another terminal.")
        case .fileUnreadable(let path):
            Words(
                "noInput", .input, "The file '\(SafeText(path, limit: 60))' can't be read.",
                "Check that it exists and that you may read it.")
        case .noSuchFile: Words("fileNotFound", .notFound, "There is no such file.", "Check its name.")
        case .outputNotWritten:
            Words("output", .output, "The result could not be written.", "Check that there is room where it goes.")
        case .recoveryCodeNotShown:
            Words(
                "output", .output, "The new code could not be shown, and earlier ones no longer work.",
                "Run 'thumbturn passcode recovery' again.")
        case .inputTwice:
            Words(
                "usage", .usage, "Only one of the signature and the input can come from standard input.",
                "Name a file for the other one.")
        case .wordsNotText:
            Words(
                "usage", .usage, "A word of the command isn't text in UTF-8.",
                "Give the file that it names another name, or a link with such a name.")
        case .outputExists:
            Words(
                "output", .output, "The file already exists, so nothing was written.",
                "Choose another name, or remove the file first.")
        case .outputNotMade:
            Words(
                "output", .output, "The file can't be written.",
                "Check that its folder exists and that you may write to it.")
        case .notForTerminal(let what):
            Words(
                "notText", .failed, "\(what.capitalized) isn't plain text and could act as terminal commands.",
                "Use --output FILE, --json or a pipe.")

        case .secretExists(let secret):
            Words(
                "duplicateItem", .exists, "The \(secret.name) already exists.", "Use --replace to put the new one in its place.")
        case .severalSecrets(let secret, let accounts, let reference):
            Words(
                "severalSecrets", .failed, "There is more than one \(secret.name): \(Self.accounts(accounts)).",
                reference.map { "Say which one you mean, as in '\($0.text)'." } ?? "Say which one you mean with --account.")
        case .secretWithoutData(let secret):
            Words(
                "noData", .notFound, "The \(secret.name) has no data.",
                "Remove it with 'thumbturn secret remove', and add it again with its data.")
        case .zeroByte(let secret):
            Words(
                "notText", .failed, "The \(secret.name) has a zero byte, which no environment variable can hold.",
                "Use --secret, which hands over a file.")
        case .noMemoryFile:
            Words(
                "noFile", .failed, "No file in memory could be made for the secret.",
                "Close programs that you don't need, and try again.")

        case .keyExists(let key):
            Words("duplicateItem", .exists, "The \(key.name) already exists.", "Choose another name.")
        case .severalKeys:
            Words(
                "severalKeys", .failed, "Several keys have that name, so it isn't clear which one you mean.",
                "Make a key with another name, and use that.")
        case .notHashed:
            Words(
                "notHashed", .failed, "The input could not be hashed.", "Close programs that you don't need, and try again.")
        case .digestLength(let hash, let wanted, let found):
            Words(
                "digestLength", .input, "A \(hash) digest has \(wanted) bytes, but the input has \(found).",
                "Check --hash, and give the digest as bytes.")
        case .notEncrypted(let key):
            Words(
                "notEncrypted", .failed, "The input could not be encrypted to the \(key.name).",
                "Close programs that you don't need, and try again.")
        case .notDecrypted(let key):
            Words(
                "notDecrypted", .input, "The input wasn't encrypted to the \(key.name), or it was changed since.",
                "Check that it is whole and that you named the right key.")
        case .noRuntimeFolder:
            Words(
                "noFolder", .failed, "There is no runtime folder that only you can write to.",
                "Use --socket PATH with a folder of your own.")

        case .passcodeIsSet:
            Words("passcodeIsSet", .exists, "A passcode is already set.", "Run 'thumbturn passcode change' to change it.")
        case .passcodeIsAccountPassword:
            Words(
                "passcodeIsAccountPassword", .exists, "Your passcode is your account's password.",
                "Change it with 'passwd', or choose a separate passcode with 'thumbturn passcode set'.")
        case .passcodeIsAccountPasswordAlready:
            Words("passcodeIsAccountPassword", .exists, "Your passcode already is your account's password.")
        case .accountNotJudged:
            Words(
                "accountNotJudged", .couldNotAsk, "The system can't check your account's password here.",
                "Check that /etc/pam.d/thumbturn exists.")
        case .noRecoveryCode:
            Words(
                "noRecoveryCode", .notFound, "There is no recovery code.",
                "If you know the passcode, run 'thumbturn passcode recovery' to make one.")
        case .wrongRecoveryCode:
            Words(
                "wrongRecoveryCode", .no, "This is not the recovery code.",
                "Only the code that was made last counts: look for a newer one.")
        case .mistypedRecoveryCode:
            Words(
                "mistyped", .no, "The recovery code has a typing mistake.",
                "Compare it with the paper: it has seven groups of four characters.")
        case .storeIsOpen:
            Words(
                "storeIsOpen", .no, "A daemon has the store open, so there is nothing to mend.",
                "Run 'thumbturn doctor' to see how the store is.")
        case .storeNotMended:
            Words("storeNotMended", .failed, "The store still doesn't open.", "See thumbturnd's message above.")

        case .companionNotFound(let name):
            Words(
                "companionNotFound", .notFound, "No machine '\(SafeText(name, limit: 64))' is paired.",
                "Run 'thumbturn companion list' to see those that are.")
        case .companionUnreachable(let host):
            Words(
                "companionUnreachable", .couldNotAsk, "Nothing waits at '\(SafeText(host, limit: 60))'.",
                "Run 'thumbturn companion wait' there first, and check that both machines are in one network, without a router "
                    + "between them.")
        case .companionLeft:
            Words(
                "companionLeft", .couldNotAsk, "The other machine ended the pairing, or it took too long.",
                "Start again on both machines.")
        case .companionDisagrees:
            Words(
                "companionDisagrees", .no, "The two machines don't agree on what they sent each other, so they aren't paired.",
                "Start again on both machines. If it happens again, somebody may be between the two.")
        case .companionExists:
            Words("duplicateItem", .exists, "A machine of that name is already paired.", "Use --name NAME to call it another.")
        case .companionsFull:
            Words(
                "quotaReached", .failed, "As many machines are paired as can be.",
                "Run 'thumbturn companion remove' for one that you don't use any more.")
        case .companionPortTaken:
            Words(
                "portTaken", .failed, "Another program listens at that port.", "Use --port PORT on both machines.")
        case .companionFailed:
            Words("companionFailed", .failed, "The program thumbturn-companion could not go on.", "See its message above.")

        case .appNotFound(let app, let wish):
            Words(
                "appNotFound", .notFound, "No app '\(SafeText(app, limit: 60))' has asked for \(wish).",
                "Run 'thumbturn apps' to see the apps that have asked.")
        case .keptItemNotFound(let name):
            Words(
                "itemNotFound", .notFound, "No program of your desktop keeps an item '\(SafeText(name, limit: 60))' here.",
                "Run 'thumbturn protect-item --list' to see the items.")
        case .keptItemAmbiguous(let name):
            Words(
                "itemAmbiguous", .usage, "Several items are called '\(SafeText(name, limit: 60))'.",
                "Name one by its ID, which 'thumbturn protect-item --list' shows.")
        case .programUnknown(let path):
            Words(
                "programUnknown", .notFound, "Nothing tells the program '\(SafeText(path, limit: 120))' from others.",
                "Give the whole path of a program, or of a script whose first line names its interpreter.")
        case .onlyRoot: Words("onlyRoot", .failed, "Only root can protect a program.", "Run the command with sudo.")
        case .logBroken(let what):
            Words(
                "logBroken", .no, "The log was changed: \(what).",
                "Find out who could write to the store's folder. All other records are as they were written.")

        case .backupExists: Words("fileExists", .exists, "The file already exists.", "Use --force to replace it.")
        case .backupNoFile:
            Words("noFile", .output, "Something else than a file has that name, and stays as it is.", "Name another file.")
        case .backupFolder:
            Words(
                "output", .output, "The backup's folder can't be written to.",
                "Check that it exists and that you may write to it.")
        case .backupUnfinished:
            Words(
                "partExists", .exists, "There is an unfinished backup of that name.",
                "If no other export is running, remove the file that ends in .part.")
        case .backupNotWritten(isFull: true):
            Words(
                "output", .output, "The disk is full, so the backup can't be written; nothing of it was kept.",
                "Make room and try again.")
        case .backupNotWritten(isFull: false):
            Words("output", .output, "The backup can't be written; nothing of it was kept.", "Try another folder.")
        case .backupUnreadable: Words("noInput", .input, "The backup can't be read.", "Check that you may read the file.")
        case .backupTruncated:
            Words(
                "truncated", .input, "The backup ends too soon: a part of it is missing.",
                "Copy it again from where it was made.")
        case .backupNotRecognized(let done):
            Words("authenticationFailed", .no, "The owner wasn't recognized, so nothing more was \(done).", "Try again.")
        case .interrupted(let failure, let items):
            failure.words.next(
                "Before that, \(Notice.items(items)) \(items == 1 ? "was" : "were") imported."
                    + (failure.words.next.map { " " + $0 } ?? ""))
        case .noSystemService:
            Words(
                "noSystemService", .couldNotAsk, "System mode is off, so there is no system service to copy items to.",
                "To switch it on, run 'sudo thumbturn system-mode on'.")
        case .noPasscodeAtOwnDaemon:
            Words(
                "noPasscodeThere", .couldNotAsk, "Your own daemon has no passcode, so it can't check the owner.",
                "Run 'THUMBTURN_SOCKET=$XDG_RUNTIME_DIR/thumbturn/socket thumbturn passcode set'.")
        case .noSessionBus:
            Words("noSessionBus", .couldNotAsk, "There is no session bus.", "Run the command in your desktop session.")
        case .noSecretService:
            Words(
                "noSecretService", .couldNotAsk, "No Secret Service answers on the session bus.",
                "Start gnome-keyring, KWallet or another one, then try again.")
        case .secretServiceStopped:
            Words(
                "secretServiceStopped", .failed, "The Secret Service stopped answering.",
                "The items added so far stay; run the command again to continue.")
        case .secretServiceUnreadable:
            Words(
                "secretServiceFailed", .failed, "The Secret Service could not be read.",
                "The items added so far stay; run the command again to continue.")

        case .programMissing(let name, let code):
            Words(
                code, .couldNotAsk, "The program \(name) was found neither beside this one nor in its libexec folder.",
                "Install the package that has its name, or all of Thumbturn with 'make install'.")
        case .noProgram: Words("noProgram", .noProgram, "There is no such program.", "Check its name, or give its whole path.")
        case .cannotRun(let reason):
            Words(
                "cannotRun", .cannotRun, "The program can't be run: \(reason).",
                "Check that it is a program and that you may run it.")
        case .noTemporaryFolder:
            Words(
                "output", .output, "No temporary folder can be made.",
                "Check that $TMPDIR names a folder that you may write to.")
        case .simulatorNotStarted:
            Words(
                "simulatorFailed", .failed, "The simulated device could not be started.",
                "If it said why, that stands above. Otherwise install Thumbturn again.")
        case .simulatorEnded:
            Words(
                "simulatorEnded", .failed, "The simulated device ended before the program did.",
                "Don't rely on what the program found after that.")
        case .simulatorRefused(let reason):
            Words("refused", .failed, reason.flatMap(\.sentence) ?? "The simulated device didn't do that.")
        case .notSimulated:
            Words(
                "noSimulator", .couldNotAsk, "This program doesn't run on a simulated device.",
                "Run it inside a program started with 'thumbturn simulate -- PROGRAM'.")
        }
    }
}

extension Failure {
    /// No more accounts than that are named.
    private static let namedAccounts = 5

    private static func accounts(_ accounts: [String]) -> String {
        let names = accounts.prefix(namedAccounts).map { "'\(SafeText($0, limit: 40))'" }
        let rest = accounts.count > namedAccounts ? " and others" : ""
        return "of the accounts " + names.joined(separator: ", ") + rest
    }
}
