import Foundation
import Testing
import ThumbAccess
import ThumbCommands
import ThumbCredentialForms
import ThumbProtectedPrograms
import ThumbSSHAgentServer

@testable import ThumbClient
@testable import thumbturn

/// What the program says, read as a list: every failure and every notice once, with something in each blank.
@Suite("What the program says") struct WordsTests {
    private static let thing = Thing.secret("mail", account: "")
    private static let reference = SecretReference(WantedSecret("mail", account: "bob"), field: "pin")
    private static let path = ["thumbturn", "secret", "add"]

    static let failures: [Failure] =
        own + KeychainFailure.allCases.map { .keychain($0, about: thing) } + EvaluationFailure.allCases.map { .evaluation($0) }
        + EvaluationFailure.allCases.map { .notReleased(thing, $0) } + EnrollingFailure.allCases.map { .reader($0) }
        + BackupFailure.allCases.map { .backup($0) } + secrets.map { .secret($0) }
        + protection.map { .protection($0) } + systemMode.map { .systemMode($0) } + profile.map { .profile($0) }
        + polkit.map { .polkit($0) }
        + secretsService.map { .secretsService($0) }
        + ([.falseSocket, .agentRuns, .inTheWay, .folderIsOpen, .pathTooLong(limit: 107), .notMade] as [AgentSocketFailure]).map {
            .agentSocket($0)
        }
        + ([
            .notFound, .connectionLost, .impostor, .protocolBroken, .refused(.noRoom), .silent(isStopped: true),
            .silent(isStopped: false),
        ] as [ClientError.Code]).map {
            .daemon(ClientError($0, "look into it"))
        } + helpers.map { .helper($0) } + usage.map { .usage($0, path) }

    private static let own: [Failure] = [
        .misuse(Misuse(.missing("NAME"), path)), .simulatorGone(ClientError(.notFound, "look into it")), .cancelled,
        .notConfirmed(.passcodeTakes(items: 1, pairings: 0)),
        .notRecognized(soThat: "nothing was changed"), .noPasscode, .passcodeNeeded(.secret, orAnotherRule: true),
        .passcodeNeeded(.key, orAnotherRule: false), .enrolmentNeeded(.key, orAnotherRule: false),
        .enrolmentNeeded(.secret, orAnotherRule: true), .enrolmentUnknown(.secret, needsOnlySystemMode: true),
        .enrolmentUnknown(.key, needsOnlySystemMode: false), .sessionLocked, .sensorNeeded(.biometryNotEnrolled), .noLockedMemory,
        .inputEmpty, .inputUnreadable, .inputLines(1), .inputLines(2), .inputTooLarge(limit: 64), .secretTooLarge(limit: 1 << 20),
        .terminalUnreadable, .fileUnreadable("letter"), .noSuchFile, .outputNotWritten, .outputExists, .outputNotMade,
        .notForTerminal("the signature"), .secretExists(thing), .secretWithoutData(thing),
        .severalSecrets(.secret("mail", account: ""), accounts: ["bob", "carol"], reference: nil),
        .severalSecrets(.secret("mail", account: ""), accounts: ["bob", "carol"], reference: reference), .zeroByte(thing),
        .noMemoryFile,
        .keyExists(.key("deploy")), .severalKeys(.key("deploy")), .notHashed, .digestLength(hash: "sha256", wanted: 32, found: 3),
        .notEncrypted(.key("deploy")), .notDecrypted(.key("deploy")), .noRuntimeFolder, .passcodeIsSet,
        .passcodeIsAccountPassword,
        .passcodeIsAccountPasswordAlready, .accountNotJudged, .noRecoveryCode, .wrongRecoveryCode, .mistypedRecoveryCode,
        .storeIsOpen, .storeNotMended, .companionNotFound("laptop"), .companionUnreachable("laptop.local"), .companionLeft,
        .companionDisagrees, .companionExists, .companionsFull, .companionPortTaken, .companionFailed,
        .appNotFound(app: "org.example.app", wish: "face recognition"), .keptItemNotFound("Mail"), .keptItemAmbiguous("Mail"),
        .programUnknown("/bin/x"), .onlyRoot,
        .logBroken("its end is missing"), .backupExists, .backupNoFile, .recoveryCodeNotShown, .inputTwice, .wordsNotText,
        .backupFolder, .backupUnfinished, .backupNotWritten(isFull: true),
        .backupNotWritten(isFull: false), .backupUnreadable, .backupTruncated, .backupNotRecognized(done: "exported"),
        .interrupted(.inputUnreadable, afterItems: 3), .noSystemService, .noPasscodeAtOwnDaemon, .noSessionBus, .noSecretService,
        .secretServiceStopped, .secretServiceUnreadable, .programMissing("thumbturn-simulator", code: "noSimulator"), .noProgram,
        .cannotRun("Permission denied"), .noTemporaryFolder, .simulatorNotStarted, .simulatorEnded, .simulatorRefused(nil),
        .simulatorRefused("that passcode is not right"), .notSimulated,
    ]

    private static let helpers: [HelperFailure] =
        FormRefusal.allCases.map { .notUnderstood($0, from: "git") } + [
            .notOneLine(thing, tool: "git"), .notText(thing, tool: "docker"), .fieldsNeeded(thing, ["a", "b"], tool: "AWS"),
            .unknownOperation(tool: "cargo"), .noTerminal, .keyNotForAge(.key("files")), .notAnAgeKey, .noAgeKey, .notWrapped,
            .sudo, .promptNotAnswered, .passphraseWrong(thing),
        ]

    private static let usage: [Usage] = [
        .together("--list", with: "--undo"), .oneOf("--group and --folder"), .onlyWithFrom("--class"),
        .onlyWith("--clear-after", "--clipboard"), .noFinger, .emptyName,
        .nameOfSSHKeys, .nameLine(longest: 60), .fieldName, .fieldTwice("username"), .reference(meant: nil),
        .reference(meant: reference.text), .nameOfReference, .noSecret,
        .assignment(option: "--secret", form: "NAME=ITEM"),
        .variableTwice("A"), .machineName(longest: 64),
        .accountOfNobody("A"), .simulatorLine(bytes: 1024), .simulator("a passcode has 4 to 256 bytes"),
    ]

    private static let secrets: [SecretFailure] = [
        .noFields(thing), .noField("pin", of: thing, has: ["username", "password"]), .noField("pin", of: thing, has: []),
        .fieldsUnreadable(thing, line: 3), .fieldsNewer(thing), .tooManyFields(limit: 256), .fieldLines(2),
        .badReference(line: 3, of: nil, meant: nil), .badReference(line: 3, of: ".env", meant: reference.text), .templateNotText,
        .environmentLine(3, of: ".env"),
        .noMemoryFolder, .notEditable(thing), .noEditor("nano -w"), .editorFailed, .editedEmpty, .editedFields(thing, line: 1),
        .editedFields(thing, line: 3), .changedMeanwhile(thing),
        .noDisplay, .noClipboardTool("xclip or xsel"), .notForClipboard(thing), .clipboardFailed,
        .keptNotCopied(.replaced(thing), reference), .clipboardOnDisk(hasX11: true), .clipboardOnDisk(hasX11: false),
    ]

    private static let protection: [ProtectionFailure] = [
        .noFile("/x"), .outsideSystem, .unreadableProgram, .notExecutable, .writable, .replaceable, .runsAsItsOwner,
        .hasAnotherGroup, .bitIgnored, .notAProgram, .loaderReplaceable, .librariesReplaceable, .unchangeable, .knownAs("vault"),
        .badName, .promptName("prompt", program: "thumbturn-prompt"),
        .promptName("secrets", program: "thumbturn-secrets"), .nameTaken("vault"), .unreadableRegistry,
        .registryFolder("/etc/thumbturn"), .registryNotWritten, .registryFull, .notProtected, .groupNotMade("thumbturn-vault"),
        .groupMissing("thumbturn-vault"), .groupNotRemoved("thumbturn-vault"), .groupsUnreadable, .noTool("/usr/sbin/groupadd"),
    ]

    private static let systemMode: [SystemModeFailure] = [
        .notRoot("thumbturn system-mode on"), .noSystemd, .noUnits, .noPrompt, .markerNotWritten, .markerNotRemoved, .noSystemctl,
        .notEnabled, .notStarted, .notStopped,
    ]

    private static let profile: [ProfileFailure] = [
        .notRoot("thumbturn sudo on"), .eachUsersOwn, .loginIsOff, .userMode, .noTool, .noProfile, .stranger("su"), .noCopy,
        .toolFailed, .notUpdated(isUsed: true), .notUpdated(isUsed: false), .writtenByHand("sudo"), .fprintdByHand("login"),
        .recordNotWritten, .recordNotRemoved,
    ]

    private static let polkit: [PolkitFailure] = [.eachUsersOwn, .noManager, .notTaken, .notEnded]

    private static let secretsService: [SecretsServiceFailure] = [
        .noHome, .notProtected, .unknownKeyring("other"), .visibleKeyring("KeePassXC"), .notStarted, .notEnded,
        .notAnswering(nil), .notAnswering("other"), .notChanged("/x"), .recordUnreadable("/x"), .notReloaded,
    ]

    static let notices: [Notice] =
        [
            .recognized(by: .biometry), .recognized(by: .passcode), .recognized(by: .companion), .allowed("software-keys", true),
            .allowed("software-keys", false), .noSecrets, .noKeys, .noSSHKeys, .added(thing), .replaced(thing),
            .renamed(thing, to: "post"), .changed(thing), .unchanged(thing), .copied(thing, field: nil, seconds: 45),
            .copied(thing, field: "pin", seconds: 1),
            .removed(.key("deploy")),
            .made(.key("deploy"), holder: "by the TPM"), .signature(of: .key("deploy"), isGenuine: true),
            .signature(of: .key("deploy"), isGenuine: false), .noPasscode, .passcodeIsSet, .passcodeIsAccountPassword,
            .passcodeWasGiven, .passcodeWasNotGiven, .hasRecoveryCode, .hasNoRecoveryCode, .passcodeChosen, .passcodeChanged,
            .passcodeRemoved, .passcodeTakes(items: 2, pairings: 0), .passcodeTakes(items: 0, pairings: 1),
            .passcodeTakes(items: 1, pairings: 2), .closedWithoutPasscode(1), .accountPasswordChosen, .makeRecoveryCode,
            .writeRecoveryCode, .useRecoveryCode, .storeMended,
            .noFingers,
            .enrolled("left-thumb"), .forgotten("left-thumb"), .forgottenAll, .noApps,
            .appMay("org.example.app", wish: "face recognition"),
            .appMayNot("org.example.app", wish: "face recognition"), .appForgotten("org.example.app", wish: "face recognition"),
            .noKeptItems, .itemProtected("Mail", "none"), .itemProtected("Mail", "presence"),
            .readerAllowed("/usr/bin/git", "Mail", true), .readerAllowed("/usr/bin/git", "Mail", false),
            .noCompanions, .companionWaits, .runCarrier, .companionPaired("laptop", .asks), .companionPaired("desk", .answers),
            .companionRemoved("laptop"), .noProtectedPrograms, .protected("/usr/bin/vault", group: "protected:vault"),
            .protectedRunsAnything("/usr/bin/env"),
            .unprotected("/usr/bin/vault", group: "protected:vault"), .systemModeSwitchedOn, .systemModeSwitchedOff,
            .systemModeIsOn, .systemModeIsOff, .systemModeIsDown, .takeFingers(.sudo), .takeNoFingers(.login),
            .needSystemMode(.sudo), .waitForFprintd(.login), .pamChanges, .tryFingers(.sudo), .tryFingers(.login), .loginsOpen,
            .loginsOpenNothing, .startIsOpen, .takesOver(from: nil),
            .takesOver(from: "KWallet"), .keepsBehind(1), .secretsServiceIsOn, .secretsServiceIsOff,
            .secretsServiceAnswers("KWallet"), .secretsServiceWaits, .secretsServiceIsNobodys, .broughtOver(2), .goBack,
            .itemsStay,
            .nothingLogged, .logIsSound(records: 1),
            .logIsSound(records: 2),
            .exported(2, to: "vault.backup"), .imported(1), .wouldImport(2), .importReplaced(1), .wouldReplace(2), .present(1),
            .present(2),
            .moved(1), .wouldMove(2), .leftOut(3), .twoQuestions,
        ] + polkitNotices + StayingBehind.allCases.map { .stayedBehind(1, $0) }

    private static let polkitNotices: [Notice] = [
        .polkitAsksHere, .polkitAsksElsewhere, .polkitTakesNoFingers, .polkitStartsByHand,
    ]

    /// The names of an enum's cases, as its source has them.
    private static func cases(of file: String, before end: String) throws -> Set<String> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(
            contentsOf: folder.appending(path: "Sources/Programs/thumbturn/Words/\(file).swift"), encoding: .utf8)
        let table = try #require(source.range(of: end)).lowerBound
        // Only the enum's own cases stand so far out.
        let lines = source[..<table].split(separator: "\n").filter {
            $0.hasPrefix("    case ") || $0.hasPrefix("    indirect case ")
        }
        return Set(
            lines.flatMap { line in
                line.replacing("indirect ", with: "").dropFirst("    case ".count).replacing(/\([^)]*\)/, with: "")
                    .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            })
    }

    private static func name(_ value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }

    @Test("The list has every failure and every notice there is")
    func whole() throws {
        #expect(Set(Self.failures.map(Self.name)) == (try Self.cases(of: "Failure", before: "enum Loss")))
        #expect(Set(Self.secrets.map(Self.name)) == (try Self.cases(of: "SecretFailure", before: "var words")))
        #expect(Set(Self.usage.map(Self.name)) == (try Self.cases(of: "Usage", before: "var message")))
        #expect(Set(Self.notices.map(Self.name)) == (try Self.cases(of: "Notice", before: "var text")))
    }

    /// Whether a text is made of sentences: a capital, a digit, a quote or an option at the beginning, a full stop at the end.
    private func areSentences(_ text: String) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        return (first.isUppercase || first.isNumber || "'-/".contains(first)) && ".:".contains(last) && !text.contains("..")
            && !text.contains("  ")
    }

    @Test("Each failure is a sentence, blames nobody, and what to do next is a sentence too", arguments: 0..<failures.count)
    func failure(_ number: Int) {
        let words = Self.failures[number].words
        #expect(areSentences(words.message) || Self.isInterfaceName(words.message), "\(words.message)")
        if let next = words.next { #expect(areSentences(next), "\(next)") }
        for text in [words.message, words.next ?? ""] {
            for word in [
                "you must", "you failed", "you forgot", "wrong", "invalid", "illegal", "bad ", "fatal", "abort", "please",
                "sorry",
                "error", "who sets", "whoever",
            ] { #expect(!text.lowercased().contains(word), "\(text)") }
        }
        #expect(words.code.first?.isLowercase == true && words.code.allSatisfy { $0.isLetter }, "\(words.code)")
        #expect(words.lines.count == (words.next == nil ? 1 : 2))
    }

    /// `PROGRAM is missing.`: what the usage line calls it.
    private static func isInterfaceName(_ text: String) -> Bool {
        ["fprintd", "systemd", "systemctl"].contains { text.hasPrefix($0) }
    }

    /// Failures that nothing can be done about but to know them.
    private static let withoutStep: Set<String> = ["cancelled", "passcodeIsAccountPasswordAlready", "simulatorRefused"]

    @Test("Wherever there is something to do, it is said what")
    func steps() {
        let silent = Set(Self.own.filter { $0.words.next == nil }.map(Self.name))
        #expect(silent == Self.withoutStep)
        for failure in EvaluationFailure.allCases where ![.userCancel, .companionNotAvailable].contains(failure) {
            #expect(failure.words.next != nil, "\(failure)")
        }
        for failure in Self.secrets { #expect(failure.words.next != nil, "\(failure)") }
        for failure in EnrollingFailure.allCases where failure != .cancelled { #expect(failure.words.next != nil, "\(failure)") }
    }

    @Test("Each notice is a sentence", arguments: 0..<notices.count)
    func notice(_ number: Int) { #expect(areSentences(Self.notices[number].text), "\(Self.notices[number].text)") }

    @Test("A command that is named in a message is one that there is")
    func commands() throws {
        let texts = Self.failures.flatMap { [$0.words.message, $0.words.next ?? ""] } + Self.notices.map(\.text)
        var found = 0
        for text in texts {
            // The first line of a secret with fields begins with the name too.
            for match in text.matches(of: /'thumbturn (?!fields 1')([a-z -]*[a-z])/) {
                let words = match.1.split(separator: " ").map(String.init).filter { !$0.hasPrefix("-") }
                var place = Thumbturn.program.overview.place(["thumbturn"])
                var path = ["thumbturn"]
                for word in words where !(place?.subcommands.isEmpty ?? true) {
                    path.append(word)
                    place = Thumbturn.program.overview.place(path)
                }
                #expect(place != nil, "\(text)")
                found += 1
            }
        }
        #expect(found > 30)
    }
}
