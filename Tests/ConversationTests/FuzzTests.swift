import Testing
import ThumbSecrets

@testable import ThumbConversation

/// Random numbers that are the same in every run, so that what was found once is found again.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    // SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

@Suite("Frames nobody meant")
struct FuzzTests {
    private static let seeds = Samples.requests.map { $0.frame(call: 1).body } + Samples.answers.map { $0.frame(call: 1).body }

    /// Reads the body as either; what is taken must be said again in as many bytes, and mean the same.
    static func read(_ body: [UInt8]) throws {
        switch Result(catching: { () throws(Refusal) in try Request.read(secret(body)) }) {
        case .success(let read):
            let again = read.request.frame(call: read.call).body
            try #require(again.count == body.count)
            try #require(same(read.request, try Request.read(secret(again)).request))
        case .failure(let refusal): try #require(refusal == .malformed || refusal == .unknownKind)
        }
        switch Result(catching: { () throws(Refusal) in try Answer.read(secret(body)) }) {
        case .success(let read):
            let again = read.answer.frame(call: read.call).body
            try #require(again.count == body.count)
            try #require(same(read.answer, try Answer.read(secret(again)).answer))
        case .failure(let refusal): try #require(refusal == .malformed || refusal == .unknownKind)
        }
    }

    @Test("neither reader traps on random bytes, nor on real frames with some bytes changed", arguments: 0..<8)
    func random(part: Int) throws {
        var random = Seeded(UInt64(part))
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

    private func mutate(_ body: inout [UInt8], _ random: inout Seeded) {
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
