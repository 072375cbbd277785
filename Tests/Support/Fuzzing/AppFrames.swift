import ThumbAccess
import ThumbConversation
import ThumbSecrets

/// What an app says to the daemon, and hears from it.
enum AppFrames {
    static let target = FuzzTarget(
        "frames-app", longest: 1024,
        sources: [
            "Apps", "Audit", "Backup", "Companions", "Device", "Evaluations", "Failures", "Fingers", "Greeting", "Items",
            "KeptItems",
            "Keys",
            "Passcode",
        ].map { "Sources/Wire/Conversation/Words/\($0).swift" } + [
            "Sources/Wire/Conversation/Form/Decoder.swift", "Sources/Wire/Conversation/Form/Encoder.swift",
            "Sources/Wire/Conversation/Form/WireValue.swift",
            "Sources/Wire/Conversation/Word.swift", "Sources/Wire/Conversation/Roles.swift#FromApp",
        ],
        seeds: { (requests + answers).seeds },
        parse: { input in
            try failures(input)
            return try reading.read(input)
        })

    private static let reading = FrameReading(
        roles: [taking(FromApp.init)], alone: { answer($0) },
        field: { ($0 as? UpdateItems)?.query.persistentRef })

    /// The words that only the daemon says to an app, and the one that a connection begins with.
    private static func answer(_ kind: WordKind) -> (any Word.Type)? {
        switch kind {
        case .hello: Hello.self
        case .welcome: Welcome.self
        case .refused: Refusal.self
        case .done: Done.self
        case .echoed: Echoed.self
        case .status: DeviceStatus.self
        case .capability: Capability.self
        case .evaluated: EvaluationReply.self
        case .failed: KeychainFailure.self
        case .itemPage: ItemPage.self
        case .recoveryCode: NewRecoveryCode.self
        case .behindPasscode: PasscodeHold.self
        case .readable: Readable.self
        case .flag: Flag.self
        case .changed: Changed.self
        case .sessionTold: SessionTold.self
        case .apps: Apps.self
        case .auditPage: AuditAnswer.self
        case .auditReport: AuditReport.self
        case .key: KeyRecord.self
        case .keyProduct: KeyProduct.self
        case .fingers: EnrolledFingers.self
        case .enrolling: EnrollingProgress.self
        case .enrollingEnded: EnrollingEnded.self
        case .exportBegun: ExportBegun.self
        case .exportedChunk: ExportedChunk.self
        case .imported: ImportTally.self
        case .backupFailed: BackupFailure.self
        case .companionList: CompanionList.self
        case .companionPaired: CompanionPaired.self
        case .pairingFrameOut: PairingFrameOut.self
        case .carriedOut: CarriedOut.self
        case .companionState: CompanionState.self
        case .companionProven: CompanionProven.self
        default: nil
        }
    }

    /// An answer is also read as the failure of each kind of call.
    private static func failures(_ input: [UInt8]) throws(Wrong) {
        let body = secret(input)
        _ = try accepted { () throws(Refusal) -> Int in
            let frame = try Frame(body)
            let all: [(any Error)?] = [
                try KeychainFailure(frame), try BackupError(frame), try FingerFailure(frame), try KeyUseFailure(frame),
            ]
            return all.count
        } or: {
            $0 == .malformed || $0 == .unknownKind
        }
    }

    // MARK: Seeds

    private static let words = PromptWords(reason: "unlock", fallbackTitle: "PIN", cancelTitle: "")
    private static let asking = AskingTerms(context: 5, permission: .skip, reuseSeconds: 1.5, words: words)
    private static let attributes: Attributes = [
        .account: .text("anna"), .service: .data([0, 255]), .creator: .number(-2), .invisible: .flag(true), .created: .date(0.5),
    ]
    // Both rules are ones that may be.
    private static let rule = try! AccessRule(.whenPasscodeSetThisDeviceOnly, [.biometryAny, .or, .devicePasscode])
    private static let presence = try! AccessRule(.always, .userPresence)
    private static let query = Query(
        itemClass: .identity, attributes: attributes, sync: .any, persistentRef: [1, 2, 3, 4, 5, 6], hostOrSubdomain: "a.example",
        limit: 3, shape: [.data, .ref], asking: asking)
    private static let statement = StatementUse(
        .stored([1]), SignInWords(origin: "https://a.example", account: "anna", purpose: .signIn), challenge: Array(0..<8),
        asking: asking)

    private static var requests: [any Word] { itemRequests + keptRequests + keyRequests + ownerRequests + companionRequests }

    private static var itemRequests: [any Word] {
        [
            Hello(role: .app, label: "org.example", faceUsage: "why"), Echo(secret("ping")), GetStatus(),
            GetCapability(1, context: 9),
            Evaluate(EvaluationRequest(context: 7, subject: .policy(.deviceOwner), words: words, reuseSeconds: 2)),
            Evaluate(EvaluationRequest(context: 0, subject: .rule(rule, .exchangeKeys), words: PromptWords(reason: ""))),
            Invalidate(context: 1), Release(context: 2), SetCredential(0, secret("1234"), context: 1),
            SetCredential(253, nil, context: 1), IsCredentialSet(0, context: 2), WatchEnvironment(), WatchSession(),
            AddItem(
                NewItem(
                    itemClass: .genericPassword, attributes: attributes, rule: rule, secret: secret("wine"), shape: .data,
                    asking: asking)),
            AddItem(NewItem(itemClass: .key, attributes: [:], rule: presence, secret: nil)), FindItems(query),
            PutItem(NewItem(itemClass: .internetPassword, attributes: attributes, rule: presence, secret: secret("wine"))),
            FindItems(Query(itemClass: nil, limit: nil)), RemoveItems(query),
            UpdateItems(query, ItemChange(attributes: attributes, rule: rule, secret: secret("new"))),
            UpdateItems(query, ItemChange()),
        ]
    }

    private static var keptRequests: [any Word] {
        let reader = Reader(
            identity: "/usr/bin/secret-tool for /b.sh", program: ProgramWords(path: "/usr/bin/secret-tool", place: .system),
            above: ["bash", "konsole"])
        return [
            ReleaseForReader(reader, [[1, 2], [3]], asking: asking), GetReadable(reader, [[1, 2], []]), ListKeptItems(),
            EvaluateForReader(reader, asking: asking), ProtectKeptItem([1, 2], rule),
            AllowReader("/usr/bin/git", name: "git", [1, 2]),
        ]
    }

    private static var keyRequests: [any Word] {
        let operations: [KeyOperation] =
            [
                .sign(digest: [1, 2], .ecdsa), .sign(digest: [1], .rsaPKCS1(.sha256)), .sign(digest: [1], .rsaPKCS1Raw),
                .sign(digest: [1], .rsaPSS(.sha512)), .sign(digest: [1], .rsaRaw), .agree(peer: [4, 5], .raw),
                .agree(peer: [4], .x963(.sha384, count: 32, sharedInfo: [9])),
            ]
            + [
                .rsaRaw, .rsaPKCS1, .rsaOAEP(.sha256), .rsaOAEPGCM(.sha384), .ecies(.sha256, derivesNonce: true),
            ].map { KeyOperation.decrypt([7], $0) }
        return operations.map { UseKey(KeyUse(.stored([1]), $0, asking: asking)) as any Word } + [
            UseKey(KeyUse(.detached([2, 3]), operations[0])), SignStatement(statement), Allow(.softwareKeys, true),
            MakeKey(
                NewKey(
                    kind: .elliptic(.p521), isEnclave: true, isPermanent: false, attributes: attributes, rule: rule,
                    asking: asking)),
            MakeKey(NewKey(kind: .rsa(bits: 2048), isEnclave: false, isPermanent: true, attributes: [:], rule: presence)),
            KeepKey([1, 2], attributes), ReadKey([3]),
        ]
    }

    private static var ownerRequests: [any Word] {
        [
            SetPasscode(), RemovePasscode(), CountBehindPasscode(), UseAccountPassword(), MakeRecoveryCode(),
            Recover(secret("ABCD")), ListApps(),
            JudgeApp("org.example", .face, .denied), JudgeApp("a", .group("g"), .allowed), JudgeApp("a", .program("/p"), nil),
            JudgeApp("a", .folder("/f"), nil), JudgeApp("a", .keptItem("00ff"), nil), ReadAudit(.own, from: 3),
            VerifyAudit(.whole), ListFingers(),
            EnrollFinger(.leftThumb), ForgetFinger(.rightLittle), ForgetFinger(nil),
            BeginExport(passphrase: secret("eight or more")), ExportChunk(),
            BeginImport(head: [7], passphrase: secret("eight or more"), replaces: true, countsOnly: false),
            ImportChunk(box: Array(0..<28), isLastChunk: true),
        ]
    }

    private static var companionRequests: [any Word] {
        [
            PairCompanion(PairingWish(side: .asks, ownName: "desk", otherName: "laptop", place: "laptop:8876")),
            PairCompanion(PairingWish(side: .answers, ownName: "laptop")), PairingFrameIn([1, 2]), ListCompanions(),
            RemoveCompanion(Array(0..<16)), CarryCompanions(), CarriedIn(Array(0..<16), [1, 2]),
            CompanionLine(Array(0..<16), isUp: true), GetCompanionState(),
        ]
    }

    private static var companion: CompanionFacts {
        CompanionFacts(id: Array(0..<16), side: .asks, name: "laptop", place: "laptop:8876", date: 1, isNear: true)
    }

    private static var answers: [any Word] {
        let found = FoundItem(
            itemClass: .genericPassword, attributes: attributes, rule: rule, persistentRef: [4, 5], secret: secret("wine"))
        return [
            Welcome(mode: .simulated), Refusal.tooLarge, Done(), Echoed(secret("ping")), status,
            Capability(failure: .biometryLockout, kind: .touchID, domainState: [1]),
            EvaluationReply(result: .success(.passcode), kind: .faceID, domainState: []),
            EvaluationReply(result: .failure(.userCancel), kind: .none), KeychainFailure.parameter,
            ItemPage([found, found], isLast: false), NewRecoveryCode(secret("code")), Flag(true), Changed(), SessionTold(.asleep),
            Apps(apps),
            Readable(isOpen: true, [.free, .asks, .refused, .missing]),
            AuditAnswer([record], next: 9), report, KeyRecord(item: found, detached: [6]), KeyProduct(secret("sig"), by: .tpm),
            EnrolledFingers(fingers: [.leftThumb, .rightIndex], isSwipe: true),
            EnrollingProgress(done: 4, stages: 5, hint: .centre), EnrollingEnded(.busy), EnrollingEnded(),
            ExportBegun(head: [7], items: 3),
            ExportedChunk(box: [1, 2], isLastChunk: true, ExportTally(looked: 3, exported: 2, left: [.thisDeviceOnly: 1])),
            ImportTally(added: 1, replaced: 2, present: 3), BackupFailure.wrongPassphrase, CompanionList([companion]),
            CompanionPaired(companion), PairingFrameOut([4]), CarriedOut(Array(0..<16), [1, 2, 3]),
            CompanionState(digest: [7], isNear: true), CompanionProven(Array(0..<16), connection: 3),
        ]
    }

    private static var apps: [KnownApp] {
        [
            KnownApp(app: "org.example", name: "vault", verdict: .allowed, date: -0.25),
            KnownApp(app: "flatpak:a", name: "a", kind: .sandboxed, wish: .group("/bin/a"), verdict: .noted, date: 1),
        ]
    }

    private static var status: DeviceStatus {
        DeviceStatus(
            mode: .system, biometry: .faceID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: true,
            passcodeWasGiven: false, hasRecoveryCode: true, isSessionLocked: false, items: 4, quarantined: 3, custodian: .tpm,
            enclave: .software, processID: -2,
            sensor: SensorFacts(name: "A reader", hindrance: .lidClosed, tellsEnrolments: false, tellsFingers: true))
    }

    private static var record: AuditRecord {
        AuditRecord(
            number: 1, ring: .notice, date: 12.5, event: .released, failure: .userCanceled, factors: [.biometry, .passcode],
            times: 2, uid: 1000, name: "vault", program: [1, 2], kind: .protected, itemClass: .certificate, item: [3],
            reference: [4])
    }

    private static var report: AuditReport {
        AuditReport(
            areChainsWhole: false,
            chains: [
                AuditReport.Chain(
                    ring: .notice, program: [1, 2], name: "vault", kind: .sandboxed, uid: 7, records: 9, brokenCount: 2,
                    broken: [3, 4], endsWhereItShould: false,
                    dropped: [
                        AuditReport.Dropped(event: .released, count: 1, since: -1, until: 2.5),
                        AuditReport.Dropped(event: nil, count: 1, since: 0, until: 0),
                    ])
            ])
    }
}
