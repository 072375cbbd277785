import Foundation
import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbConversation

/// Bodies kept as files, so that a change of the wire's form shows as a change of a file.
///
/// The right ones are written by `THUMBTURN_WRITE_CORPUS=1 swift test --filter CorpusTests` from the messages below, after
/// docs/PROTOCOL.md was changed; the wrong ones are written by hand.
enum Corpus {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
    /// Written anew first, where that is asked for.
    static let ready = Result {
        if ProcessInfo.processInfo.environment["THUMBTURN_WRITE_CORPUS"] != nil { try write() }
    }

    static let rule = AccessRule(.whenUnlocked)

    static let messages = ofAllRoles + ofApps

    private static let ofAllRoles: [(name: String, what: String, word: any Word)] = [
        ("request-status", "the shortest frame there is", GetStatus()),
        ("request-echo-empty", "echo of nothing", Echo(secret(""))),
        ("request-hello", "hello of an app, label abc", Hello(role: .app, label: "abc")),
        ("request-hello-face", "hello of an app that says why", Hello(role: .app, faceUsage: "why")),
        ("request-hello-range", "hello that speaks versions 0 to 65535", everyVersion),
        ("request-hello-prompt", "hello of a prompt with its ticket", Hello(role: .prompt, ticket: [1, 2])),
        ("request-find-bare", "a query without anything", FindItems(Query(itemClass: nil, limit: nil))),
        ("request-add-empty", "an item with empty data", AddItem(item(secret("")))),
        ("request-add-nothing", "an item without data, which isn't empty data", AddItem(item(nil))),
        ("request-credential", "a credential of four bytes", SetCredential(0, secret("1234"), context: 1)),
        ("request-credential-none", "a credential taken away", SetCredential(253, nil, context: 1)),
        ("request-credential-is-set", "whether there is one", IsCredentialSet(0, context: 1)),
        ("request-watch", "wanting to hear of changes", WatchEnvironment()),
        ("request-watch-session", "wanting to hear what happens to the session", WatchSession()),
        ("request-apps", "which apps there was a word about", ListApps()),
        ("request-judge", "an app denied", JudgeApp("abc", .face, .denied)),
        ("request-judge-forget", "an app forgotten", JudgeApp("abc", .face, nil)),
        ("request-judge-group", "an app let into a group", JudgeApp("abc", .group("g"), .allowed)),
        ("request-hello-login", "hello of the system's login", Hello(role: .login)),
        ("request-account-password", "the account's password is to be the passcode", UseAccountPassword()),
        ("request-offer", "a password that was just changed", OfferPasscode(uid: 1000, secret("1234"), isNew: true)),
        (
            "request-ask-owner", "a login that asks for a finger",
            AskOwner(uid: 1000, LoginDeed(service: "sudo", command: "sudo ls", becomes: "root", terminal: "tty2"))
        ),
        ("request-login-stands", "a login that goes on after its finger", LoginStands()),
        (
            "request-ask-for-polkit", "polkit's agent that has the owner asked",
            AskForPolkit(uid: 1000, Samples.polkit[0], takesFinger: true)
        ),
        ("request-lend-touch", "a touch for a helper's process", LendTouch(to: 4711)),
        ("answer-show-polkit", "a prompt that shows what polkit asks for", polkit),
        ("request-sign-statement", "a statement to sign", SignStatement(statement)),
        ("answer-show-sign-in", "a prompt that says where one signs in", signIn),
        ("answer-show-question", "a prompt that shows the system's question", question),
        ("answer-welcome", "welcome", Welcome(version: 1, mode: .user)),
        ("answer-page-empty", "a last page with nothing on it", ItemPage([], isLast: true)),
        (
            "answer-evaluated-state", "a success with an empty domain state",
            EvaluationReply(result: .success(.biometry), kind: .touchID, domainState: [])
        ),
        ("answer-flag", "yes", Flag(true)),
        ("answer-changed", "something changed", Changed()),
        ("answer-session-told", "the session was locked", SessionTold(.locked)),
        ("request-audit", "what happened, from 7 on", ReadAudit(.whole, from: 7)),
        ("request-audit-verify", "whether the chain holds", VerifyAudit(.own)),
        ("answer-audit", "one record", AuditAnswer([Samples.records[0]], next: 8)),
        ("request-export", "an export under a passphrase", BeginExport(passphrase: secret("tulips in spring"))),
        ("request-export-chunk", "the next chunk", ExportChunk()),
        (
            "request-import", "an import that replaces",
            BeginImport(head: [7], passphrase: secret("tulips in spring"), replaces: true, countsOnly: false)
        ),
        ("request-import-chunk", "the last chunk of an import", ImportChunk(box: [1, 2], isLastChunk: true)),
        ("answer-export-begun", "a head, and that three items will be looked at", ExportBegun(head: [7], items: 3)),
        (
            "answer-export-chunk", "a last chunk, one item left behind",
            ExportedChunk(
                box: [1, 2], isLastChunk: true, ExportTally(looked: 3, exported: 2, left: [.thisDeviceOnly: 1]))
        ),
        ("answer-imported", "what came of an import", ImportTally(added: 1, replaced: 2, present: 3)),
        ("answer-backup-failed", "a wrong passphrase", BackupFailure.wrongPassphrase),
        ("broker-tpm-unseal", "a guess at a guarded seal", UnsealInTPM([1, 2], under: secret("by"), guardedBy: .guesses)),
        ("broker-tpm-unsealed", "that it was wrong", TPMUnsealed(nil)),
        ("broker-tpm-failed", "that the TPM takes none for a while", TPMFailed(.custodianLocked, number: 0x921)),
        ("broker-reader-prepare", "a question about the reader", PrepareReader(isCasual: false, allowsWeakEnrolment: true)),
        (
            "broker-reader-snapshot", "an enrolment that is known",
            ReaderSnapshot(
                isThere: true, isEnrolled: true, enrolment: .known([7]),
                facts: SensorFacts(name: "r", hindrance: nil, tellsEnrolments: true, tellsFingers: false))
        ),
        ("broker-reader-match", "a match", FingerReport.match(.known([7]))),
        ("broker-reader-disconnected", "that the reader was unplugged", FingerReport.disconnected),
        (
            "broker-face-models", "faces that are known",
            FaceModelsRead(enrolment: .known([7]), stamp: [8, 9], problem: nil)
        ),
        (
            "broker-face-models-refused", "models that others can write",
            FaceModelsRead(enrolment: .unknown, stamp: [], problem: .modelsWritable)
        ),
        ("answer-apps", "one app", Apps([KnownApp(app: "abc", name: "a", verdict: .allowed, date: 0)])),
    ]

    private static let statement = StatementUse(
        .stored([7]), SignInWords(origin: "https://a.example", account: "b", purpose: .register), challenge: [1, 2])

    private static let signIn = PromptContent(
        program: ProgramWords(name: "a"), words: PromptWords(reason: ""),
        signIn: SignInWords(origin: "https://a.example", account: "b", purpose: .signIn), listening: .touchID)

    private static let polkit = PromptContent(
        purpose: .systemPassword, program: ProgramWords(name: "polkit"), words: PromptWords(ours: "r"),
        polkit: Samples.polkit[0], acceptsPasscode: true)

    private static let question = PromptContent(
        purpose: .accountPassword, program: ProgramWords(name: "a"), words: PromptWords(reason: "r"), acceptsPasscode: true,
        notice: .question(AccountQuestion(text: "Code: ", isHidden: false)))

    private static var everyVersion: Hello {
        var hello = Hello(role: .app)
        hello.lowestVersion = 0
        hello.highestVersion = .max
        return hello
    }

    private static func item(_ secret: SecretBytes?) -> NewItem {
        NewItem(itemClass: .genericPassword, attributes: [:], rule: rule, secret: secret)
    }

    static func write() throws {
        for (name, what, word) in messages {
            let body = word.body
            // Kind, call, and the rest in lines of sixteen bytes.
            var lines = [hex(body.prefix(1)) + " " + hex(body[1..<5])]
            for start in stride(from: 5, to: body.count, by: 16) { lines.append(hex(body[start..<min(start + 16, body.count)])) }
            let text = "# \(what)\n" + lines.joined(separator: "\n") + "\n"
            try text.write(to: folder.appending(path: name + ".hex"), atomically: true, encoding: .utf8)
        }
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Hexadecimal digits, with comments from `#` to the line's end.
    static func bytes(_ text: String) throws -> [UInt8] {
        let digits = text.split(separator: "\n").map { $0.prefix { $0 != "#" } }.joined().filter { !$0.isWhitespace }
        try #require(digits.count.isMultiple(of: 2))
        return try stride(from: 0, to: digits.count, by: 2).map { place in
            let start = digits.index(digits.startIndex, offsetBy: place)
            return try #require(UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16))
        }
    }
}

@Suite("The corpus of frames")
struct CorpusTests {
    /// `request-…` and `answer-…` are taken, `broker-…` by who speaks with a broker, `malformed-…` and `unknown-…` refused as that: one file for each body that was, or
    /// could have been, read wrongly once.
    @Test("the corpus is read as its names say, all of it")
    func corpus() throws {
        try Corpus.ready.get()
        let files = try FileManager.default.contentsOfDirectory(at: Corpus.folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "hex" }.sorted { $0.path < $1.path }
        #expect(files.count == Corpus.messages.count + 36)
        for file in files {
            let body = try Corpus.bytes(String(contentsOf: file, encoding: .utf8))
            let name = file.deletingPathExtension().lastPathComponent
            switch name.split(separator: "-").first {
            case "request": #expect(refusal(request: body) == nil, "\(name)")
            case "answer": #expect(refusal(answer: body) == nil, "\(name)")
            case "malformed":
                #expect(refusal(request: body) == .malformed || refusal(answer: body) == .malformed, "\(name)")
                #expect(refusal(request: body) != nil && refusal(answer: body) != nil, "\(name)")
            case "broker": #expect(Role.ofBrokers.contains { (try? $0.read(Frame(body))) != nil }, "\(name)")
            case "unknown": #expect(refusal(request: body) == .unknownKind && refusal(answer: body) == .unknownKind, "\(name)")
            default: Issue.record("\(name) says nothing about what it is")
            }
            try FuzzTests.read(body)
        }
    }

    @Test("every right frame of the corpus is what is said today, byte for byte", arguments: Corpus.messages.indices)
    func unchanged(index: Int) throws {
        try Corpus.ready.get()
        let (name, _, word) = Corpus.messages[index]
        let file = Corpus.folder.appending(path: name + ".hex")
        #expect(try Corpus.bytes(String(contentsOf: file, encoding: .utf8)) == word.body, "\(name)")
    }
}
