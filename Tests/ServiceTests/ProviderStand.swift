import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

/// A device with a provider: a program that keeps items for others.
final class ProviderStand {
    let stand: Stand
    let provider: Peer
    /// Prompts stay until the test is over: one that goes away ends its call.
    private var prompts: [Peer] = []
    static let group = KeptItem.group(in: .simulated)
    static let maker: ExactName = "/usr/bin/evolution"

    init(biometry: BiometryKind = .touchID, passcode: String? = "1234") throws {
        stand = try Stand(biometry: biometry, passcode: passcode)
        provider = try stand.app(label: Self.group.text)
    }

    /// A reader of the provider's.
    static func reader(_ identity: ExactName = "/usr/bin/secret-tool", above: [String] = ["bash", "konsole"]) -> Reader {
        Reader(identity: identity, program: ProgramWords(path: identity, place: .system, process: 7), above: above)
    }

    /// Keeps an item, whose secret is its label.
    func keep(
        _ label: String = "Mail password", by maker: ExactName = maker, rule: AccessRule = AccessRule(.afterFirstUnlock)
    ) throws -> [UInt8] {
        try provider.send(
            AddItem(
                NewItem(
                    itemClass: .genericPassword,
                    attributes: [
                        .label: .text(label), .comment: .text(maker.text), .service: .text("item in login"),
                        .account: .text(label),
                    ], rule: rule, secret: secret(label))))
        let answer = try provider.next()
        guard case .page(let items, true)? = answer, let item = items.first else {
            Issue.record("\(String(describing: answer))")
            throw Peer.Surprise()
        }
        return item.persistentRef
    }

    func want(
        _ items: [[UInt8]], for reader: Reader = reader(), _ permission: PromptPermission = .allow, context: UInt64? = nil,
        call: UInt32 = 1
    ) throws {
        try provider.send(
            ReleaseForReader(reader, items, asking: AskingTerms(context: context, permission: permission)), call: call)
    }

    /// Asks the owner for a reader, about something that isn't an item.
    func evaluate(for reader: Reader = reader(), call: UInt32 = 1) throws {
        let asking = AskingTerms(context: 5, words: PromptWords(reason: "open"))
        try provider.send(EvaluateForReader(reader, asking: asking), call: call)
    }

    /// A prompt with that ticket, at a place where a touch counts, and what it shows first.
    func prompt(_ ticket: [UInt8]) throws -> (peer: Peer, content: PromptContent) {
        let prompt = try come(ticket)
        guard let content = try prompt.shown() else { throw Peer.Surprise() }
        return (prompt, content)
    }

    /// A prompt with that ticket that has come.
    func come(_ ticket: [UInt8]) throws -> Peer {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket, surface: .terminal)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        prompts.append(prompt)
        return prompt
    }

    /// The prompt of the next call that is waiting for one.
    func prompt() throws -> (peer: Peer, content: PromptContent) { try prompt(try provider.ticket()) }

    /// The secrets that a call came to.
    func released() throws -> [String] {
        guard case .page(let items, true)? = try provider.next() else { throw Peer.Surprise() }
        return items.map { item in item.secret.map { String(decoding: $0.plainBytes(in: 0..<$0.count), as: UTF8.self) } ?? "?" }
    }

    /// The labels of what is released without a question; nil if somebody would have to be asked.
    func free(_ items: [[UInt8]], for reader: Reader = reader()) throws -> [String]? {
        try want(items, for: reader, .fail)
        switch try provider.next() {
        case .page(let items, true)?:
            return items.map { if case .text(let label)? = $0.attributes[.label] { label } else { "?" } }
        case .failed(.interactionNotAllowed)?: return nil
        default: throw Peer.Surprise()
        }
    }

    /// The owner's answers about items.
    var kept: [KnownApp] {
        let all = stand.onLoop { (try? $0.device.consents.all()) ?? [] }
        return all.filter { if case .keptItem = $0.wish { true } else { false } }
    }

    /// What the audit has, the newest last.
    func audit() -> [AuditRecord] {
        stand.onLoop { graph in
            graph.device.audit.settleNow()
            return (try? graph.device.audit.records(from: 0, limit: 1000, of: nil))?.entries.map(\.record) ?? []
        }
    }
}
