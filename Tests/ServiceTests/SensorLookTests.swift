import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import thumbturn_test_wire

@testable import ThumbService

@Suite("What is known of the sensor when an item needs it")
struct SensorLookTests {
    @Test("a sensor that was out of reach is looked at again before the owner is asked, by the same call")
    func looksAgain() throws {
        let stand = try Stand()
        let app = try stand.app()
        let rule = try AccessRule(.always, .biometryAny)
        try app.send(
            .add(
                NewItem(itemClass: .genericPassword, attributes: [.account: .text("a")], rule: rule, secret: secret("s"))))
        guard case .page? = try app.next() else { throw Peer.Surprise() }
        stand.onLoop { $0.known.isKnown = false }
        try app.send(FindItems(Query(itemClass: .genericPassword, shape: .data)))
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        _ = try prompt.shown()
        #expect(stand.see(owner: true))
        guard case .page(let found, _)? = try app.next() else { throw Peer.Surprise() }
        #expect(found.first?.secret == secret("s"))
    }
}
