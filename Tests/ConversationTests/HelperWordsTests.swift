import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbConversation

@Suite("What daemon and helper say")
struct HelperWordsTests {
    static let requests: [HelperRequest] = [
        .check(uid: .max, secret("pass\0word")), .check(uid: 0, secret("")), .look(uid: 1000), .reply(secret("123456")),
        .reply(secret("")),
    ]
    static let answers: [HelperAnswer] =
        AccountVerdict.allCases.map { .verdict($0, delay: 2.5) } + [
            .question(AccountQuestion(text: "One-time code: ", isHidden: false)),
            .question(AccountQuestion(text: "", isHidden: true)),
            .question(AccountQuestion(text: String(repeating: "é", count: 400), isHidden: true)),
        ]

    static func same(_ a: HelperRequest, _ b: HelperRequest) -> Bool {
        switch (a, b) {
        case (.check(let a, let p), .check(let b, let q)): a == b && p == q
        case (.look(let a), .look(let b)): a == b
        case (.reply(let a), .reply(let b)): a == b
        default: false
        }
    }

    @Test("every word is read as it was said")
    func roundTrip() throws {
        for request in Self.requests { #expect(Self.same(try HelperRequest.read(secret(request.frame.body)), request)) }
        for answer in Self.answers { #expect(try HelperAnswer.read(secret(answer.frame.body)) == answer) }
    }

    @Test("the numbers are those of the page, and no word of an app's or a prompt's is one of a helper's")
    func kinds() {
        let own: Set<UInt8> = [90, 91, 92, 190, 191]
        #expect(Set(Self.requests.map { $0.frame.body[0] } + Self.answers.map { $0.frame.body[0] }) == own)
        #expect(own.isDisjoint(with: Kinds.requests.union(Kinds.answers)))
        for request in Samples.requests {
            #expect(throws: Refusal.unknownKind) { try HelperRequest.read(secret(request.frame(call: 1).body)) }
        }
    }

    @Test("a word that ends early, goes on too long or holds what can't be is malformed")
    func malformed() {
        for body in Self.requests.map(\.frame.body) {
            for end in 5..<body.count {
                #expect(throws: Refusal.malformed) { try HelperRequest.read(secret(Array(body[..<end]))) }
            }
            #expect(throws: Refusal.malformed) { try HelperRequest.read(secret(body + [0])) }
        }
        for body in Self.answers.map(\.frame.body) {
            for end in 5..<body.count {
                #expect(throws: Refusal.malformed) { try HelperAnswer.read(secret(Array(body[..<end]))) }
            }
            #expect(throws: Refusal.malformed) { try HelperAnswer.read(secret(body + [0])) }
        }
        var verdict = HelperAnswer.verdict(.right, delay: 0).frame.body
        verdict[5] = 6
        #expect(throws: Refusal.malformed) { try HelperAnswer.read(secret(verdict)) }
        let notANumber = HelperAnswer.verdict(.right, delay: .nan).frame.body
        #expect(throws: Refusal.malformed) { try HelperAnswer.read(secret(notANumber)) }
    }

    @Test("a question holds 512 bytes of text, and not one more")
    func longQuestion() throws {
        func body(_ count: Int) -> [UInt8] {
            [190, 0, 0, 0, 1, 0, 0, UInt8(count >> 8), UInt8(count & 255)] + Array(repeating: UInt8(ascii: "x"), count: count) + [
                1
            ]
        }
        #expect(
            try HelperAnswer.read(secret(body(512)))
                == .question(AccountQuestion(text: String(repeating: "x", count: 512), isHidden: true)))
        #expect(throws: Refusal.malformed) { try HelperAnswer.read(secret(body(513))) }
    }

    @Test("neither reader traps on frames with some bytes changed")
    func random() throws {
        var random = Seeded(7)
        let seeds = Self.requests.map(\.frame.body) + Self.answers.map(\.frame.body)
        for _ in 0..<25_000 {
            var body = seeds.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let request = try? HelperRequest.read(secret(body)) { try #require(request.frame.body.count == body.count) }
            if let answer = try? HelperAnswer.read(secret(body)) { try #require(answer.frame.body.count == body.count) }
        }
    }
}
