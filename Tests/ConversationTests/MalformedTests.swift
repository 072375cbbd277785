import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbConversation

@Suite("Frames that are wrong")
struct MalformedTests {
    @Test("a frame cut anywhere is malformed", arguments: Samples.requests.indices)
    func cutRequest(index: Int) {
        let body = Samples.requests[index].body
        for length in body.indices { #expect(refusal(request: Array(body[..<length])) == .malformed) }
    }

    @Test("an answer cut anywhere is malformed", arguments: Samples.answers.indices)
    func cutAnswer(index: Int) {
        let body = Samples.answers[index].body
        for length in body.indices { #expect(refusal(answer: Array(body[..<length])) == .malformed) }
    }

    @Test("a byte left over is malformed")
    func leftOver() {
        for request in Samples.requests { #expect(refusal(request: request.body + [0]) == .malformed) }
        for answer in Samples.answers { #expect(refusal(answer: answer.body + [0]) == .malformed) }
    }

    @Test("a kind that nobody knows is refused as that, and so is the other side's kind", arguments: UInt8.min...UInt8.max)
    func unknownKind(kind: UInt8) {
        let body: [UInt8] = [kind, 0, 0, 0, 1]
        // Polkit's agent says what a helper says, too.
        let isSaid = Kinds.requests.union(Kinds.fromHelper).contains(kind)
        #expect((refusal(request: body) == .unknownKind) == !isSaid)
        #expect((refusal(answer: body) == .unknownKind) == !Kinds.answers.contains(kind))
    }

    @Test("a Boolean is 0 or 1 and nothing else")
    func booleans() {
        let evaluate = Samples.evaluations[1]
        let body = Evaluate(evaluate).body
        // The flag stands before the eight bytes of the reuse seconds.
        let place = body.count - 9
        #expect(body[place] == 0)
        for value: UInt8 in 2...255 { #expect(refusal(request: replacing(body, place, [value])) == .malformed) }
        #expect(refusal(request: replacing(body, place, [1])) == nil)
    }

    @Test("polkit's words are refused where they are longer than what is shown, or name no icon of a theme")
    func polkit() {
        func refused(message: String = "m", icon: String = "i", details: Int = 1) -> Bool {
            var encoder = Encoder(AskForPolkit.wireKind, call: 1)
            encoder.put(UInt32(0), "action", message, "vendor" as String?, icon as String?)
            encoder.put(nil as String?, nil as String?)
            encoder.put([PolkitWords.Detail](repeating: .init("a", "b"), count: details), "account", true, false, false)
            return refusal(request: Array(encoder.plain.dropFirst(4))) == .malformed
        }
        #expect(!refused() && refused(message: String(repeating: "m", count: PolkitWords.textLimit + 1)))
        #expect(refused(details: PolkitWords.mostDetails + 1))
        for icon in ["", "/etc/passwd", "a b", "é", ".hidden", String(repeating: "i", count: PolkitWords.nameLimit + 1)] {
            #expect(refused(icon: icon), "\(icon)")
        }
    }

    @Test("an enumeration's number that isn't in its list is malformed")
    func enumerations() {
        let hello: [UInt8] = [1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0]
        #expect(refusal(request: hello) == nil)
        for role: UInt8 in [0, 6, 255] { #expect(refusal(request: replacing(hello, 9, [role])) == .malformed) }
        // A policy travels as a number in a preflight, so that the daemon can say it doesn't know it; in an evaluation it may not.
        let evaluate = Evaluate(Samples.evaluations[0]).body
        for policy: UInt8 in [0, 6, 255] { #expect(refusal(request: replacing(evaluate, 14, [policy])) == .malformed) }
        for subject: UInt8 in [0, 3, 255] { #expect(refusal(request: replacing(evaluate, 13, [subject])) == .malformed) }
        for mode: UInt8 in [0, 4] { #expect(refusal(answer: [128, 0, 0, 0, 1, 0, 1, mode]) == .malformed) }
        for reason: UInt8 in [0, UInt8(Refusal.allCases.count) + 1, 255] {
            #expect(refusal(answer: [129, 0, 0, 0, 1, reason]) == .malformed)
        }
        for failure in [0, UInt8(KeychainFailure.allCases.count) + 1, 255] {
            #expect(refusal(answer: [135, 0, 0, 0, 1, failure]) == .malformed)
        }
        for failure: UInt8 in [0, 9, 255] { #expect(refusal(answer: [173, 0, 0, 0, 1, failure]) == .malformed) }
        for verdict: UInt8 in [0, 3, 255] {
            #expect(refusal(request: [35, 0, 0, 0, 1] + length(1) + [0x61, 1, 1, verdict]) == .malformed)
        }
        // What the daemon notes by itself is told, and taken from nobody.
        for verdict: UInt8 in [0, 4, 255] {
            #expect(
                refusal(answer: [141, 0, 0, 0, 1] + length(1) + length(0) + length(0) + [0, 1, verdict] + zeros) == .malformed)
        }
        #expect(refusal(request: [35, 0, 0, 0, 1] + length(1) + [0x61, 1, 1, 2]) == nil)
        #expect(refusal(answer: [141, 0, 0, 0, 1] + length(1) + length(0) + length(0) + [0, 1, 2] + zeros) == nil)
        for wish: UInt8 in [0, 6, 255] {
            #expect(refusal(request: [35, 0, 0, 0, 1] + length(1) + [0x61, wish, 1, 2]) == .malformed)
        }
        for kind: UInt8 in [3, 255] {
            #expect(refusal(answer: [141, 0, 0, 0, 1] + length(1) + length(0) + length(0) + [kind, 1, 2] + zeros) == .malformed)
        }
        for ending: UInt8 in [3, 255] { #expect(refusal(answer: [161, 0, 0, 0, 0, ending]) == .malformed) }
    }

    @Test("a purpose of a statement that isn't in its list is malformed, in a request and in a prompt")
    func purposes() {
        let use = StatementUse(.stored([1]), Samples.signingIn, challenge: [])
        let body = SignStatement(use).body
        let words = Array(Samples.signingIn.account.utf8)
        // Right behind the account.
        func place(_ body: [UInt8]) -> Int {
            body.indices.first { body[$0...].starts(with: words) }! + words.count
        }
        let content = PromptContent(program: ProgramWords(name: ""), words: PromptWords(reason: ""), signIn: Samples.signingIn)
        let shown = content.body
        for purpose: UInt8 in [0, 8, 255] {
            #expect(refusal(request: replacing(body, place(body), [purpose])) == .malformed)
            #expect(refusal(answer: replacing(shown, place(shown), [purpose])) == .malformed)
        }
        #expect(refusal(request: replacing(body, place(body), [2])) == nil)
    }

    @Test(
        "text that isn't UTF-8 is malformed",
        arguments: [
            [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80], [0x41, 0xc3],
        ] as [[UInt8]])
    func text(bytes: [UInt8]) {
        #expect(refusal(request: hello(label: bytes)) == .malformed)
    }

    @Test("a label has 255 bytes at most")
    func label() {
        #expect(refusal(request: hello(label: Array(repeating: 0x61, count: 255))) == nil)
        #expect(refusal(request: hello(label: Array(repeating: 0x61, count: 256))) == .malformed)
    }

    @Test("a call names 1 to 64 items to be released, and 4,096 at most to be weighed")
    func keptItems() {
        let reader = Samples.readers[1]
        func release(_ count: Int) -> [UInt8] {
            ReleaseForReader(reader, [[UInt8]](repeating: [1], count: count), asking: AskingTerms()).body
        }
        for count in [0, 65] { #expect(refusal(request: release(count)) == .malformed) }
        for count in [1, 64] { #expect(refusal(request: release(count)) == nil) }
        func weigh(_ count: Int) -> [UInt8] { GetReadable(reader, [[UInt8]](repeating: [1], count: count)).body }
        for count in [0, 4096] { #expect(refusal(request: weigh(count)) == nil) }
        #expect(refusal(request: weigh(4097)) == .malformed)
    }

    @Test("a reader has an identity of 32 KiB at most, and 8 names of 1 KiB above it")
    func readers() {
        func weigh(_ identity: Int, above: Int = 0, of bytes: Int = 1) -> [UInt8] {
            // Written by hand, because a reader takes no more names than it may have.
            let names = length(above) + [[UInt8]](repeating: text(bytes), count: above).flatMap { $0 }
            let program: [UInt8] = [0, 0, 0, 5, 0, 0, 0, 0, 0, 0]
            return [25, 0, 0, 0, 1] + text(identity) + program + names + length(0)
        }
        func text(_ count: Int) -> [UInt8] { length(count) + [UInt8](repeating: 0x61, count: count) }
        #expect(refusal(request: weigh(1)) == nil && refusal(request: weigh(0)) == .malformed)
        #expect(refusal(request: weigh(32 << 10)) == nil && refusal(request: weigh(32 << 10 + 1)) == .malformed)
        #expect(refusal(request: weigh(1, above: 8)) == nil && refusal(request: weigh(1, above: 9)) == .malformed)
        #expect(refusal(request: weigh(1, above: 1, of: 1 << 10)) == nil)
        #expect(refusal(request: weigh(1, above: 1, of: 1 << 10 + 1)) == .malformed)
        func allow(_ identity: Int, _ name: Int) -> [UInt8] { [28, 0, 0, 0, 1] + text(identity) + text(name) + length(0) }
        #expect(refusal(request: allow(32 << 10, 4 << 10)) == nil)
        #expect(refusal(request: allow(32 << 10 + 1, 0)) == .malformed && refusal(request: allow(0, 0)) == .malformed)
        #expect(refusal(request: allow(1, 4 << 10 + 1)) == .malformed)
    }

    @Test("whether an item is readable is one of four numbers")
    func readability() {
        for number: UInt8 in 0...3 { #expect(refusal(answer: [144, 0, 0, 0, 1, 1] + length(1) + [number]) == nil) }
        for number: UInt8 in [4, 255] { #expect(refusal(answer: [144, 0, 0, 0, 1, 1] + length(1) + [number]) == .malformed) }
    }

    @Test("a reason for face recognition has 1 KiB at most")
    func faceUsage() {
        func hello(_ count: Int) -> [UInt8] {
            [1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1] + length(count) + [UInt8](repeating: 0x61, count: count) + [0, 0]
        }
        #expect(refusal(request: hello(1024)) == nil)
        #expect(refusal(request: hello(1025)) == .malformed)
    }

    @Test("a display's name has 255 bytes at most, and a surface is one of three")
    func surface() {
        func hello(_ surface: [UInt8]) -> [UInt8] { [1, 0, 0, 0, 1, 0, 1, 0, 1, 2, 0, 0, 0, 1] + surface }
        func display(_ count: Int) -> [UInt8] { [2] + length(count) + [UInt8](repeating: 0x61, count: count) }
        #expect(refusal(request: hello(display(255))) == nil)
        #expect(refusal(request: hello(display(256))) == .malformed)
        #expect(refusal(request: hello([1])) == nil && refusal(request: hello([3, 0, 0, 0, 1])) == nil)
        for kind: UInt8 in [0, 4, 255] { #expect(refusal(request: hello([kind])) == .malformed) }
    }

    @Test("a frame between machines has 1 byte to 16 KiB, a pairing's name 16 bytes, a machine's name 64, its place 270")
    func companions() {
        func frame(_ count: Int) -> [UInt8] { [81, 0, 0, 0, 1] + length(count) + [UInt8](repeating: 1, count: count) }
        #expect(refusal(request: frame(1)) == nil && refusal(request: frame(16 << 10)) == nil)
        #expect(refusal(request: frame(0)) == .malformed && refusal(request: frame((16 << 10) + 1)) == .malformed)
        func id(_ count: Int) -> [UInt8] { [83, 0, 0, 0, 1] + length(count) + [UInt8](repeating: 1, count: count) }
        #expect(refusal(request: id(16)) == nil)
        #expect(refusal(request: id(15)) == .malformed && refusal(request: id(17)) == .malformed)
        func text(_ bytes: [UInt8]) -> [UInt8] { length(bytes.count) + bytes }
        func pairing(_ name: [UInt8], _ side: UInt8 = 1, other: [UInt8]? = nil, place: [UInt8] = []) -> [UInt8] {
            let otherName: [UInt8] = if let other { [1] + text(other) } else { [0] }
            return [80, 0, 0, 0, 1, side] + text(name) + otherName + text(place)
        }
        func letters(_ count: Int) -> [UInt8] { Array(repeating: 0x61, count: count) }
        #expect(refusal(request: pairing(letters(64), other: letters(64), place: letters(270))) == nil)
        #expect(refusal(request: pairing([0x61], 2)) == nil)
        // What would do something to the screen that shows it.
        let odd = [[0x1b], Array("\u{202e}desk".utf8)] as [[UInt8]]
        for name in odd + [[], letters(65)] {
            #expect(refusal(request: pairing(name)) == .malformed)
            #expect(refusal(request: pairing([0x61], other: name)) == .malformed)
        }
        for place in odd + [letters(271)] { #expect(refusal(request: pairing([0x61], place: place)) == .malformed) }
        for side: UInt8 in [0, 3, 255] { #expect(refusal(request: pairing([0x61], side)) == .malformed) }
    }

    @Test("a lowest version above the highest is malformed")
    func versions() {
        #expect(refusal(request: [1, 0, 0, 0, 1, 0, 2, 0, 1, 1, 0, 0, 0, 0]) == .malformed)
        #expect(refusal(request: [1, 0, 0, 0, 1, 0, 2, 0, 2, 1, 0, 0, 0, 0]) == nil)
    }

    @Test("a prompt's words have 4 KiB at most")
    func words() {
        func evaluate(_ count: Int) -> [UInt8] {
            [11, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + [1, 1] + length(count) + [UInt8](repeating: 0x61, count: count)
                + [0, 0, 0] + [UInt8](repeating: 0, count: 8)
        }
        #expect(refusal(request: evaluate(QueryLimit.wordsBytes)) == nil)
        #expect(refusal(request: evaluate(QueryLimit.wordsBytes + 1)) == .malformed)
    }

    @Test(
        "a number that isn't one, or is infinite, is malformed",
        arguments: [
            Double.nan, -Double.nan, .signalingNaN, .infinity, -.infinity,
        ])
    func doubles(value: Double) {
        var request = Samples.evaluations[0]
        request.reuseSeconds = value
        #expect(refusal(request: Evaluate(request).body) == .malformed)
        let query = Query(itemClass: .genericPassword, attributes: [.created: .date(value)])
        #expect(refusal(request: FindItems(query).body) == .malformed)
    }

    @Test(
        "a count of more values than there are bytes is malformed, and reserves no memory",
        arguments: [2, 1000, 0x7fff_ffff, 0xffff_ffff])
    func counts(count: Int) {
        // A query without class and with that many attributes, of which there is one.
        let body = [21, 0, 0, 0, 1, 0] + length(count) + Array("acct".utf8) + [4, 1]
        #expect(refusal(request: body) == .malformed)
        #expect(refusal(answer: [136, 0, 0, 0, 1] + length(count) + [1]) == .malformed)
    }

    @Test("a length of more bytes than there are is malformed", arguments: [3, 1000, 0x7fff_ffff, 0xffff_ffff])
    func lengths(count: Int) {
        #expect(refusal(request: [2, 0, 0, 0, 1] + length(count) + [1, 2]) == .malformed)
        #expect(refusal(request: [15, 0, 0, 0, 1] + length(count) + [1, 2]) == .malformed)
    }

    @Test("an attribute that comes twice is malformed")
    func duplicates() {
        let tail: [UInt8] = [0, 0, 0, 0, 0] + asking
        let account = Array("acct".utf8) + [4, 1]
        let service = Array("svce".utf8) + [4, 1]
        let head: [UInt8] = [21, 0, 0, 0, 1, 0] + length(2)
        #expect(refusal(request: head + account + service + tail) == nil)
        #expect(refusal(request: head + account + account + tail) == .malformed)
        #expect(refusal(request: head + account + Array("acct".utf8) + [4, 0] + tail) == .malformed)
    }

    @Test("an access rule with bits nobody knows, or that exclude each other, is malformed")
    func rules() {
        func add(_ accessibility: UInt8, _ constraints: UInt64) -> [UInt8] {
            [20, 0, 0, 0, 1, 1] + length(0) + [accessibility]
                + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: constraints >> UInt64($0)) }
                + [0, 0] + asking
        }
        #expect(refusal(request: add(1, 0)) == nil)
        #expect(refusal(request: add(7, Constraints.biometryAny.rawValue)) == nil)
        for accessibility: UInt8 in [0, 8] { #expect(refusal(request: add(accessibility, 0)) == .malformed) }
        for bit: UInt64 in [2, 6, 13, 16, 32, 63] { #expect(refusal(request: add(1, 1 << bit)) == .malformed) }
        for both: Constraints in [[.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .devicePasscode]] {
            #expect(refusal(request: add(1, both.rawValue)) == .malformed)
        }
    }

    @Test("a megabyte of reason is cut by whoever sends it, so that it still arrives")
    func longReason() {
        for text in ["a", "é", "€", "👍"] {
            for shift in 0..<4 {
                let reason = String(repeating: "a", count: shift) + String(repeating: text, count: 1 << 18)
                let request = EvaluationRequest(context: 1, subject: .policy(.biometrics), words: PromptWords(reason: reason))
                #expect(refusal(request: Evaluate(request).body) == nil)
            }
        }
    }

    private let zeros = [UInt8](repeating: 0, count: 8)

    /// Nothing special: no context, asking allowed, no reuse, no words.
    private let asking = [UInt8](repeating: 0, count: 16)

    private func replacing(_ body: [UInt8], _ place: Int, _ bytes: [UInt8]) -> [UInt8] {
        Array(body[..<place]) + bytes + body[(place + bytes.count)...]
    }

    private func length(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }

    private func hello(label: [UInt8]) -> [UInt8] {
        [1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1] + length(label.count) + label + [0, 0, 0]
    }
}
