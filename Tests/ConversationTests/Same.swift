import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbConversation

/// Whether two words, or values in them, say the same: field by field where they can't be compared as they are.
func same(_ a: Any, _ b: Any) -> Bool {
    guard type(of: a) == type(of: b) else { return false }
    // A secret shows its bytes to nobody.
    if let a = a as? SecretBytes, let b = b as? SecretBytes { return a == b }
    if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
    let (fields, others) = (Mirror(reflecting: a).children, Mirror(reflecting: b).children)
    guard fields.count == others.count else { return false }
    if fields.isEmpty { return String(describing: a) == String(describing: b) }
    return zip(fields, others).allSatisfy { $0.label == $1.label && same($0.value, $1.value) }
}

@Suite("Comparing words")
struct SameTests {
    @Test("a word is the same as one of the same fields")
    func equal() {
        for word in Samples.all { #expect(same(word, word)) }
        #expect(same(AddItem(Self.item("wine")), AddItem(Self.item("wine"))))
        #expect(same(SetCredential(0, nil, context: 1), SetCredential(0, nil, context: 1)))
        #expect(same(ItemPage([], isLast: true), ItemPage([], isLast: true)))
    }

    @Test("one changed field is told")
    func changed() {
        for (word, other) in Self.pairs {
            #expect(!same(word, other), "\(word) and \(other)")
            #expect(!same(other, word), "\(word) and \(other)")
        }
    }

    @Test("two samples are the same only where they are said in the same bytes")
    func samples() {
        let said = Samples.all.map { (word: $0, body: $0.body) }
        for one in said {
            let wrong = said.filter { same(one.word, $0.word) != (one.body == $0.body) }
            #expect(wrong.isEmpty, "\(one.word) and \(wrong.map(\.word))")
        }
    }

    @Test("a sample in which one bit is another is another, wherever that can be read")
    func bits() throws {
        var count = 0
        for word in Samples.all {
            let body = word.body
            for place in body.indices.dropFirst(5) {
                var changed = body
                changed[place] ^= 1
                guard let read = try? Frame(changed).anyWord() else { continue }
                // Attributes may have another order now, which is put right when they are said again.
                if same(word, read) != (read.body == body) { Issue.record("byte \(place) of \(word)") }
                count += 1
            }
        }
        #expect(count > 5000)
    }

    private static let pairs: [(any Word, any Word)] = [
        (Cancelled(), Fallback()),
        (Invalidate(context: 1), Release(context: 1)),
        (Invalidate(context: 1), Invalidate(context: 2)),
        (GetCapability(1, context: 1), GetCapability(1, context: 2)),
        (GetCapability(1, context: 1), GetCapability(2, context: 1)),
        (Hello(role: .app), Hello(role: .agent)),
        (Hello(role: .app), Hello(role: .app, label: "")),
        (Hello(role: .prompt, surface: .x11(display: ":0")), Hello(role: .prompt, surface: .x11(display: ":1"))),
        (Echo(secret("wine")), Echo(secret("wind"))),
        (Echo(secret("")), Echo(secret("\0"))),
        (SetCredential(0, nil, context: 1), SetCredential(0, secret(""), context: 1)),
        (SetCredential(0, secret("1"), context: 1), SetCredential(0, secret("2"), context: 1)),
        (AddItem(item("wine")), AddItem(item("wind"))),
        (AddItem(item("wine")), AddItem(item(nil))),
        (AddItem(item("wine")), AddItem(item("wine", [.account: .text("a")]))),
        (AddItem(item("wine", [.account: .text("a")])), AddItem(item("wine", [.account: .text("b")]))),
        (AddItem(item("wine", [.account: .text("a")])), AddItem(item("wine", [.service: .text("a")]))),
        (UpdateItems(Samples.bareQuery, ItemChange()), UpdateItems(Samples.fullQuery, ItemChange())),
        (UpdateItems(Samples.bareQuery, ItemChange()), UpdateItems(Samples.bareQuery, ItemChange(secret: secret("")))),
        (ItemPage([]), ItemPage([], isLast: false)),
        (ItemPage(Samples.found), ItemPage([Samples.found[0]])),
        (ItemPage(Samples.found), ItemPage(Samples.found.reversed())),
        (JudgeApp("a", .group("g"), nil), JudgeApp("a", .program("g"), nil)),
        (JudgeApp("a", .face, .allowed), JudgeApp("a", .face, .denied)),
        (JudgeApp("a", .folder("g"), nil), JudgeApp("a", .keptItem("g"), nil)),
        (GetReadable(Samples.readers[0], []), GetReadable(Samples.readers[1], [])),
        (GetReadable(Samples.readers[0], [[1]]), GetReadable(Samples.readers[0], [[2]])),
        (Readable(isOpen: true, []), Readable(isOpen: false, [])),
        (Readable(isOpen: true, [.free]), Readable(isOpen: true, [.asks])),
        (EnrollingEnded(), EnrollingEnded(.failed)),
        (KeyProduct(secret("sig"), by: .tpm), KeyProduct(secret("sig"), by: .software)),
        (
            ExportedChunk(box: [], isLastChunk: true, ExportTally(left: [.thisDeviceOnly: 1])),
            ExportedChunk(box: [], isLastChunk: true, ExportTally(left: [.thisDeviceOnly: 2]))
        ),
        (CheckPassword(uid: 1, secret("a")), CheckPassword(uid: 1, secret("b"))),
        (HelperVerdict(.right, delay: 1), HelperVerdict(.right, delay: 2)),
    ]

    private static func item(_ text: String?, _ attributes: Attributes = [:]) -> NewItem {
        NewItem(itemClass: .genericPassword, attributes: attributes, rule: Samples.rule, secret: text.map { secret($0) })
    }
}
