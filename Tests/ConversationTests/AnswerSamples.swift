import ThumbAccess

@testable import ThumbConversation

extension Samples {
    static let found = [
        FoundItem(
            itemClass: .genericPassword, attributes: attributes, rule: rule, persistentRef: [4, 5], secret: secret("wine")),
        FoundItem(itemClass: .internetPassword, attributes: [:], rule: presence, persistentRef: []),
    ]

    static let apps = [
        KnownApp(app: "app.example", name: "vault", verdict: .allowed, date: -0.25),
        KnownApp(app: "", name: "", verdict: .denied, date: 0),
        KnownApp(
            app: "flatpak:org.example", name: "org.example", kind: .sandboxed, wish: .group("/bin/vault"), verdict: .denied,
            date: 1),
        KnownApp(app: "/usr/bin/git", name: "git", wish: .keptItem("00ff"), verdict: .allowed, date: 2),
    ]

    static let records =
        AuditEvent.allCases.map { AuditRecord(number: .max, date: -0.25, event: $0, times: 0, uid: 0, name: "") }
        + AuditRing.allCases.map {
            AuditRecord(
                number: 1, ring: $0, date: 12.5, event: .released, failure: .userCanceled,
                factors: [.biometry, .passcode, .companion], times: .max, uid: .max, name: "vault", program: Array(0..<16),
                kind: .protected, itemClass: .certificate, item: Array(0..<16), reference: Array(0..<20))
        }

    static let reports = [
        AuditReport(
            areChainsWhole: false,
            chains: [
                AuditReport.Chain(
                    ring: .notice, program: [1, 2], name: "vault", kind: .sandboxed, uid: 7, records: .max, brokenCount: 2,
                    broken: [3, .max], endsWhereItShould: false,
                    dropped: [
                        AuditReport.Dropped(event: .released, count: .max, since: -1, until: 2.5),
                        AuditReport.Dropped(event: nil, count: 1, since: 0, until: 0),
                    ]), AuditReport.Chain(ring: .earlier),
            ]), AuditReport(),
    ]

    static let status = DeviceStatus(
        mode: .system, biometry: .faceID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: true, passcodeWasGiven: false,
        hasRecoveryCode: true, isSessionLocked: false, items: .max, quarantined: 3, custodian: .tpm, enclave: .software,
        processID: -2, biometryLevel: .convenience, passcodeSource: .account,
        sensor: SensorFacts(name: "A reader", hindrance: .lidClosed, tellsEnrolments: false, tellsFingers: true),
        isAtDisplay: true,
        hasPromptAgent: false)

    static let contents: [PromptContent] =
        ([
            nil, .missed(attemptsLeft: 2), .wrongPasscode,
            .passcodeUnchecked, .passcodeWaits, .biometryLocked, .passcodesDiffer,
            .passcodeTooShort(least: 4), .question(AccountQuestion(text: "Code", isHidden: false)), .accountPasswordChanged,
            .accountPasswordExpired, .accountLocked,
        ] + RetryHint.allCases.map(PromptNotice.retry)).map {
            PromptContent(
                purpose: .repeatPasscode, program: ProgramWords(kind: .protected, name: "vault"), words: words,
                listening: .touchID,
                acceptsPasscode: true, offersFallback: true, notice: $0, passcodeWait: 12.5)
        } + [
            PromptContent(
                program: ProgramWords(name: "bank"), words: PromptWords(reason: ""), signIn: signingIn, listening: .touchID),
            PromptContent(program: ProgramWords(name: ""), words: PromptWords(reason: ""), signIn: registering),
            PromptContent(
                program: ProgramWords(name: "bank"), words: PromptWords(ours: "make a recovery code"), acceptsPasscode: true),
        ]
        + [ProgramWords.Runs.named("/home/ada/a.py"), .named(""), .commands].map {
            PromptContent(program: ProgramWords(path: "/usr/bin/python3", runs: $0), words: PromptWords(reason: ""))
        }
        + polkit.map {
            PromptContent(
                purpose: .systemPassword, program: ProgramWords(kind: .protected, name: "polkit"),
                words: PromptWords(ours: $0.message), polkit: $0, listening: .touchID, acceptsPasscode: true)
        }
        + [CompanionWords.asksFrom(machine: "desk"), .mayAnswer(["laptop", ""]), .mayAnswer([])].map {
            var content = PromptContent(program: ProgramWords(name: "bank"), words: PromptWords(reason: ""))
            content.companion = $0
            return content
        }

    static let answers: [any Word] =
        [
            Welcome(version: 1, mode: .simulated), Done(), Echoed(secret("ping")), Echoed(secret("")), status,
            Capability(failure: nil, kind: .touchID, domainState: [1, 2]),
            Capability(failure: .biometryLockout, kind: .none, domainState: nil),
            EvaluationReply(result: .success(.passcode), kind: .faceID, domainState: []),
            ItemPage(found, isLast: false), ItemPage([], isLast: true), PromptNeeded(ticket: Array(0..<32)),
            WindowNeeded(ticket: Array(0..<32)), PromptWanted(ticket: []), NewRecoveryCode(secret("code")),
            Flag(true), Flag(false), Changed(), SessionTold(.locked), SessionTold(.returned), Apps(apps), Apps([]),
            AuditAnswer(records, next: .max),
            AuditAnswer([], next: nil), reports[0], reports[1],
            PasscodeHold(erased: .max, closed: 3, pairings: 16), PasscodeHold(),
            Readable(isOpen: true, Readability.allCases), Readable(isOpen: false, []),
            EnrolledFingers(fingers: Finger.allCases, isSwipe: true), EnrolledFingers(fingers: [], isSwipe: false),
            EnrollingProgress(done: 0, stages: 255), EnrollingProgress(done: 4, stages: 5, hint: .centre),
            EnrollingEnded(), PromptEnding.success, PromptEnding.cancelled, WaitBehind(programs: 3), WaitBehind(programs: .max),
            ExportBegun(head: Array(0..<87), items: .max), ExportBegun(head: [], items: 0),
            ExportedChunk(
                box: Array(0..<28), isLastChunk: false,
                ExportTally(
                    looked: .max, exported: 3, left: Dictionary(uniqueKeysWithValues: StayingBehind.allCases.map { ($0, 7) }))),
            ExportedChunk(box: [], isLastChunk: true, ExportTally()), ImportTally(added: .max, replaced: 2, present: 3),
            ImportTally(),
            KeyRecord(item: found[1]), KeyRecord(item: found[0], detached: [6, 7]),
            KeyProduct(secret("sig"), by: .tpm), KeyProduct(secret(""), by: .software),
        ] + failures + contents + companions

    private static let companions: [any Word] = [
        CompanionList([laptop, desk]), CompanionList([]), CompanionPaired(laptop), PairingFrameOut([4]),
        CarriedOut(Array(0..<16), [1, 2, 3]), CompanionState(digest: [7], isNear: true), CompanionState(),
        CompanionProven(Array(0..<16), connection: 3),
    ]

    private static let laptop = CompanionFacts(
        id: Array(0..<16), side: .asks, name: "laptop", place: "laptop.local:8876", date: -0.25, isNear: true)
    private static let desk = CompanionFacts(
        id: Array(1...16), side: .answers, name: "desk", place: "", date: 0, isNear: false)

    private static let failures: [any Word] =
        BackupFailure.allCases + Refusal.allCases + KeychainFailure.allCases
        + EnrollingFailure.allCases.map { EnrollingEnded($0) }
        + EvaluationFailure.allCases.map { EvaluationReply(result: .failure($0), kind: .none) }
}
