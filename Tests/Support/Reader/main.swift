import CThumbLinux
import Foundation
import ThumbBus
import ThumbLoop

// A program of the desktop for tests: `thumbturn-test-reader ADDRESS` does at the Secret Service on that bus what each line of its input
// says, over one connection, and answers each with one line. Copies of it at other places are other programs.
//
//   store NAME SECRET   keeps an item of that name in the default collection, in place of one of its own: `stored PATH`
//   read NAME           unlocks the item if it is locked, asking the owner, and reads it: `secret SECRET`, `dismissed`, `nothing`
//   look NAME           reads it without unlocking it: `secret SECRET`, or `refused ERROR`, or `nothing`
//   unlock PATH         unlocks an item or a collection, asking the owner: `unlocked` or `dismissed`
//   delete NAME         `deleted`
//   call PATH INTERFACE MEMBER   calls something without values: `answered` or `refused ERROR`
//   storm COUNT SEED   makes so many calls with paths, members and values that don't fit: `calls ANSWERED REFUSED UNANSWERED`

/// What went wrong, in a word for the line.
struct Wrong: Error { let text: String }

@OnLoop final class Program {
    private static let service = "org.freedesktop.secrets"
    private static let interface = "org.freedesktop.Secret"
    private static let root = "/org/freedesktop/secrets"
    /// Longer than a provider waits for its owner.
    private static let seconds = 40.0

    private let bus: Bus
    private var session: String?
    /// A call whose ticket is let go of is taken back.
    private var tickets: [BusTicket?] = []

    init(_ address: String) throws { bus = try Bus(address: address) }

    func perform(_ line: String) async -> String {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        do {
            switch (words.first, words.count) {
            case ("store", 3): return try await store(words[1], words[2])
            case ("read", 2): return try await read(words[1])
            case ("look", 2): return try await look(words[1])
            case ("unlock", 2): return try await isUnlocked(words[1]) ? "unlocked" : "dismissed"
            case ("delete", 2): return try await delete(words[1])
            case ("storm", 3):
                guard let count = Int(words[1]), let seed = UInt64(words[2]) else { return "not understood" }
                return await storm(count, seed)
            case ("call", 4):
                _ = try await call(words[1], words[2], words[3], [], as: nil)
                return "answered"
            default: return "not understood"
            }
        } catch let wrong as Wrong {
            return wrong.text
        } catch {
            return "refused \(error)".split(separator: "\n").joined(separator: " ")
        }
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue], as signature: BusSignature?
    ) async throws -> [BusValue] {
        try await bus.call(
            BusCall(Self.service, path, interface, member, values, as: signature), within: Self.seconds
        ).values
    }

    private func openedSession() async throws -> String {
        if let session { return session }
        let answer = try await call(
            Self.root, "\(Self.interface).Service", "OpenSession", [.string("plain"), .variant(.string(""))], as: nil)
        guard answer.count == 2, let path = answer[1].text else { throw Wrong(text: "no session") }
        session = path
        return path
    }

    private static func attributes(_ name: String) -> BusValue { .array([.entry([.string("judged"), .string(name)])]) }

    private func store(_ name: String, _ secret: String) async throws -> String {
        let session = try await openedSession()
        let properties: BusValue = .array([
            .entry([.string("\(Self.interface).Item.Label"), .variant(.string(name))]),
            .entry([.string("\(Self.interface).Item.Attributes"), .variant(Self.attributes(name))]),
        ])
        let value: BusValue = .structure([.path(session), .bytes([]), .bytes(Array(secret.utf8)), .string("text/plain")])
        let answer = try await call(
            Self.root + "/aliases/default", "\(Self.interface).Collection", "CreateItem", [properties, value, .bool(true)],
            as: nil)
        guard answer.count == 2, let path = answer[0].text, path != "/" else { throw Wrong(text: "not stored") }
        return "stored \(path)"
    }

    /// The item, and whether it is locked.
    private func find(_ name: String) async throws -> (path: String, isLocked: Bool) {
        let answer = try await call(
            Self.root, "\(Self.interface).Service", "SearchItems", [Self.attributes(name)], as: nil)
        guard answer.count == 2 else { throw Wrong(text: "no answer") }
        if let path = answer[0].list?.first?.text { return (path, false) }
        if let path = answer[1].list?.first?.text { return (path, true) }
        throw Wrong(text: "nothing")
    }

    private func secret(_ path: String) async throws -> String {
        let session = try await openedSession()
        let answer = try await call(path, "\(Self.interface).Item", "GetSecret", [.path(session)], as: nil)
        guard let fields = answer.first?.list, fields.count == 4, let bytes = fields[2].bytes else {
            throw Wrong(text: "no secret")
        }
        return "secret \(String(decoding: bytes, as: UTF8.self))"
    }

    private func read(_ name: String) async throws -> String {
        let (path, isLocked) = try await find(name)
        if isLocked, try await !isUnlocked(path) { return "dismissed" }
        return try await secret(path)
    }

    /// Whether the owner lets that item or collection be unlocked.
    private func isUnlocked(_ path: String) async throws -> Bool {
        let answer = try await call(Self.root, "\(Self.interface).Service", "Unlock", [.array([.path(path)])], as: nil)
        if let prompt = answer.last?.text, prompt != "/" { return try await !isDismissed(prompt) }
        return answer.first?.list?.isEmpty == false
    }

    private func isDismissed(_ prompt: String) async throws -> Bool {
        var heard: [Bool] = []
        var waiting: CheckedContinuation<Bool, Never>?
        let subscription = bus.listen(BusRule("\(Self.interface).Prompt", "Completed", path: prompt)) { message in
            let dismissed = message.values.first?.flag ?? true
            if let next = waiting {
                waiting = nil
                next.resume(returning: dismissed)
            } else {
                heard.append(dismissed)
            }
        }
        defer { subscription.cancel() }
        _ = try await call(prompt, "\(Self.interface).Prompt", "Prompt", [.string("")], as: nil)
        if let first = heard.first { return first }
        return await withCheckedContinuation { waiting = $0 }
    }

    private func look(_ name: String) async throws -> String { try await secret(find(name).path) }

    private func delete(_ name: String) async throws -> String {
        _ = try await call(find(name).path, "\(Self.interface).Item", "Delete", [], as: nil)
        return "deleted"
    }
}

// Calls as nobody makes them.
extension Program {
    /// As many calls wait for their answers at once: a crowd, and fewer than the bus allows one connection.
    private static let underWay = 50

    private func storm(_ count: Int, _ seed: UInt64) async -> String {
        var odd = OddCalls(seed)
        var (answered, refused, unanswered) = (0, 0, 0)
        var left = count
        while left > 0 {
            let batch = min(left, Self.underWay)
            left -= batch
            var waiting = batch
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                for _ in 0..<batch {
                    let ticket = bus.send(odd.next(Self.service), within: Self.seconds) { result in
                        switch result {
                        case .success: answered += 1
                        case .failure(let error) where error.code == .refused: refused += 1
                        // An answer that is no value of ours is one, too.
                        case .failure(let error) where error.code == .malformed: answered += 1
                        case .failure: unanswered += 1
                        }
                        waiting -= 1
                        if waiting == 0 { done.resume() }
                    }
                    tickets.append(ticket)
                }
            }
            tickets = []
        }
        return "calls \(answered) \(refused) \(unanswered)"
    }
}

func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

guard CommandLine.arguments.count == 2 else { exit(64) }
let address = CommandLine.arguments[1]
let lines = AsyncStream<String>.makeStream()
EventLoop.shared.spawn {
    do {
        let program = try Program(address)
        for await line in lines.stream { say(await program.perform(line)) }
    } catch {
        say("no bus: \(error)")
    }
    exit(0)
}
while let line = readLine() { lines.continuation.yield(line) }
lines.continuation.finish()
while true { pause() }
