import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

/// A reader's keeper that does what it is told at once, and notes it. One that waits enrolls until a test tells how that goes.
@OnLoop final class NotingKeeper: @OnLoop FingerKeeper {
    nonisolated let done = Notes<String>()
    private let waits: Bool
    private var report: ((EnrollingReport) -> Void)?

    nonisolated init(waits: Bool = false) { self.waits = waits }

    func fingers(_ answer: @escaping (Result<EnrolledFingers, EnrollingFailure>) -> Void) {
        answer(.success(EnrolledFingers(fingers: [.rightIndex], isSwipe: false)))
    }
    func enroll(_ finger: Finger, _ report: @escaping (EnrollingReport) -> Void) {
        done.add(waits ? "begun" : "enrolled")
        if waits { self.report = report } else { report(.ended(nil)) }
    }
    func stopEnrolling() { done.add("stopped") }
    /// What the reader of one that waits says.
    func tell(_ said: EnrollingReport) { report?(said) }
    func forget(_ finger: Finger?, _ answer: @escaping (EnrollingFailure?) -> Void) {
        done.add("forgotten")
        answer(nil)
    }
}

/// What changes who the owner is, or lets everything out, asks for the passcode itself, each time.
@Suite("A fresh passcode")
struct FreshPasscodeTests {
    private static let app: ExactName = "org.example.judged"

    enum Deed: String, CaseIterable, CustomTestStringConvertible {
        case setPasscode, removePasscode, makeRecoveryCode, export, importing, judge, allow, enroll, forget

        var testDescription: String { rawValue }

        func request(head: [UInt8]) -> any Word {
            switch self {
            case .setPasscode: SetPasscode()
            case .removePasscode: RemovePasscode()
            case .makeRecoveryCode: MakeRecoveryCode()
            case .export: BeginExport(passphrase: secret("a long passphrase"))
            case .importing:
                BeginImport(head: head, passphrase: secret("a long passphrase"), replaces: false, countsOnly: true)
            case .judge: JudgeApp(FreshPasscodeTests.app, .group("team.shared"), .allowed)
            case .allow: Allow(.weakEnrolment, true)
            case .enroll: EnrollFinger(.rightIndex)
            case .forget: ForgetFinger(nil)
            }
        }

        /// What the log calls it. Those without a name here go on after the passcode, and are noted when they end.
        var event: AuditEvent? {
            switch self {
            case .removePasscode: .passcodeRemoved
            case .makeRecoveryCode: .recoveryCodeMade
            case .judge: .appJudged
            case .allow: .allowanceChanged
            case .enroll: .fingerEnrolled
            case .forget: .fingerForgotten
            case .setPasscode, .export, .importing: nil
            }
        }
    }

    private func prompt(_ stand: Stand, _ ticket: [UInt8]) throws -> Peer {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        return prompt
    }

    /// An app whose context has shown the passcode a moment ago, and may reuse that for what takes it.
    private func trusted(_ stand: Stand) throws -> Peer {
        let app = try stand.app(label: Self.app.text)
        try app.send(
            .evaluate(EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open"))))
        let prompt = try prompt(stand, try app.ticket())
        _ = try prompt.shown()
        try prompt.send(.typed(secret("1234")))
        guard try app.evaluated() == .success(.passcode) else { throw Peer.Surprise() }
        return app
    }

    /// A backup's head, and the word about an app that can be changed.
    private func head(_ stand: Stand) throws -> [UInt8] {
        stand.onLoop {
            try? $0.device.consents.keep(.denied, on: Self.app, .group("team.shared"), named: "judged", .consented)
        }
        let app = try stand.app()
        try app.send(Deed.export.request(head: []))
        let prompt = try prompt(stand, try app.ticket())
        _ = try prompt.shown()
        try prompt.send(.typed(secret("1234")))
        guard case .exportBegun(let head, _)? = try app.next() else { throw Peer.Surprise() }
        return head
    }

    private func stand(passcode: String? = "1234") throws -> (stand: Stand, keeper: NotingKeeper) {
        let keeper = NotingKeeper()
        return (try Stand(passcode: passcode, fingers: keeper), keeper)
    }

    @Test(
        "a context that has just shown it doesn't do, nor does a finger, nor the passcode given for the same before",
        arguments: Deed.allCases)
    func asked(deed: Deed) throws {
        let (stand, keeper) = try stand()
        let head = try head(stand)
        let app = try trusted(stand)
        for _ in 0..<2 {
            try app.send(deed.request(head: head), call: 7)
            let refusing = try prompt(stand, try app.ticket())
            let content = try #require(try refusing.shown())
            // A finger seen now is nobody's answer: nothing listens.
            _ = try stand.app().isHeard()
            #expect(
                content.acceptsPasscode && content.listening == .none
                    && content.program.shortName == "thumbturnPackageTests.xctest")
            stand.onLoop { $0.sensor.see(owner: true) }
            try refusing.send(.cancelled)
            guard case .failed(.userCanceled)? = try app.next() else { throw Peer.Surprise() }
            #expect(keeper.done.all.isEmpty)
            #expect(stand.onLoop { !$0.device.holds(.weakEnrolment) && $0.device.parts.passcode.isSet })
        }
        try app.send(deed.request(head: head), call: 8)
        let granting = try prompt(stand, try app.ticket())
        _ = try granting.shown()
        try granting.send(.typed(secret("1234")))
        switch deed {
        // Goes on with another prompt, in which the new one is chosen.
        case .setPasscode: _ = try app.ticket()
        case .makeRecoveryCode: guard case .secret? = try app.next() else { throw Peer.Surprise() }
        case .export: guard case .exportBegun? = try app.next() else { throw Peer.Surprise() }
        case .removePasscode, .importing, .judge, .allow: guard case .done? = try app.next() else { throw Peer.Surprise() }
        case .enroll, .forget: guard case .enrollingEnded(nil)? = try app.next() else { throw Peer.Surprise() }
        }
        if deed == .enroll || deed == .forget { #expect(keeper.done.all == [deed == .enroll ? "enrolled" : "forgotten"]) }
        // A backup that runs is the connection's only one, and a passcode that is being chosen too.
        guard ![.export, .importing, .setPasscode, .removePasscode].contains(deed) else { return }
        try app.send(deed.request(head: head), call: 9)
        _ = try app.ticket()
    }

    /// What the log has by now.
    private func records(_ stand: Stand) -> [AuditRecord] {
        stand.onLoop { graph in (try? graph.device.audit.read(from: 0, of: nil))?.entries.map(\.record) ?? [] }
    }

    @Test(
        "the log has the owner's no to it, and once it is done the deed itself",
        arguments: Deed.allCases.filter { $0.event != nil })
    func noted(deed: Deed) throws {
        let (stand, _) = try stand()
        stand.onLoop {
            try? $0.device.consents.keep(.denied, on: Self.app, .group("team.shared"), named: "judged", .consented)
        }
        let app = try stand.app(label: Self.app.text)
        try app.send(deed.request(head: []), call: 7)
        let refusing = try prompt(stand, try app.ticket())
        _ = try refusing.shown()
        try refusing.send(.cancelled)
        guard case .failed(.userCanceled)? = try app.next() else { throw Peer.Surprise() }
        let refused = records(stand)
        #expect(refused.map(\.event) == [.evaluated] && refused.map(\.failure) == [.userCanceled])
        try app.send(deed.request(head: []), call: 8)
        let granting = try prompt(stand, try app.ticket())
        _ = try granting.shown()
        try granting.send(.typed(secret("1234")))
        let (call, _) = try #require(try app.nextWithCall())
        let done = records(stand).filter { $0.event == deed.event }
        #expect(call == 8 && done.map(\.failure) == [nil])
        #expect(done.map(\.factors) == [[.passcode]])
    }

    /// Chooses a passcode in the prompt that is called for now.
    private func choose(_ new: String, _ stand: Stand, _ app: Peer) throws {
        let choosing = try prompt(stand, try app.ticket())
        for _ in 0..<2 {
            _ = try choosing.shown()
            try choosing.send(.typed(secret(new)))
        }
        guard case .done? = try app.next() else { throw Peer.Surprise() }
    }

    private func recoveryCode(_ stand: Stand, _ app: Peer) throws -> SecretBytes {
        try app.send(.makeRecoveryCode)
        let allowing = try prompt(stand, try app.ticket())
        _ = try allowing.shown()
        try allowing.send(.typed(secret("1234")))
        guard case .secret(let code)? = try app.next() else { throw Peer.Surprise() }
        return code
    }

    @Test("the right recovery code ends a lockout and the wait after wrong passcodes; a wrong one ends neither")
    func misses() throws {
        let (stand, _) = try stand()
        let app = try stand.app()
        let code = try recoveryCode(stand, app)
        // As many as a store stands for whose counters aren't trusted, as on another machine's chip.
        let missed = Attempts(biometric: Attempts.biometricLimit, passcode: 9)
        stand.onLoop { try? $0.ledger.commit(missed) }
        try app.send(.recover(secret("not the code")))
        guard case .failed(.authenticationFailed)? = try app.next() else { throw Peer.Surprise() }
        #expect(stand.onLoop { $0.ledger.attempts } == missed)
        try app.send(.recover(code))
        try choose("5678", stand, app)
        #expect(stand.onLoop { $0.ledger.attempts } == Attempts())
    }

    @Test("a recovery and each new passcode are in the log, with what was shown for it")
    func newOnes() throws {
        let (stand, _) = try stand()
        let app = try stand.app()
        try app.send(.recover(try recoveryCode(stand, app)))
        try choose("5678", stand, app)
        try app.send(.setPasscode)
        let changing = try prompt(stand, try app.ticket())
        _ = try changing.shown()
        try changing.send(.typed(secret("5678")))
        try choose("9012", stand, app)
        let all = records(stand)
        #expect(all.filter { $0.event == .recovered }.map(\.failure) == [nil])
        // For the first one nobody has given the passcode: the code was enough.
        #expect(all.filter { $0.event == .passcodeSet }.map(\.factors) == [[], [.passcode]])
    }

    @Test("a wrong recovery code is in the log")
    func wrongCode() throws {
        let (stand, _) = try stand()
        let app = try stand.app()
        try app.send(.makeRecoveryCode)
        let prompt = try prompt(stand, try app.ticket())
        _ = try prompt.shown()
        try prompt.send(.typed(secret("1234")))
        guard case .secret? = try app.next() else { throw Peer.Surprise() }
        try app.send(.recover(secret("not the code")))
        guard case .failed(.authenticationFailed)? = try app.next() else { throw Peer.Surprise() }
        #expect(records(stand).filter { $0.event == .recovered }.map(\.failure) == [.authenticationFailed])
    }

    @Test("without a passcode there is nobody who could allow it", arguments: Deed.allCases.filter { $0 != .setPasscode })
    func noPasscode(deed: Deed) throws {
        let (stand, keeper) = try stand(passcode: nil)
        stand.onLoop {
            try? $0.device.consents.keep(.denied, on: Self.app, .group("team.shared"), named: "judged", .consented)
        }
        let app = try stand.app()
        try app.send(deed.request(head: []))
        switch (deed, try app.next()) {
        case (.removePasscode, .failed(.itemNotFound)), (.makeRecoveryCode, .failed(.itemNotFound)): break
        case (.export, .backupFailed(.noPasscode)), (.importing, .backupFailed(.noPasscode)): break
        case (.judge, .failed(.authenticationFailed)), (.allow, .failed(.authenticationFailed)): break
        case (.enroll, .enrollingEnded(.notPermitted)), (.forget, .enrollingEnded(.notPermitted)): break
        case (_, let answer): Issue.record("\(String(describing: answer))")
        }
        #expect(keeper.done.all.isEmpty && stand.onLoop { !$0.device.holds(.weakEnrolment) })
    }
}
