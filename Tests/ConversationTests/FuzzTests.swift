import Testing
import ThumbSecrets
import thumbturn_test_programs

@testable import ThumbConversation

@Suite("Frames nobody meant")
struct FuzzTests {
    private static let seeds = Samples.requests.map(\.body) + Samples.answers.map(\.body)

    /// Reads the body as whatever it may be; what is taken must be said again in as many bytes, and mean the same. Each role takes
    /// what is of its own kinds where it can be read, and refuses all else for its kind.
    static func read(_ body: [UInt8]) throws {
        let frame: Frame
        do throws(Refusal) {
            frame = try Frame(body)
        } catch {
            try #require(error == .malformed || error == .unknownKind)
            return
        }
        var unreadable: Refusal?
        switch Result(catching: { () throws(Refusal) in try frame.anyWord() }) {
        case .success(let word):
            let again = word.frame(call: frame.call).body
            try #require(again.count == body.count)
            try #require(same(word, try Frame(again).anyWord()))
        case .failure(let refusal):
            try #require(refusal == .malformed)
            unreadable = refusal
        }
        let wrong = Role.all.filter { role in
            whyUnreadable { () throws(Refusal) in try role.read(frame) } != role.refusal(of: frame.kind) ?? unreadable
        }
        try #require(wrong.isEmpty)
    }

    @Test("no reader traps on random bytes, nor on real frames with some bytes changed", arguments: 0..<8)
    func random(part: Int) throws {
        var random = Dice(for: "frames nobody meant, part \(part)", usually: UInt64(part))
        for round in 0..<25_000 {
            var body: [UInt8]
            if round % 4 == 0 {
                body = (0..<Int.random(in: 0..<64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            } else {
                body = Self.seeds.randomElement(using: &random)!
                for _ in 0..<Int.random(in: 1...4, using: &random) where !body.isEmpty { mutate(&body, &random) }
            }
            try Self.read(body)
        }
    }

    private func mutate(_ body: inout [UInt8], _ random: inout Dice) {
        let place = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: body[place] = UInt8.random(in: 0...255, using: &random)
        case 1: body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: body.remove(at: place)
        case 3: body.insert([0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random)!, at: place)
        case 4: body.removeSubrange(place...)
        default: body.insert(contentsOf: Array(body[place...].prefix(8)), at: place)
        }
    }
}
