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
        let words = call.words(vendor: "Us")
        #expect(words.details == call.details && words.vendor == "Us" && words.icon == "dialog-password" && words.isWhole)
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
