import CThumbLinux
import Foundation
import ThumbAccess
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

// An app for tests: does what each line of its input says, and answers each with one line that begins with a `>`.
// Words that a line can't carry are percent-encoded.

func say(_ answer: String) { FileHandle.standardOutput.write(Data("> \(answer)\n".utf8)) }

func secret(_ text: some StringProtocol) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

func item(_ account: String) -> Attributes { [.account: .text(account), .service: .text("tests")] }

func add(_ account: String, _ value: String, _ rule: AccessRule) throws {
    let new = NewItem(itemClass: .genericPassword, attributes: item(account), rule: rule, secret: try secret(value))
    _ = try DeviceClient.shared.add(new)
}

/// An item by its group, `-` for none.
func query(_ group: String, _ account: String) -> Query {
    var attributes = item(account)
    if group != "-" { attributes[.group] = .text(group) }
    return Query(itemClass: .genericPassword, attributes: attributes)
}

func release(_ query: Query) throws -> String {
    var query = query
    query.shape = .data
    guard let secret = try DeviceClient.shared.find(query).first?.secret else { return "nothing" }
    return "secret \(String(decoding: secret.plainBytes(in: 0..<secret.count), as: UTF8.self))"
}

/// What is done with an item: by its group and account, or by its persistent reference.
func perform(_ verb: String, _ query: Query, _ value: String?) throws -> String {
    switch verb {
    case "add":
        let new = NewItem(
            itemClass: .genericPassword, attributes: query.attributes, rule: AccessRule(.always), secret: try secret(value ?? ""))
        let found = try DeviceClient.shared.add(new)
        guard case .text(let group)? = found.attributes[.group] else { return "no group" }
        return "added to \(group)"
    case "read": return try release(query)
    case "update":
        try DeviceClient.shared.update(query, with: ItemChange(secret: try secret(value ?? "")))
        return "updated"
    case "remove":
        try DeviceClient.shared.remove(query)
        return "removed"
    case "reference":
        var query = query
        query.shape = .persistentRef
        let found = try DeviceClient.shared.find(query)
        let bytes = found.first?.persistentRef ?? []
        return "reference \(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())"
    default: return "not understood"
    }
}

func reference(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func evaluate(
    _ words: [String], in context: UInt64 = DeviceClient.shared.makeContext(), reusing seconds: Double = 0
) -> String {
    let done = DispatchSemaphore(value: 0)
    let reply = Locked<EvaluationReply?>(nil)
    let request = EvaluationRequest(
        context: context, subject: .policy(.deviceOwner),
        words: PromptWords(
            reason: words[0], fallbackTitle: words.count > 1 ? words[1] : nil, cancelTitle: words.count > 2 ? words[2] : nil),
        reuseSeconds: seconds)
    DeviceClient.shared.evaluate(request) { answer in
        reply.withLock { $0 = answer }
        done.signal()
    }
    done.wait()
    switch reply.withLock({ $0?.result }) {
    case .success(let factor)?: return "success \(factor)"
    case .failure(let failure)?: return "failure \(failure)"
    case nil: return "no reply"
    }
}

/// The context in which `earn` asks, and whose answer `spend` uses.
enum Earning {
    static let context = DeviceClient.shared.makeContext()
}

/// Reads an item with what that context has earned, and asks nobody.
func spend(_ account: String) throws -> String {
    var query = query("-", account)
    query.asking = AskingTerms(context: Earning.context, permission: .fail)
    return try release(query)
}

/// An agent for prompts, by hand.
final class Agent {
    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
    private var ticket: [UInt8]?
    let isWelcome: Bool

    init(at socket: String) throws {
        fd = try UnixSocket.connect(to: socket).get()
        try Self.send(.hello(Hello(role: .agent)), to: fd)
        guard case .frame(let body) = frames.read(from: fd, waiting: true), case .welcome = try Answer.read(body).answer else {
            isWelcome = false
            return
        }
        isWelcome = true
    }

    private static func send(_ word: some Word, to fd: Int32) throws {
        let encoded = word.frame(call: 0)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        _ = frame.send(to: fd, waiting: true)
    }

    /// Whether a prompt is wanted of it, within so long.
    func isWanted(within milliseconds: Int32) throws -> Bool {
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, milliseconds) == 1, case .frame(let body) = frames.read(from: fd, waiting: true),
            case .promptWanted(let ticket) = try Answer.read(body).answer
        else { return false }
        self.ticket = ticket
        return true
    }

    func decline() throws { try Self.send(.promptUnavailable(ticket: ticket ?? []), to: fd) }
}

nonisolated(unsafe) var agent: Agent?

func perform(_ words: [String]) throws -> String {
    switch (words[0], words.count) {
    case ("pid", 1): return "pid \(try DeviceClient.shared.status().processID)"
    case ("items", 1): return "items \(try DeviceClient.shared.status().items)"
    case ("add", 3):
        try add(words[1], words[2], AccessRule(.always))
        return "added \(words[1])"
    case ("protect", 3):
        try add(words[1], words[2], AccessRule(.always, .userPresence))
        return "added \(words[1])"
    case ("stream", 3):
        for number in 0..<(Int(words[2]) ?? 0) {
            try add("\(words[1])\(number)", "secret \(number)", AccessRule(.always))
            say("added \(words[1])\(number)")
        }
        return "all added"
    case ("read", 2): return try release(query("-", words[1]))
    case ("in", 4...5): return try perform(words[2], query(words[1], words[3]), words.count > 4 ? words[4] : nil)
    case ("by", 3...4):
        let query = Query(itemClass: nil, persistentRef: reference(words[1]))
        return try perform(words[2], query, words.count > 3 ? words[3] : nil)
    case ("introduce", 2):
        DeviceClient.shared.introduce(as: words[1])
        return "introduced"
    case ("log", 1):
        let last = try DeviceClient.shared.audit().last
        return "log \(last?.name ?? "") \(last.map { "\($0.kind)" } ?? "")"
    case ("hide", 1): return thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? "hidden" : "seen"
    case ("apps", 1):
        let apps = try DeviceClient.shared.apps().map { app in
            guard case .program(let path) = app.wish else { return "\(app.app) \(app.wish) \(app.verdict)" }
            return "\(app.app) program \(path) \(app.verdict)"
        }
        return "apps \(apps.joined(separator: ", "))"
    case ("whole", 2):
        // What it sees of a program of that name, its own passcode apart.
        return "whole \(try DeviceClient.shared.audit(.whole).count { $0.name == words[1] })"
    case ("verify", 2):
        return "verified \(try DeviceClient.shared.verifyAudit(words[1] == "whole" ? .whole : .own).records)"
    case ("owner", 1): return "owner \(try DeviceClient.shared.audit().last.map { "\($0.uid)" } ?? "none")"
    case ("preflight", 1):
        let found = DeviceClient.shared.capability(of: .biometrics, context: DeviceClient.shared.makeContext())
        return "preflight \(found.kind) \(found.failure.map { "\($0)" } ?? "ready")"
    case ("evaluate", 2...): return evaluate(Array(words.dropFirst()))
    case ("reuse", 3): return evaluate([words[2]], reusing: Double(words[1]) ?? 0)
    case ("earn", 2): return evaluate([words[1]], in: Earning.context)
    case ("spend", 2): return try spend(words[1])
    case ("agent", 2):
        agent = try Agent(at: words[1])
        return agent?.isWelcome == true ? "registered" : "refused"
    case ("wanted", 2): return try agent?.isWanted(within: Int32(words[1]) ?? 0) == true ? "wanted" : "not wanted"
    case ("decline", 1):
        try agent?.decline()
        return "declined"
    case ("passcode", 1):
        try DeviceClient.shared.setPasscode()
        return "passcode set"
    default: return "not understood"
    }
}

while let line = readLine() {
    let words = line.split(separator: " ").map { $0.removingPercentEncoding ?? "" }
    guard !words.isEmpty else { continue }
    do {
        say(try perform(words))
    } catch let error as ClientError {
        say("failed \(error.code): \(error.advice)")
    } catch {
        say("failed \(error)")
    }
}
