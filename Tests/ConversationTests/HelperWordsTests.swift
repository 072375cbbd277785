import Testing
import ThumbAccess
import ThumbSecrets
import thumbturn_test_programs

@testable import ThumbConversation

@Suite("What daemon and helper say")
struct HelperWordsTests {
    static let requests: [any Word] = [
        CheckPassword(uid: .max, secret("pass\0word")), CheckPassword(uid: 0, secret("")), Look(uid: 1000),
        Serve(uid: 0), Serve(uid: .max), HelperReply(secret("123456")), HelperReply(secret("")),
    ]
    static let answers: [any Word] =
        AccountVerdict.allCases.map { HelperVerdict($0, delay: 2.5) } + [
            AccountQuestion(text: "One-time code: ", isHidden: false),
            AccountQuestion(text: "", isHidden: true),
            AccountQuestion(text: String(repeating: "é", count: 400), isHidden: true),
        ]

    @Test("every word is read as it was said")
    func roundTrip() throws {
        for request in Self.requests { #expect(same(try Role.toHelper.read(Frame(request.body)), request)) }
        for answer in Self.answers { #expect(same(try Role.fromHelper.read(Frame(answer.body)), answer)) }
    }

    @Test("the numbers are those of the page, and no word of an app's or a prompt's is one of a helper's")
    func kinds() {
        #expect(Set(Self.requests.map { $0.body[0] }) == Kinds.toHelper)
        #expect(Set(Self.answers.map { $0.body[0] }) == Kinds.fromHelper)
        #expect(Kinds.toHelper.union(Kinds.fromHelper).isDisjoint(with: Kinds.requests.union(Kinds.answers)))
        for request in Samples.requests {
            #expect(throws: Refusal.notAllowedInThisRole) { try ToHelper(Frame(request.body)) }
            #expect(throws: Refusal.notAllowedInThisRole) { try FromHelper(Frame(request.body)) }
        }
        for answer in Samples.answers {
            #expect(throws: Refusal.unknownKind) { try ToHelper(Frame(answer.body)) }
            #expect(throws: Refusal.unknownKind) { try FromHelper(Frame(answer.body)) }
        }
    }

    @Test("a word that ends early, goes on too long or holds what can't be is malformed")
    func malformed() {
        for body in Self.requests.map(\.body) {
            for end in 5..<body.count {
                #expect(throws: Refusal.malformed) { try ToHelper(Frame(Array(body[..<end]))) }
            }
            #expect(throws: Refusal.malformed) { try ToHelper(Frame(body + [0])) }
        }
        for body in Self.answers.map(\.body) {
            for end in 5..<body.count {
                #expect(throws: Refusal.malformed) { try FromHelper(Frame(Array(body[..<end]))) }
            }
            #expect(throws: Refusal.malformed) { try FromHelper(Frame(body + [0])) }
        }
        var verdict = HelperVerdict(.right, delay: 0).body
        verdict[5] = 6
        #expect(throws: Refusal.malformed) { try FromHelper(Frame(verdict)) }
        let notANumber = HelperVerdict(.right, delay: .nan).body
        #expect(throws: Refusal.malformed) { try FromHelper(Frame(notANumber)) }
    }

    @Test("a question holds 512 bytes of text, and not one more")
    func longQuestion() throws {
        func body(_ count: Int) -> [UInt8] {
            [190, 0, 0, 0, 1, 0, 0, UInt8(count >> 8), UInt8(count & 255)] + Array(repeating: UInt8(ascii: "x"), count: count) + [
                1
            ]
        }
        let question = AccountQuestion(text: String(repeating: "x", count: 512), isHidden: true)
        #expect(same(try Role.fromHelper.read(Frame(body(512))), question))
        #expect(throws: Refusal.malformed) { try FromHelper(Frame(body(513))) }
    }

    @Test("neither reader traps on frames with some bytes changed")
    func random() throws {
        var random = Dice(for: "frames of helpers", usually: 7)
        let seeds = Self.requests.map(\.body) + Self.answers.map(\.body)
        for _ in 0..<25_000 {
            var body = seeds.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            for role in Role.ofHelpers {
                if let word = try? role.read(Frame(body)) { try #require(word.body.count == body.count) }
            }
        }
    }
}
