import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import thumbturn_test_wire

@testable import ThumbService

@Suite("Asking about a program that reads through a provider") struct ReaderTests {
    private let device: ProviderStand

    init() throws { device = try ProviderStand() }

    private static let tool = ProviderStand.reader()
    private static let git = ProviderStand.reader("/usr/bin/git", above: [])

    @Test(
        "the prompt shows the reader as the program that asks, what started it, the item and its maker, and how long the answer counts"
    )
    func question() throws {
        let item = try device.keep()
        try device.want([item])
        let (prompt, content) = try device.prompt()
        #expect(content.program == Self.tool.program && content.acceptsPasscode && content.words.areOurs)
        #expect(
            content.words.reason == "let ‘/usr/bin/secret-tool’, started by ‘bash’ in ‘konsole’, read ‘Mail password’, "
                + "which ‘/usr/bin/evolution’ saved; a touch allows it this once, the passcode from now on")
        try prompt.send(.cancelled)
        #expect(try device.provider.evaluated() == .failure(.userCancel))
        #expect(device.kept.isEmpty)
    }

    @Test("a touch lets it have the item this once, and is asked for again for the next")
    func touch() throws {
        let item = try device.keep()
        for _ in 0..<2 {
            try device.want([item])
            let (prompt, _) = try device.prompt()
            #expect(device.stand.see(owner: true))
            #expect(try device.released() == ["Mail password"])
            #expect(try prompt.dismissed() == .success)
            device.stand.onLoop { $0.clock.advance(by: 5) }
        }
        #expect(device.kept.isEmpty)
    }

    @Test("the passcode lets it have the item from now on, on every connection, and no other reader and no other item")
    func passcode() throws {
        let (item, other) = (try device.keep(), try device.keep("Other"))
        try device.want([item])
        let (prompt, _) = try device.prompt()
        try prompt.send(.typed(secret("1234")))
        #expect(try device.released() == ["Mail password"])
        #expect(device.kept.map(\.app) == ["/usr/bin/secret-tool"] && device.kept.map(\.verdict) == [.allowed])
        #expect(try device.free([item]) == ["Mail password"])
        #expect(try device.free([other]) == nil)
        #expect(try device.free([item], for: Self.git) == nil)
        let again = try device.stand.app(label: ProviderStand.group.text)
        try again.send(ReleaseForReader(Self.tool, [item], asking: AskingTerms()))
        guard case .page(let items, true)? = try again.next() else { throw Peer.Surprise() }
        #expect(items.count == 1)
    }

    @Test("one question covers all items of a call, names the first and says how many more")
    func several() throws {
        let items = [
            try device.keep("One"), try device.keep("Two"), try device.keep("Three"),
            try device.keep("Own", by: Self.tool.identity),
        ]
        try device.want(items)
        let (prompt, content) = try device.prompt()
        #expect(content.words.reason.contains("read ‘One’, which ‘/usr/bin/evolution’ saved, and 2 other items; a touch"))
        try prompt.send(.typed(secret("1234")))
        #expect(try device.released() == ["One", "Two", "Three", "Own"])
        #expect(device.kept.count == 3)
        #expect(try device.free(items)?.count == 4)
    }

    @Test("a call may name 64 items, and a question covers them all")
    func many() throws {
        let items = try (0..<64).map { try device.keep("\($0)") }
        try device.want(items)
        let (prompt, content) = try device.prompt()
        #expect(content.words.reason.contains(" and 63 other items"))
        try prompt.send(.typed(secret("1234")))
        #expect(try device.released().count == 64)
        #expect(device.kept.count == 64)
    }

    @Test("an item's own rule is asked in the same prompt, and its finger counts this once")
    func rule() throws {
        let item = try device.keep(rule: try AccessRule(.afterFirstUnlock, .biometryCurrentSet))
        try device.want([item])
        let (_, content) = try device.prompt()
        #expect(!content.acceptsPasscode && content.words.reason.hasSuffix("which ‘/usr/bin/evolution’ saved, this once"))
        #expect(device.stand.see(owner: true))
        #expect(try device.released() == ["Mail password"])
        #expect(device.kept.isEmpty)
    }

    @Test("an item's own rule is asked of its maker too, with the item's name and without a word about how long")
    func makersRule() throws {
        let item = try device.keep(rule: try AccessRule(.afterFirstUnlock, .biometryCurrentSet))
        let maker = ProviderStand.reader(ProviderStand.maker, above: [])
        try device.want([item], for: maker)
        let (_, content) = try device.prompt()
        #expect(content.program == maker.program)
        #expect(content.words.reason == "let ‘/usr/bin/evolution’ read ‘Mail password’, which ‘/usr/bin/evolution’ saved")
        #expect(device.stand.see(owner: true))
        #expect(try device.released() == ["Mail password"])
    }

    @Test("a passcode that an item's rule demands besides a finger lasts for the reader, and the rule is asked again")
    func both() throws {
        let rule = try AccessRule(.afterFirstUnlock, [.biometryAny, .devicePasscode, .and])
        let item = try device.keep(rule: rule)
        try device.want([item])
        let (prompt, content) = try device.prompt()
        #expect(content.words.reason.hasSuffix("saved, from now on"))
        #expect(device.stand.see(owner: true))
        _ = try prompt.shown()
        try prompt.send(.typed(secret("1234")))
        #expect(try device.released() == ["Mail password"])
        #expect(device.kept.count == 1)
        #expect(try device.free([item]) == nil)
    }

    @Test(
        "where nobody can be asked the call fails as one that may not interact; without a passcode and a finger there is no owner"
    )
    func nobody() throws {
        let item = try device.keep()
        try device.want([item])
        try device.provider.send(.promptUnavailable(ticket: try device.provider.ticket()))
        #expect(try device.provider.evaluated() == .failure(.notInteractive))
        let without = try ProviderStand(biometry: .none, passcode: nil)
        let other = try without.keep()
        try without.want([other])
        #expect(try without.provider.evaluated() == .failure(.passcodeNotSet))
    }

    @Test("the provider takes a call back by invalidating its context")
    func withdrawn() throws {
        let item = try device.keep()
        try device.want([item], context: 9)
        let (prompt, _) = try device.prompt()
        try device.provider.send(Invalidate(context: 9), call: 2)
        var answers: [UInt32] = []
        for _ in 0..<2 { if let next = try device.provider.nextWithCall() { answers.append(next.call) } }
        #expect(Set(answers) == [1, 2])
        #expect(try prompt.dismissed() == .cancelled)
    }

    @Test("two calls of one reader for one item are asked once: the passcode answers both")
    func shared() throws {
        let item = try device.keep()
        for call: UInt32 in [1, 2] { try device.want([item], call: call) }
        let (prompt, _) = try device.prompt()
        try prompt.send(.typed(secret("1234")))
        // The second one's prompt is called for, and finds the answer when it has come.
        var released: [UInt32] = []
        while released.count < 2, let (call, answer) = try device.provider.nextWithCall() {
            switch answer {
            case .promptNeeded(let ticket): _ = try device.come(ticket)
            case .page(let items, true) where items.first?.secret != nil: released.append(call)
            default: throw Peer.Surprise()
            }
        }
        #expect(Set(released) == [1, 2])
    }

    @Test("readability says for each item whether it is free, and that the store is open")
    func readable() throws {
        let items = [try device.keep(), try device.keep("Own", by: Self.tool.identity), [1, 2]]
        try device.provider.send(GetReadable(Self.tool, items))
        guard case .readable(let readable)? = try device.provider.next() else { throw Peer.Surprise() }
        #expect(readable == Readable(isOpen: true, [.asks, .free, .missing]))
        // More than are weighed in one turn.
        try device.provider.send(GetReadable(Self.tool, [[UInt8]](repeating: items[1], count: 700) + [items[0]]))
        guard case .readable(let many)? = try device.provider.next() else { throw Peer.Surprise() }
        #expect(many.items == [Readability](repeating: .free, count: 700) + [.asks])
    }

    @Test(
        "the audit has the reader under its own name, for what it got and for what it was refused, and for an answer that lasts")
    func audit() throws {
        let item = try device.keep()
        try device.want([item])
        try device.prompt().peer.send(.cancelled)
        _ = try device.provider.next()
        device.stand.onLoop { $0.clock.advance(by: 5) }
        try device.want([item])
        try device.prompt().peer.send(.typed(secret("1234")))
        _ = try device.released()
        let records = device.audit().filter { $0.name == "secret-tool" }
        #expect(Set(records.map(\.event)) == [.released, .appJudged])
        #expect(records.contains { $0.event == .released && $0.failure == .userCanceled })
        #expect(records.contains { $0.event == .released && $0.failure == nil && $0.factors == [.passcode] })
        #expect(records.allSatisfy { $0.kind == .consented })
    }

    @Test("what a reader wants besides items is asked each time, in its name and the provider's words, and the audit has it")
    func evaluated() throws {
        for _ in 0..<2 {
            try device.evaluate()
            let (prompt, content) = try device.prompt()
            #expect(content.program == Self.tool.program && content.words == PromptWords(reason: "open"))
            try prompt.send(.typed(secret("1234")))
            guard case .done? = try device.provider.next() else { throw Peer.Surprise() }
            device.stand.onLoop { $0.clock.advance(by: 5) }
        }
        try device.evaluate()
        try device.prompt().peer.send(.cancelled)
        #expect(try device.provider.evaluated() == .failure(.userCancel))
        let records = device.audit().filter { $0.name == "secret-tool" && $0.event == .evaluated }
        #expect(records.contains { $0.failure == nil && $0.factors == [.passcode] }, "\(records)")
        #expect(records.contains { $0.failure == .userCanceled && $0.factors == [] }, "\(records)")
        // What its context had shown was for nobody else, and an invalidated one asks nobody.
        try device.provider.send(Invalidate(context: 5))
        guard case .done? = try device.provider.next() else { throw Peer.Surprise() }
        try device.evaluate()
        #expect(try device.provider.evaluated() == .failure(.invalidContext))
    }

    @Test("the provider takes a question back that a reader has besides items")
    func evaluationWithdrawn() throws {
        try device.evaluate()
        let (prompt, _) = try device.prompt()
        try device.provider.send(Invalidate(context: 5), call: 2)
        var answers: [UInt32] = []
        for _ in 0..<2 { if let next = try device.provider.nextWithCall() { answers.append(next.call) } }
        #expect(Set(answers) == [1, 2])
        #expect(try prompt.dismissed() == .cancelled)
    }

    // MARK: The owner's tools

    @Test("allowing a reader ahead names its identity and the item, and takes the passcode each time")
    func allowed() throws {
        let item = try device.keep()
        let app = try device.stand.app(label: "org.example.tool")
        for _ in 0..<2 {
            try app.send(AllowReader("/usr/bin/git", name: "an innocent name", item))
            let (prompt, content) = try device.prompt(try app.ticket())
            #expect(content.listening == .none && content.acceptsPasscode)
            #expect(
                content.words.reason == "let ‘/usr/bin/git’ read ‘Mail password’, which ‘/usr/bin/evolution’ saved, from now on")
            try prompt.send(.typed(secret("1234")))
            guard case .done? = try app.next() else { throw Peer.Surprise() }
        }
        #expect(try device.free([item], for: Self.git) == ["Mail password"])
        try app.send(AllowReader("/usr/bin/git", name: "", [1]))
        guard case .failed(.itemNotFound)? = try app.next() else { throw Peer.Surprise() }
        // And what was allowed is taken back as any other answer.
        try app.send(JudgeApp("/usr/bin/git", device.kept[0].wish, nil))
        let (prompt, content) = try device.prompt(try app.ticket())
        #expect(content.words.reason == "change which programs may read ‘Mail password’, which ‘/usr/bin/evolution’ saved")
        try prompt.send(.typed(secret("1234")))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        #expect(try device.free([item], for: Self.git) == nil)
    }

    @Test("a reader that was allowed ahead is in the log, with the passcode that was given for it")
    func allowedNoted() throws {
        let item = try device.keep()
        let app = try device.stand.app(label: "org.example.tool")
        try app.send(AllowReader("/usr/bin/git", name: "git", item))
        let (prompt, _) = try device.prompt(try app.ticket())
        try prompt.send(.typed(secret("1234")))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        let judged = device.audit().filter { $0.event == .appJudged }
        #expect(judged.map(\.failure) == [nil] && judged.map(\.factors) == [[.passcode]])
    }

    @Test("another rule takes the passcode, and what the present rule demands besides")
    func protected() throws {
        let item = try device.keep()
        let app = try device.stand.app(label: "org.example.tool")
        let rule = try AccessRule(.afterFirstUnlock, .biometryCurrentSet)
        func change(_ rule: AccessRule) throws {
            try app.send(ProtectKeptItem(item, rule))
            let (prompt, content) = try device.prompt(try app.ticket())
            #expect(content.listening == .none && content.words.reason.hasPrefix("change what it takes to read ‘Mail password’"))
            try prompt.send(.typed(secret("1234")))
        }
        try change(rule)
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        #expect(try device.free([item], for: ProviderStand.reader(ProviderStand.maker)) == nil)
        // The weaker one takes the passcode and the finger.
        try change(AccessRule(.afterFirstUnlock))
        let (_, content) = try device.prompt(try app.ticket())
        #expect(!content.acceptsPasscode)
        #expect(device.stand.see(owner: true))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        #expect(try device.free([item], for: ProviderStand.reader(ProviderStand.maker)) == ["Mail password"])
        // A rule that the passcode satisfies isn't asked for twice.
        try change(try AccessRule(.afterFirstUnlock, .devicePasscode))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        try change(AccessRule(.afterFirstUnlock))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("the list has each item once, page after page, and an empty one is an empty page")
    func list() throws {
        let app = try device.stand.app(label: "org.example.tool")
        try app.send(ListKeptItems())
        guard case .page(let none, true)? = try app.next() else { throw Peer.Surprise() }
        #expect(none.isEmpty)
        let long = String(repeating: "x", count: 60_000)
        let items = try (0..<12).map { try device.keep("\($0)" + long) }
        try app.send(ListKeptItems())
        var found: [FoundItem] = []
        var pages = 0
        while case .page(let page, let isLast)? = try app.next() {
            pages += 1
            found += page
            if isLast { break }
        }
        #expect(found.map(\.persistentRef) == items && pages > 2 && found.allSatisfy { $0.secret == nil })
    }
}
