import ThumbAccess
import ThumbSecrets

@testable import ThumbConversation

/// A secret of those bytes.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    // A test without locked memory for a few bytes can't go on.
    try! SecretBytes(copying: bytes)
}

func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

extension EncodedFrame {
    /// The frame as it stands on the socket.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var start = 0
        for (place, secret) in secrets {
            bytes += plain[start..<place]
            bytes += secret.plainBytes(in: 0..<secret.count)
            start = place
        }
        return bytes + plain[start...]
    }

    /// The frame without its length, as a reader gets it.
    var body: [UInt8] { Array(bytes.dropFirst(4)) }
}

/// Every kind that docs/PROTOCOL.md has.
enum Kinds {
    static let requests: Set<UInt8> = [
        1, 2, 3, 10, 11, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 30, 31, 32, 33, 34, 35, 36, 40, 41, 50, 51, 52, 53, 54, 55, 56,
        57, 58, 60, 61, 62, 63, 64, 65, 66, 70, 71, 72, 73,
    ]
    static let answers = Set<UInt8>(Array(128...143) + [150, 151, 156, 157, 158, 160, 161, 162, 164, 165] + Array(170...173))
}

/// Every request and every answer, each with the most and the least that it can carry.
enum Samples {
    static let words = PromptWords(reason: "unlock “Ünïcode”\n", fallbackTitle: "Enter PIN", cancelTitle: "")
    static let asking = AskingTerms(context: .max, permission: .skip, reuseSeconds: 12.5, words: words)

    static let attributes: Attributes = [
        .account: .text("émile"), .service: .data([0, 0xff, 10]), .creator: .number(.min), .invisible: .flag(true),
        .created: .date(-0.25), AttributeName(code: 0): .text(""),
    ]

    // Both rules are allowed, so neither can fail.
    static let rule = try! AccessRule(.whenPasscodeSetThisDeviceOnly, [.biometryAny, .or, .devicePasscode])
    static let presence = try! AccessRule(.always, .userPresence)

    static let fullQuery = Query(
        itemClass: .identity, attributes: attributes, sync: .any, persistentRef: [1, 2, 3],
        hostOrSubdomain: "example.org", limit: Int(UInt32.max),
        shape: [.data, .attributes, .persistentRef, .ref], asking: asking)
    static let bareQuery = Query(itemClass: nil, limit: nil)

    static let items = [
        NewItem(
            itemClass: .genericPassword, attributes: attributes, rule: rule, secret: secret("wine\n\0"), shape: .data,
            asking: asking),
        NewItem(itemClass: .key, attributes: [:], rule: presence, secret: nil),
        NewItem(itemClass: .certificate, attributes: [:], rule: presence, secret: secret("")),
    ]

    static let changes = [
        ItemChange(attributes: attributes, rule: rule, secret: secret("new")), ItemChange(), ItemChange(secret: secret("")),
    ]

    static let evaluations = [
        EvaluationRequest(
            context: 7, subject: .policy(.deviceOwner), words: words, interactionNotAllowed: true,
            reuseSeconds: 300),
        EvaluationRequest(context: 0, subject: .rule(rule, .exchangeKeys), words: PromptWords(reason: "")),
    ]

    static let hellos: [Hello] = {
        var newer = Hello(role: .app)
        newer.lowestVersion = 3
        newer.highestVersion = .max
        return [
            Hello(role: .app), newer, Hello(role: .app, label: String(repeating: "x", count: 255)),
            Hello(role: .app, label: "app.example", faceUsage: "open the vault"),
            Hello(role: .app, faceUsage: String(repeating: "x", count: 1024)),
            Hello(role: .prompt, ticket: Array(0..<32)), Hello(role: .login),
            Hello(role: .prompt, ticket: [], surface: .terminal), Hello(role: .prompt, surface: .x11(display: ":0")),
            Hello(role: .prompt, surface: .wayland(compositor: 4711)),
        ]
    }()

    static let newKey = NewKey(
        kind: .elliptic(.p521), isEnclave: true, isPermanent: false, attributes: attributes, rule: rule, asking: asking)

    static let operations: [KeyOperation] =
        [
            .sign(digest: [], .ecdsa), .sign(digest: [1, 2], .rsaPKCS1(.sha1)), .sign(digest: [1], .rsaPKCS1Raw),
            .sign(digest: [1], .rsaPSS(.sha512)), .sign(digest: [1], .rsaRaw), .agree(peer: [4, 5], .raw),
            .agree(peer: [], .x963(.sha224, count: 1, sharedInfo: [])),
            .agree(peer: [4], .x963(.sha384, count: 65536, sharedInfo: [9])),
        ]
        + [
            .rsaRaw, .rsaPKCS1, .rsaOAEP(.sha256), .rsaOAEPGCM(.sha384), .ecies(.sha1, derivesNonce: false),
            .ecies(.sha256, derivesNonce: true),
        ].map { KeyOperation.decrypt([7], $0) }

    static let signingIn = SignInWords(origin: "https://bank.example", account: "anna@bank.example", purpose: .signIn)
    static let registering = SignInWords(origin: "", account: "", purpose: .register)

    static let keyRequests: [Request] =
        [
            .makeKey(newKey),
            .makeKey(NewKey(kind: .rsa(bits: 8192), isEnclave: false, isPermanent: true, attributes: [:], rule: presence)),
            .keepKey(detached: [1, 2], attributes), .keepKey(detached: [], [:]), .readKey(detached: [3]),
        ] + operations.map { .useKey(KeyUse(.stored([1]), $0, asking: asking)) }
        + [.useKey(KeyUse(.detached([]), operations[0])), .allow(.softwareKeys, true), .allow(.softwareKeys, false)]
        + [
            .signStatement(StatementUse(.stored([1]), signingIn, challenge: Array(0..<32), asking: asking)),
            .signStatement(StatementUse(.detached([]), registering, challenge: [])),
        ]

    static let requests: [Request] =
        keyRequests + hellos.map(Request.hello)
        + [
            .echo(secret("")), .echo(secret("ping")), .status, .capability(context: 9, policy: 255),
        ] + evaluations.map(Request.evaluate)
        + [
            .invalidate(context: 1), .release(context: .max), .promptUnavailable(ticket: []),
            .promptUnavailable(ticket: [9, 9]), .setCredential(context: 1, kind: 0, secret("pin")),
            .setCredential(context: 1, kind: 253, secret("")), .setCredential(context: .max, kind: 255, nil),
            .isCredentialSet(context: 2, kind: 0), .watchEnvironment,
        ] + items.map(Request.add)
        + [
            .find(fullQuery), .find(bareQuery), .remove(bareQuery), .remove(fullQuery),
        ] + changes.map { .update(fullQuery, $0) }
        + [
            .setPasscode, .removePasscode, .makeRecoveryCode, .recover(secret("ABCD")), .useAccountPassword,
            .offerPasscode(uid: .max, secret("hunter22"), isNew: true), .offerPasscode(uid: 0, secret(""), isNew: false),
            .listApps,
            .judgeApp("app.example", .face, .denied), .judgeApp("", .group(""), nil),
            .judgeApp("app.example", .group("team.shared"), .allowed), .readAudit(.own, from: .max),
            .readAudit(.whole, from: 0), .verifyAudit(.own), .verifyAudit(.whole),
            .beginExport(passphrase: secret("eight and more")), .exportChunk,
            .beginImport(head: Array(0..<87), passphrase: secret("eight and more"), replaces: true, countsOnly: false),
            .beginImport(head: [], passphrase: secret(""), replaces: false, countsOnly: true),
            .importChunk(box: Array(0..<28), isLast: false), .importChunk(box: [], isLast: true), .typed(secret("2580")),
            .listFingers, .enroll(.leftThumb), .forgetFinger(.rightLittle), .forgetFinger(nil),
            .cancelled, .fallback, .shown, .here(acts: true), .here(acts: false), .dismissProgram,
        ]

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

    static let answers: [Answer] =
        [
            .welcome(version: 1, mode: .simulated), .done, .echoed(secret("ping")), .echoed(secret("")), .status(status),
            .capability(Capability(failure: nil, kind: .touchID, domainState: [1, 2])),
            .capability(Capability(failure: .biometryLockout, kind: .none, domainState: nil)),
            .evaluated(EvaluationReply(result: .success(.passcode), kind: .faceID, domainState: [])),
            .page(found, isLast: false), .page([], isLast: true), .promptNeeded(ticket: Array(0..<32)),
            .windowNeeded(ticket: Array(0..<32)), .promptWanted(ticket: []), .secret(secret("code")),
            .flag(true), .flag(false), .changed, .apps(apps), .apps([]), .audit(AuditAnswer(records, next: .max)),
            .audit(AuditAnswer([], next: nil)), .auditReport(reports[0]), .auditReport(reports[1]),
            .fingers(EnrolledFingers(fingers: Finger.allCases, isSwipe: true)),
            .fingers(EnrolledFingers(fingers: [], isSwipe: false)),
            .enrolling(EnrollingProgress(done: 0, stages: 255)), .enrolling(EnrollingProgress(done: 4, stages: 5, hint: .centre)),
            .enrollingEnded(nil),
            .dismiss(.success),
            .dismiss(.cancelled), .wait(programs: 3), .wait(programs: .max),
            .exportBegun(head: Array(0..<87), items: .max), .exportBegun(head: [], items: 0),
            .exportChunk(
                box: Array(0..<28), isLast: false,
                ExportTally(
                    looked: .max, exported: 3, left: Dictionary(uniqueKeysWithValues: StayingBehind.allCases.map { ($0, 7) }))),
            .exportChunk(box: [], isLast: true, ExportTally()), .imported(ImportTally(added: .max, replaced: 2, present: 3)),
            .imported(ImportTally()),
            .key(KeyRecord(item: found[1])), .key(KeyRecord(item: found[0], detached: [6, 7])),
            .keyUsed(KeyProduct(secret("sig"), by: .tpm)), .keyUsed(KeyProduct(secret(""), by: .software)),
        ] + BackupFailure.allCases.map(Answer.backupFailed) + Refusal.allCases.map(Answer.refused)
        + KeychainFailure.allCases.map(Answer.failed)
        + EnrollingFailure.allCases.map(Answer.enrollingEnded)
        + EvaluationFailure.allCases.map { .evaluated(EvaluationReply(result: .failure($0), kind: .none)) }
        + contents.map(Answer.show)
}

/// Whether two requests say the same, field by field.
func same(_ a: Request, _ b: Request) -> Bool {
    switch (a, b) {
    case (.hello(let a), .hello(let b)): a == b
    case (.echo(let a), .echo(let b)), (.recover(let a), .recover(let b)), (.typed(let a), .typed(let b)): a == b
    case (.capability(let a, let x), .capability(let b, let y)): a == b && x == y
    case (.evaluate(let a), .evaluate(let b)): a == b
    case (.invalidate(let a), .invalidate(let b)), (.release(let a), .release(let b)): a == b
    case (.promptUnavailable(let a), .promptUnavailable(let b)): a == b
    case (.offerPasscode(let a, let p, let x), .offerPasscode(let b, let q, let y)): a == b && p == q && x == y
    case (.setCredential(let a, let x, let p), .setCredential(let b, let y, let q)): a == b && x == y && p == q
    case (.isCredentialSet(let a, let x), .isCredentialSet(let b, let y)): a == b && x == y
    case (.judgeApp(let a, let x, let p), .judgeApp(let b, let y, let q)): a == b && x == y && p == q
    case (.readAudit(let a, let x), .readAudit(let b, let y)): a == b && x == y
    case (.verifyAudit(let a), .verifyAudit(let b)): a == b
    case (.enroll(let a), .enroll(let b)): a == b
    case (.forgetFinger(let a), .forgetFinger(let b)): a == b
    case (.add(let a), .add(let b)):
        a.itemClass == b.itemClass && a.attributes == b.attributes && a.rule == b.rule && a.secret == b.secret
            && a.shape == b.shape && a.asking == b.asking
    case (.find(let a), .find(let b)), (.remove(let a), .remove(let b)): a == b
    case (.update(let a, let x), .update(let b, let y)):
        a == b && x.attributes == y.attributes && x.rule == y.rule && x.secret == y.secret
    case (.makeKey(let a), .makeKey(let b)): a == b
    case (.keepKey(let a, let x), .keepKey(let b, let y)): a == b && x == y
    case (.readKey(let a), .readKey(let b)): a == b
    case (.useKey(let a), .useKey(let b)): a == b
    case (.signStatement(let a), .signStatement(let b)): a == b
    case (.allow(let a, let x), .allow(let b, let y)): a == b && x == y
    case (.beginExport(let a), .beginExport(let b)): a == b
    case (.beginImport(let a, let p, let x, let y), .beginImport(let b, let q, let v, let w)):
        a == b && p == q && x == v && y == w
    case (.importChunk(let a, let x), .importChunk(let b, let y)): a == b && x == y
    case (.status, .status), (.exportChunk, .exportChunk), (.setPasscode, .setPasscode), (.removePasscode, .removePasscode),
        (.makeRecoveryCode, .makeRecoveryCode), (.listApps, .listApps), (.watchEnvironment, .watchEnvironment),
        (.listFingers, .listFingers), (.useAccountPassword, .useAccountPassword),
        (.cancelled, .cancelled),
        (.fallback, .fallback), (.shown, .shown), (.dismissProgram, .dismissProgram):
        true
    case (.here(let a), .here(let b)): a == b
    default: false
    }
}

/// Whether two answers say the same, field by field.
func same(_ a: Answer, _ b: Answer) -> Bool {
    switch (a, b) {
    case (.welcome(let a, let x), .welcome(let b, let y)): a == b && x == y
    case (.refused(let a), .refused(let b)): a == b
    case (.done, .done), (.changed, .changed): true
    case (.flag(let a), .flag(let b)): a == b
    case (.apps(let a), .apps(let b)): a == b
    case (.audit(let a), .audit(let b)): a == b
    case (.auditReport(let a), .auditReport(let b)): a == b
    case (.fingers(let a), .fingers(let b)): a == b
    case (.enrolling(let a), .enrolling(let b)): a == b
    case (.enrollingEnded(let a), .enrollingEnded(let b)): a == b
    case (.echoed(let a), .echoed(let b)), (.secret(let a), .secret(let b)): a == b
    case (.status(let a), .status(let b)): a == b
    case (.capability(let a), .capability(let b)): a == b
    case (.evaluated(let a), .evaluated(let b)): a == b
    case (.failed(let a), .failed(let b)): a == b
    case (.page(let a, let x), .page(let b, let y)):
        x == y && a.count == b.count && zip(a, b).allSatisfy(same)
    case (.key(let a), .key(let b)): same(a.item, b.item) && a.detached == b.detached
    case (.keyUsed(let a), .keyUsed(let b)): a.bytes == b.bytes && a.custodian == b.custodian
    case (.promptNeeded(let a), .promptNeeded(let b)), (.windowNeeded(let a), .windowNeeded(let b)),
        (.promptWanted(let a), .promptWanted(let b)):
        a == b
    case (.exportBegun(let a, let x), .exportBegun(let b, let y)): a == b && x == y
    case (.exportChunk(let a, let x, let s), .exportChunk(let b, let y, let t)): a == b && x == y && s == t
    case (.imported(let a), .imported(let b)): a == b
    case (.backupFailed(let a), .backupFailed(let b)): a == b
    case (.show(let a), .show(let b)): a == b
    case (.dismiss(let a), .dismiss(let b)): a == b
    case (.wait(let a), .wait(let b)): a == b
    default: false
    }
}

func same(_ a: FoundItem, _ b: FoundItem) -> Bool {
    a.itemClass == b.itemClass && a.attributes == b.attributes && a.rule == b.rule && a.persistentRef == b.persistentRef
        && a.secret == b.secret
}
