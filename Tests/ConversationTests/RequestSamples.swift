import ThumbAccess

@testable import ThumbConversation

extension Samples {
    static let requests =
        keyRequests + contextRequests + itemRequests + keptRequests + ownerRequests + backupRequests
        + promptAndFingerRequests + companionRequests

    private static let keyRequests: [any Word] =
        [
            MakeKey(newKey),
            MakeKey(NewKey(kind: .rsa(bits: 8192), isEnclave: false, isPermanent: true, attributes: [:], rule: presence)),
            KeepKey([1, 2], attributes), KeepKey([], [:]), ReadKey([3]),
        ] + operations.map { UseKey(KeyUse(.stored([1]), $0, asking: asking)) } + [
            UseKey(KeyUse(.detached([]), operations[0])), Allow(.softwareKeys, true), Allow(.softwareKeys, false),
            SignStatement(StatementUse(.stored([1]), signingIn, challenge: Array(0..<32), asking: asking)),
            SignStatement(StatementUse(.detached([]), registering, challenge: [])),
        ]

    private static let contextRequests: [any Word] =
        hellos + [
            Echo(secret("")), Echo(secret("ping")), GetStatus(), GetCapability(255, context: 9),
        ] + evaluations.map { Evaluate($0) } + [
            Invalidate(context: 1), Release(context: .max), PromptUnavailable(ticket: []), PromptUnavailable(ticket: [9, 9]),
            SetCredential(0, secret("pin"), context: 1), SetCredential(253, secret(""), context: 1),
            SetCredential(255, nil, context: .max), IsCredentialSet(0, context: 2), WatchEnvironment(), WatchSession(),
        ]

    private static let itemRequests: [any Word] =
        items.map { AddItem($0) } + items.map { PutItem($0) } + [
            FindItems(fullQuery), FindItems(bareQuery), RemoveItems(bareQuery), RemoveItems(fullQuery),
        ] + changes.map { UpdateItems(fullQuery, $0) }

    static let readers = [
        Reader(
            identity: "/usr/bin/secret-tool for /home/anna/büro.sh sha256:00",
            program: ProgramWords(path: "/usr/bin/secret-tool", place: .system, process: 7), above: ["bash", "", "konsole"]),
        Reader(identity: "p", program: ProgramWords(kind: .protected, name: "vault")),
    ]

    private static let keptRequests: [any Word] = [
        ReleaseForReader(readers[0], [[1, 2], []], asking: asking),
        ReleaseForReader(
            readers[1], [[UInt8]](repeating: [7], count: ReaderLimit.releasedItems), asking: AskingTerms(permission: .fail)),
        EvaluateForReader(readers[0], asking: asking), EvaluateForReader(readers[1], asking: AskingTerms(permission: .fail)),
        GetReadable(readers[0], [[1], [2, 3]]), GetReadable(readers[1], []), ListKeptItems(),
        ProtectKeptItem([4, 5], rule), ProtectKeptItem([], presence), AllowReader("/usr/bin/git", name: "git", [4, 5]),
        AllowReader("x", name: "", []), JudgeApp("/usr/bin/git", .keptItem("00ff"), .denied),
    ]

    static let polkit = [
        PolkitWords(
            action: "org.freedesktop.policykit.exec", message: "Run ‘id’ as the super user", vendor: "The polkit project",
            icon: "dialog-password", command: "/usr/bin/pkexec id", asker: "sh", details: [.init("user", "root")], account: "ada",
            isKept: true),
        PolkitWords(action: "", message: String(repeating: "é", count: 300), account: ""),
    ]

    private static let ownerRequests: [any Word] = [
        SetPasscode(), RemovePasscode(), MakeRecoveryCode(), Recover(secret("ABCD")), UseAccountPassword(), CountBehindPasscode(),
        AskOwner(uid: .max, LoginDeed(service: "su")),
        AskOwner(
            uid: 0, LoginDeed(service: "sudo", command: "sudo ls é", person: "ada", becomes: "root", terminal: "tty2")),
        OfferPasscode(uid: .max, secret("hunter22"), isNew: true), OfferPasscode(uid: 0, secret(""), isNew: false),
        AskForPolkit(uid: .max, polkit[0], takesFinger: true), AskForPolkit(uid: 0, polkit[1], takesFinger: false),
        LendTouch(to: .max), LendTouch(to: 0), LoginStands(),
        ListApps(),
        JudgeApp("app.example", .face, .denied), JudgeApp("", .group(""), nil),
        JudgeApp("app.example", .group("team.shared"), .allowed), ReadAudit(.own, from: .max),
        ReadAudit(.whole, from: 0), VerifyAudit(.own), VerifyAudit(.whole),
    ]

    private static let backupRequests: [any Word] = [
        BeginExport(passphrase: secret("eight and more")), ExportChunk(),
        BeginImport(head: Array(0..<87), passphrase: secret("eight and more"), replaces: true, countsOnly: false),
        BeginImport(head: [], passphrase: secret(""), replaces: false, countsOnly: true),
        ImportChunk(box: Array(0..<28), isLastChunk: false), ImportChunk(box: [], isLastChunk: true),
    ]

    private static let promptAndFingerRequests: [any Word] = [
        Typed(secret("2580")), ListFingers(), EnrollFinger(.leftThumb), ForgetFinger(.rightLittle), ForgetFinger(nil),
        Cancelled(), Fallback(), Shown(), Here(acts: true), Here(acts: false), DismissProgram(),
    ]

    private static let companionRequests: [any Word] = [
        PairCompanion(PairingWish(side: .asks, ownName: "desk", otherName: "laptop", place: "laptop.local:8876")),
        PairCompanion(PairingWish(side: .answers, ownName: String(repeating: "x", count: 64))),
        PairingFrameIn([1]), PairingFrameIn(Array(0..<40)), ListCompanions(),
        RemoveCompanion(Array(0..<16)), CarryCompanions(), CarriedIn(Array(0..<16), [1, 2]),
        CarriedIn(Array(0..<16), [1, 2], connection: .max),
        CompanionLine(Array(0..<16), isUp: true), CompanionLine(Array(1...16), isUp: false), GetCompanionState(),
    ]
}
