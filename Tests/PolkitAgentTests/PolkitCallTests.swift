import CThumbLinux
import Testing
import ThumbAccess
import ThumbBus

@testable import ThumbPolkitAgent

@Suite("What polkit asks its agent")
struct PolkitCallTests {
    private static func identity(_ uid: UInt32, kind: String = "unix-user") -> BusValue {
        .structure([.string(kind), .array([.entry([.string("uid"), .variant(.uint32(uid))])])])
    }

    private static func call(
        details: [(String, String)] = [], cookie: String = "1-abc", identities: [BusValue]
    ) -> [BusValue] {
        [
            .string("org.example.act"), .string("Do it"), .string("dialog-password"),
            .array(details.map { .entry([.string($0.0), .string($0.1)]) }), .string(cookie), .array(identities),
        ]
    }

    @Test("the session's own user is asked if polkit takes that word, and otherwise the first that it names")
    func identities() throws {
        let own = PolkitCall(Self.call(identities: [Self.identity(0), Self.identity(1)]), user: 1)
        #expect(own?.uid == 1 && own?.account == "daemon")
        let other = PolkitCall(Self.call(identities: [Self.identity(0), Self.identity(1)]), user: 1000)
        #expect(other?.uid == 0 && other?.account == "root")
        let group = Self.identity(0, kind: "unix-group")
        #expect(PolkitCall(Self.call(identities: [group, Self.identity(1)]), user: 0)?.uid == 1)
        for none in [[], [group], [Self.identity(3_000_000_000)]] {
            #expect(PolkitCall(Self.call(identities: none), user: 0) == nil)
        }
    }

    @Test("details come in the order of their names, without polkit's notes to its agents")
    func details() throws {
        let details = [("user", "root"), ("polkit.subject-pid", "7"), ("program", "/usr/bin/id")]
        let call = try #require(PolkitCall(Self.call(details: details, identities: [Self.identity(0)]), user: 0))
        #expect(call.details == [.init("program", "/usr/bin/id"), .init("user", "root")])
        #expect(call.subject == 7 && call.caller == nil)
        let known = try #require(KnownAction("org.example.act", in: [Self.known(active: 2)]))
        let words = call.words(known, AskingProcesses(command: "pkexec id", isKnown: true))
        #expect(words.details == call.details && words.vendor == "The makers" && words.icon == "dialog-password")
        #expect(words.command == "pkexec id" && words.isWhole && !words.isKept)
        // What isn't known might be anything.
        #expect(!call.words(known, AskingProcesses(isKnown: false)).isWhole)
        let unknown = call.words(nil, AskingProcesses(isKnown: true))
        #expect(!unknown.isWhole && unknown.isKept)
    }

    private static func words(
        action: String = "a", message: String = "m", vendor: String? = nil, command: String? = nil, asker: String? = nil,
        details: [PolkitWords.Detail] = [], account: String = "ada"
    ) -> PolkitWords {
        PolkitWords(
            action: ExactName(action), message: message, vendor: vendor, command: command, asker: asker, details: details,
            account: ExactName(account))
    }

    @Test("words that fit are whole; if any of them is cut, spread out or left out, they aren't")
    func whole() {
        func letters(_ count: Int) -> String { String(repeating: "x", count: count) }
        let (text, name) = (letters(PolkitWords.textLimit), letters(PolkitWords.nameLimit))
        let action = letters(PolkitWords.actionLimit)
        let most = [PolkitWords.Detail](repeating: .init(name, text), count: PolkitWords.mostDetails)
        #expect(Self.words(action: action, vendor: name, command: text, asker: text, details: most, account: name).isWhole)
        let wanting = [
            Self.words(command: text + "x"), Self.words(command: "id  x"), Self.words(asker: text + "x"),
            Self.words(asker: "a \nb"), Self.words(details: most + [.init("n", "v")]),
            Self.words(details: [.init(name + "x", "v")]), Self.words(details: [.init("n", text + "x")]),
            Self.words(details: [.init("n", "a  b")]), Self.words(vendor: name + "x"), Self.words(action: action + "x"),
            Self.words(account: name + "x"),
        ]
        // The owner must see all that a touch is for.
        for (place, words) in wanting.enumerated() { #expect(!words.isWhole, "\(place)") }
        // What stands without quotation marks can't change how the rest is read, either.
        for text in ["a\nb", "a\u{202E}b", "a\u{1B}[2J"] {
            #expect(!Self.words(message: text).isWhole && !Self.words(vendor: text).isWhole)
        }
    }

    private static func known(active: UInt32, named name: String = "org.example.act") -> BusValue {
        let texts = [name, "An act", "Do it", "The makers", "", ""].map { BusValue.string($0) }
        return .structure(texts + [.uint32(0), .uint32(0), .uint32(active), .array([])])
    }

    @Test("an answer that polkit keeps is known by the action, and an action by its exact name")
    func kept() {
        let all = (0...5).map { Self.known(active: $0, named: "a.\($0)") }
        #expect((0...5).filter { KnownAction(ExactName("a.\($0)"), in: all)?.isKept == true } == [3, 4])
        #expect(KnownAction("a.6", in: all) == nil && KnownAction("a.1", in: []) == nil)
        #expect(KnownAction("a.1", in: [.structure([.string("a.1")]), .string("a.1")]) == nil)
    }

    @Test("a cookie that the helper would read as two lines is refused", arguments: ["", "a\nb", "a b", "é", "a\0"])
    func cookies(cookie: String) {
        #expect(PolkitCall(Self.call(cookie: cookie, identities: [Self.identity(0)]), user: 0) == nil)
    }

    @Test("a call of other values than polkit's is refused")
    func shapes() {
        let whole = Self.call(identities: [Self.identity(0)])
        for place in whole.indices {
            var broken = whole
            broken[place] = .uint32(7)
            #expect(PolkitCall(broken, user: 0) == nil, "\(place)")
            broken.remove(at: place)
            #expect(PolkitCall(broken, user: 0) == nil, "\(place)")
        }
    }
}
