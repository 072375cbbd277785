import Testing
import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import thumbturn_test_wire

@testable import ThumbService

/// This process claims a bundle identifier that another program had first.
@Suite("Asking about a bundle identifier that another program had")
struct TieCallTests {
    private static let claim: ExactName = "org.example.tied"
    private static let other: ExactName = "/usr/bin/the-bank"
    private static let find = FindItems(Query(itemClass: .genericPassword, shape: .data))

    private func stand(passcode: String? = "1234", biometry: BiometryKind = .touchID) throws -> Stand {
        let stand = try Stand(biometry: biometry, passcode: passcode)
        let isKept = stand.onLoop { graph in
            graph.device.asksConsent = true
            return
                (try? graph.device.consents.keep(
                    .noted, on: Self.claim, .program(Self.other), named: Self.other.text, .consented,
                    tie: Consent.Tie(program: Self.other, file: [])))
                != nil
        }
        try #require(isKept)
        return stand
    }

    private func prompt(_ stand: Stand, _ ticket: [UInt8]) throws -> (Peer, PromptContent) {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket)))
        guard case .welcome? = try prompt.next(), let content = try prompt.shown() else { throw Peer.Surprise() }
        return (prompt, content)
    }

    /// Every call that works on what a program keeps under its name.
    private static let calls: [any Word] = [
        find, RemoveItems(Query(itemClass: .genericPassword)), UpdateItems(Query(itemClass: .genericPassword), ItemChange()),
        AddItem(NewItem(itemClass: .genericPassword, attributes: [:], rule: AccessRule(.always), secret: nil)),
        ReadKey([1]), KeepKey([1], [:]), UseKey(KeyUse(.stored([1]), .sign(digest: [], .ecdsa))),
        SignStatement(
            StatementUse(.stored([1]), SignInWords(origin: "https://a.example", account: "b", purpose: .signIn), challenge: [])),
    ]

    @Test("each call of the keychain waits for the owner's word, with both paths before their eyes, and a finger doesn't give it")
    func asked() throws {
        for request in Self.calls {
            let stand = try stand()
            let app = try stand.app(label: Self.claim.text)
            try app.send(request)
            let (prompt, content) = try prompt(stand, try app.ticket())
            #expect(content.acceptsPasscode && content.listening == .none)
            #expect(content.words.reason.hasSuffix("go on as ‘org.example.tied’, which has been ‘/usr/bin/the-bank’ so far"))
            #expect(content.program.claim == Self.claim && content.program.path != nil && content.program.name == nil)
            stand.onLoop { $0.sensor.see(owner: true) }
            try prompt.send(.cancelled)
            guard case .failed(.missingEntitlement)? = try app.next() else { throw Peer.Surprise() }
            // A no is kept: nobody is asked again, on another connection neither.
            let again = try stand.app(label: Self.claim.text)
            try again.send(request)
            guard case .failed(.missingEntitlement)? = try again.next() else { throw Peer.Surprise() }
        }
    }

    @Test("the passcode lets it go on, on every connection, and nobody is asked again")
    func allowed() throws {
        let stand = try stand()
        let app = try stand.app(label: Self.claim.text)
        try app.send(Self.find)
        let (prompt, _) = try prompt(stand, try app.ticket())
        try prompt.send(.typed(secret("1234")))
        guard case .failed(.itemNotFound)? = try app.next() else { throw Peer.Surprise() }
        let again = try stand.app(label: Self.claim.text)
        try again.send(Self.find)
        guard case .failed(.itemNotFound)? = try again.next() else { throw Peer.Surprise() }
    }

    @Test("where nobody can be asked the call fails as one that may not interact, and nothing is decided")
    func nobody() throws {
        let stand = try stand()
        let app = try stand.app(label: Self.claim.text)
        try app.send(Self.find)
        try app.send(.promptUnavailable(ticket: try app.ticket()))
        guard case .failed(.interactionNotAllowed)? = try app.next() else { throw Peer.Surprise() }
        var silent = Query(itemClass: .genericPassword, shape: .data)
        silent.asking.permission = .fail
        try app.send(.find(silent))
        guard case .failed(.interactionNotAllowed)? = try app.next() else { throw Peer.Surprise() }
        silent.asking.permission = .skip
        try app.send(.find(silent))
        guard case .failed(.itemNotFound)? = try app.next() else { throw Peer.Surprise() }
        try app.send(Self.find)
        _ = try app.ticket()
    }

    @Test("where there is no passcode nobody can let it go on")
    func noPasscode() throws {
        let stand = try stand(passcode: nil)
        let app = try stand.app(label: Self.claim.text)
        try app.send(Self.find)
        guard case .failed(.missingEntitlement)? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("what the owner takes back counts on a connection that was let go on before")
    func takenBack() throws {
        let stand = try stand()
        let app = try stand.app(label: Self.claim.text)
        try app.send(Self.find)
        let (prompt, content) = try prompt(stand, try app.ticket())
        try prompt.send(.typed(secret("1234")))
        guard case .failed(.itemNotFound)? = try app.next() else { throw Peer.Surprise() }
        let path = try #require(content.program.path)
        stand.onLoop { graph in
            try? graph.device.consents.keep(.denied, on: Self.claim, .program(path), named: path.text, .consented)
        }
        try app.send(Self.find)
        guard case .failed(.missingEntitlement)? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("it learns nothing of the fingers under that name, and no word about the camera counts for it")
    func preflight() throws {
        let stand = try stand()
        func state(_ label: ExactName?) throws -> [UInt8]? {
            let app = try stand.app(label: label?.text)
            try app.send(.capability(context: 1, policy: Policy.biometrics.rawValue))
            guard case .capability(let capability)? = try app.next() else { throw Peer.Surprise() }
            return capability.domainState
        }
        #expect(try state(Self.claim) == nil)
        #expect(try state(nil) != nil)
        let (composed, decomposed) = (try state("caf\u{E9}"), try state("cafe\u{301}"))
        #expect(composed != nil && decomposed != nil && composed != decomposed)
    }

    @Test("the owner's yes to the camera under that name isn't the other program's: the owner is asked about the name first")
    func camera() throws {
        let stand = try stand(biometry: .faceID)
        let isAllowed = stand.onLoop { graph in
            (try? graph.device.consents.keep(.allowed, on: Self.claim, .face, named: Self.other.text, .consented)) != nil
        }
        try #require(isAllowed)
        let app = try stand.app(label: Self.claim.text)
        let evaluate = Evaluate(
            EvaluationRequest(context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "open")))
        try app.send(evaluate)
        let (prompt, content) = try prompt(stand, try app.ticket())
        #expect(content.acceptsPasscode && content.listening == .none)
        #expect(content.words.reason.hasSuffix("which has been ‘/usr/bin/the-bank’ so far"))
        try prompt.send(.cancelled)
        #expect(try app.evaluated() == .failure(.biometryNotAvailable))
        // The no is kept, so nobody is asked again.
        try app.send(evaluate)
        #expect(try app.evaluated() == .failure(.biometryNotAvailable))
    }

    @Test("nobody says of a program that it was the first")
    func noted() throws {
        let app = try stand().app()
        try app.send(.judgeApp(Self.claim, .program(Self.other), .noted))
        #expect(try app.refusal() == .malformed)
    }
}
