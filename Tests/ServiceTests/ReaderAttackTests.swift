import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

@Suite("Attacks on what is kept for other programs", .timeLimit(.minutes(5)))
struct ReaderAttackTests {
    private let device: ProviderStand

    init() throws { device = try ProviderStand() }

    private static let maker = ProviderStand.reader(ProviderStand.maker)
    private static let tool = ProviderStand.reader()

    private static func note(_ name: String, succeeded: Bool) {
        Tally.attack(name, succeeded: succeeded)
        #expect(!succeeded, "\(name)")
    }

    /// Whether a call was answered with a secret.
    private func isReleased(_ answer: Answer?) -> Bool {
        if case .page(let items, _)? = answer { items.contains { $0.secret != nil } } else { false }
    }

    private func isRefused(_ answer: Answer?) -> Bool { if case .failed(.missingEntitlement)? = answer { true } else { false } }

    @Test("a program that isn't the provider says nothing of readers")
    func impostor() throws {
        let item = try device.keep()
        for label in [nil, "org.example.app", "org.thumbturn.secret", "ORG.THUMBTURN.SECRETS"] {
            let app = try device.stand.app(label: label)
            try app.send(ReleaseForReader(Self.maker, [item], asking: AskingTerms()))
            Self.note("a program that isn't the provider reads as the item's maker", succeeded: isReleased(try app.next()))
            try app.send(GetReadable(Self.maker, [item]))
            guard case .failed(.missingEntitlement)? = try app.next() else { throw Peer.Surprise() }
            try app.send(EvaluateForReader(Self.maker, asking: AskingTerms()))
            Self.note("a program that isn't the provider asks in a reader's name", succeeded: try !isRefused(app.next()))
        }
        let caged = Caller(uid: 1, pid: 1, kind: .sandboxed, name: "x", groups: ["flatpak:org.thumbturn.secrets"])
        Self.note(
            "a program in a sandbox asks in a reader's name",
            succeeded: try !isRefused(device.stand.ask(EvaluateForReader(Self.maker, asking: AskingTerms()), as: caged)))
        Self.note(
            "a program in a sandbox reads as the item's maker",
            succeeded: isReleased(try device.stand.ask(ReleaseForReader(Self.maker, [item], asking: AskingTerms()), as: caged)))
    }

    @Test("a program that only claims the provider's name reads nothing before the owner has let it go on under that name")
    func claimed() throws {
        let item = try device.keep()
        let first: ExactName = "/usr/bin/the-bank"
        let isNoted = device.stand.onLoop { graph in
            graph.device.asksConsent = true
            return
                (try? graph.device.consents.keep(
                    .noted, on: ProviderStand.group, .program(first), named: first.text, .consented,
                    tie: Consent.Tie(program: first, file: [])))
                != nil
        }
        try #require(isNoted)
        let app = try device.stand.app(label: ProviderStand.group.text)
        try app.send(GetReadable(Self.maker, [item]))
        guard case .failed(.missingEntitlement)? = try app.next() else { throw Peer.Surprise() }
        // The item's maker is asked about nothing, so only the question about the name stands before the secret.
        try app.send(ReleaseForReader(Self.maker, [item], asking: AskingTerms()))
        let (prompt, content) = try device.prompt(try app.ticket())
        #expect(content.acceptsPasscode && content.listening == .none)
        #expect(content.words.reason.hasSuffix("which has been ‘/usr/bin/the-bank’ so far"))
        try prompt.send(.cancelled)
        guard case .failed(.missingEntitlement)? = try app.next() else { throw Peer.Surprise() }
        try app.send(EvaluateForReader(Self.maker, asking: AskingTerms()))
        Self.note("a program that only claims the provider's name names a reader", succeeded: try !isRefused(app.next()))
    }

    @Test("a program in a sandbox neither lists, protects nor allows")
    func sandboxed() throws {
        let item = try device.keep()
        let caged = Caller(uid: 1, pid: 1, kind: .sandboxed, name: "x", groups: ["flatpak:org.example"])
        func isRefused(_ word: some Word) throws -> Bool {
            if case .failed(.missingEntitlement)? = try device.stand.ask(word, as: caged) { true } else { false }
        }
        Self.note("a program in a sandbox lists what is kept", succeeded: try !isRefused(ListKeptItems()))
        Self.note(
            "a program in a sandbox has an item's rule changed",
            succeeded: try !isRefused(ProtectKeptItem(item, AccessRule(.always))))
        Self.note(
            "a program in a sandbox has a reader allowed", succeeded: try !isRefused(AllowReader("x", name: "x", item)))
    }

    @Test("the provider's own search gives no secret away")
    func search() throws {
        _ = try device.keep()
        try device.provider.send(FindItems(Query(itemClass: .genericPassword, shape: .data)))
        Self.note("the provider reads a kept secret without naming a reader", succeeded: isReleased(try device.provider.next()))
    }

    @Test("a touch never lasts, on the same connection, another one, or under the same context")
    func touch() throws {
        let item = try device.keep()
        try device.want([item], context: 3)
        _ = try device.prompt()
        #expect(device.stand.see(owner: true))
        #expect(try device.released() == ["Mail password"])
        Self.note("a touch is kept as an answer for ever", succeeded: !device.kept.isEmpty)
        try device.want([item], .fail, context: 3)
        Self.note("a touch counts for the next call under its context", succeeded: isReleased(try device.provider.next()))
        let other = try device.stand.app(label: ProviderStand.group.text)
        try other.send(ReleaseForReader(Self.tool, [item], asking: AskingTerms(permission: .fail)))
        Self.note("a touch counts for another connection", succeeded: isReleased(try other.next()))
    }

    @Test("what a context of the provider's has shown is no answer for a reader")
    func context() throws {
        let item = try device.keep(rule: try AccessRule(.afterFirstUnlock, .userPresence))
        try device.provider.send(
            .evaluate(EvaluationRequest(context: 4, subject: .policy(.deviceOwner), words: PromptWords(reason: "open"))))
        try device.prompt().peer.send(.typed(secret("1234")))
        #expect(try device.provider.evaluated() == .success(.passcode))
        for reader in [Self.tool, Self.maker] {
            try device.want([item], for: reader, .fail, context: 4)
            Self.note("what a context has shown counts for a reader", succeeded: isReleased(try device.provider.next()))
        }
    }

    @Test("an answer about one item says nothing about another, and one about a reader nothing about its neighbours")
    func others() throws {
        let (item, other) = (try device.keep(), try device.keep("Other"))
        try device.want([item])
        try device.prompt().peer.send(.typed(secret("1234")))
        _ = try device.released()
        Self.note("an answer about one item opens another", succeeded: try device.free([other]) != nil)
        for identity: ExactName in [
            "/usr/bin/secret-tool for /bin/x", "/usr/bin/secret-tool\0", "/usr/bin/Secret-tool", "secret-tool",
        ] {
            Self.note(
                "an answer about one reader opens for another of a similar name",
                succeeded: try device.free([item], for: ProviderStand.reader(identity)) != nil)
        }
    }

    @Test("no answer outlives its item, and a new item of the same names has none")
    func removed() throws {
        let item = try device.keep()
        try device.want([item])
        try device.prompt().peer.send(.typed(secret("1234")))
        _ = try device.released()
        try device.provider.send(RemoveItems(Query(itemClass: nil, persistentRef: item)))
        guard case .done? = try device.provider.next() else { throw Peer.Surprise() }
        Self.note("an answer outlives its item", succeeded: !device.kept.isEmpty)
        let again = try device.keep()
        Self.note("an answer about a removed item opens its successor", succeeded: try device.free([again]) != nil)
    }

    @Test("a reader that is greedy with prompts holds up no other reader of the same provider")
    func greedy() throws {
        let item = try device.keep()
        for call: UInt32 in 1...40 { try device.want([item], call: call) }
        let first = try device.prompt()
        let other = ProviderStand.reader("/usr/bin/git", above: [])
        try device.want([item], for: other, call: 41)
        // The other's prompt is called for although the first one's has the screen.
        guard case (41, .promptNeeded(let ticket))? = try device.provider.nextWithCall() else {
            return Self.note("a greedy reader keeps another's prompt from being called for", succeeded: true)
        }
        Self.note("a greedy reader keeps another's prompt from being called for", succeeded: false)
        let second = try device.come(ticket)
        try first.peer.send(.cancelled)
        // The greedy one's next prompt comes too, and waits for its turn.
        let content = try second.shown()
        let isTaken = content?.program != other.program
        Tally.check("a greedy reader takes another's turn", succeeded: isTaken)
        #expect(!isTaken)
    }

    @Test("dismissing a reader dismisses it and nobody else: neither the provider nor its other readers")
    func dismissed() throws {
        let item = try device.keep()
        for call: UInt32 in 1...3 { try device.want([item], call: call) }
        try device.prompt().peer.send(.dismissProgram)
        var refused: [UInt32] = []
        while refused.count < 3, let (call, answer) = try device.provider.nextWithCall() {
            // The prompts of the others are called for while they are being refused.
            if case .promptNeeded = answer { continue }
            guard case .evaluated(let reply) = answer, reply.result == .failure(.userCancel) else { throw Peer.Surprise() }
            refused.append(call)
        }
        try device.want([item])
        Self.note(
            "a dismissed reader has the owner asked again at once",
            succeeded: try device.provider.evaluated() != .failure(.userCancel))
        let other = ProviderStand.reader("/usr/bin/git", above: [])
        try device.want([item], for: other)
        // Without a ticket it was refused at once.
        let ticket = try? device.provider.ticket()
        Self.note("dismissing a reader keeps the provider's other readers from asking", succeeded: ticket == nil)
        if let ticket { #expect(try device.prompt(ticket).content.program == other.program) }
    }

    @Test("a provider with many connections starts no more prompts for its readers than with one")
    func connections() throws {
        let item = try device.keep()
        let all = try (0..<20).map { _ in try device.stand.app(label: ProviderStand.group.text) }
        for (number, provider) in all.enumerated() {
            let reader = ProviderStand.reader(ExactName("/usr/bin/python3 text \(number)"))
            try provider.send(ReleaseForReader(reader, [item], asking: AskingTerms()))
        }
        var tickets = 0
        for provider in all {
            try provider.send(.echo(secret("x")), call: 77)
            while let next = try provider.nextWithCall(), next.call != 77 {
                if case .promptNeeded = next.answer { tickets += 1 }
            }
        }
        #expect(tickets == 16)
        Self.note("readers on connections of their own start prompts without number", succeeded: tickets > 16)
    }

    @Test("two readers' questions about other things than items take turns, and dismissing one of the readers leaves the other's")
    func questions() throws {
        let other = ProviderStand.reader("/usr/bin/git", above: [])
        try device.evaluate()
        let first = try device.prompt()
        try device.evaluate(for: other, call: 2)
        guard case (2, .promptNeeded(let ticket))? = try device.provider.nextWithCall() else {
            return Self.note("a reader takes another's question off the screen", succeeded: true)
        }
        Self.note("a reader takes another's question off the screen", succeeded: false)
        let second = try device.come(ticket)
        try first.peer.send(.dismissProgram)
        guard case (1, .evaluated(let reply))? = try device.provider.nextWithCall() else { throw Peer.Surprise() }
        #expect(reply.result == .failure(.userCancel))
        let content = try second.shown()
        Self.note("a dismissed reader takes another's question with it", succeeded: content?.program != other.program)
        try second.send(.typed(secret("1234")))
        guard case (2, .done)? = try device.provider.nextWithCall() else { throw Peer.Surprise() }
    }

    @Test("readers without number start no prompts without number")
    func crowd() throws {
        let item = try device.keep()
        for call: UInt32 in 1...40 {
            try device.want([item], for: ProviderStand.reader(ExactName("/usr/bin/python3 text \(call)")), call: call)
        }
        try device.provider.send(.echo(secret("x")), call: 77)
        var tickets = 0
        while let next = try device.provider.nextWithCall(), next.call != 77 {
            if case .promptNeeded = next.answer { tickets += 1 }
        }
        #expect(tickets == 16)
        Self.note("each of a script's many faces starts a prompt", succeeded: tickets > 16)
    }

    @Test("a long name, a quotation mark or a line break of a reader's ends no quotation and hides no word of the question")
    func names() throws {
        let item = try device.keep("’ is harmless\n", by: "/bin/’x, let it")
        let odd = ExactName("/home/eve/" + String(repeating: "’ read nothing", count: 200))
        try device.want([item], for: ProviderStand.reader(odd, above: [String(repeating: "‘", count: 300), "b\nc", "d"]))
        let (_, content) = try device.prompt()
        let reason = content.words.reason
        Self.note(
            "a reader's name pushes the end of the question off the screen",
            succeeded: SafeText(reason, limit: 400).description != reason)
        Self.note("a name ends its quotation", succeeded: reason.filter { $0 == "’" }.count != reason.filter { $0 == "‘" }.count)
        #expect(reason.hasSuffix("a touch allows it this once, the passcode from now on") && !reason.contains("\n"))
    }
}
