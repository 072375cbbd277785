import Testing
import ThumbAccess
import ThumbConversation
import thumbturn_test_wire

@Suite("Removing the passcode")
struct PasscodeRemovalTests {
    private func add(_ app: Peer, _ account: String, _ rule: AccessRule) throws {
        let item = NewItem(
            itemClass: .genericPassword, attributes: [.account: .text(account)], rule: rule, secret: secret("wine"))
        try app.send(.add(item))
        guard case .page? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("it is said before how many items of all programs go, and how many stay closed; then the prompt says what goes")
    func counted() throws {
        let stand = try Stand()
        let (one, two) = (try stand.app(label: "org.one"), try stand.app(label: "org.two"))
        try add(one, "tied", AccessRule(.whenPasscodeSetThisDeviceOnly))
        try add(two, "tied", AccessRule(.whenPasscodeSetThisDeviceOnly))
        try add(two, "guarded", try AccessRule(.whenUnlocked, .userPresence))
        try add(one, "free", AccessRule(.whenUnlocked))
        try one.send(CountBehindPasscode())
        guard case .behindPasscode(let hold)? = try one.next() else { throw Peer.Surprise() }
        #expect(hold == PasscodeHold(erased: 2, closed: 1))
        try one.send(.removePasscode, call: 2)
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try one.ticket())))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        #expect(try prompt.shown()?.words == PromptWords(ours: "remove the passcode, and with it 2 items for good"))
        try prompt.send(.typed(secret("1234")))
        guard case .done? = try one.next() else { throw Peer.Surprise() }
        // Nothing hangs on a passcode that isn't set.
        try one.send(CountBehindPasscode(), call: 3)
        guard case .failed(.itemNotFound)? = try one.next() else { throw Peer.Surprise() }
    }

    @Test("pairings go with the passcode, and that is said too")
    func pairings() throws {
        let machines = try TwoMachines()
        let app = try machines.laptop.app()
        try app.send(CountBehindPasscode())
        guard case .behindPasscode(let hold)? = try app.next() else { throw Peer.Surprise() }
        #expect(hold == PasscodeHold(pairings: 1))
        try app.send(.removePasscode, call: 2)
        let prompt = try machines.prompt(machines.laptop, try app.ticket())
        #expect(try prompt.shown()?.words == PromptWords(ours: "remove the passcode, and with it 1 pairing for good"))
        try prompt.send(.typed(secret("1234")))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        try app.send(ListCompanions(), call: 3)
        guard case .companions(let left)? = try app.next() else { throw Peer.Surprise() }
        #expect(left.isEmpty)
    }
}
