import Testing

@testable import ThumbConversation

@Suite("What each role may say")
struct RoleTests {
    @Test("a role takes each of its own words as it was said, and refuses each other", arguments: Role.all)
    func words(role: Role) throws {
        for word in Samples.all {
            let frame = try Frame(word.body)
            if let why = role.refusal(of: frame.kind) {
                #expect(throws: why) { try role.read(frame) }
            } else {
                #expect(same(try role.read(frame), word))
            }
        }
    }

    @Test("a word out of place is refused for its kind: what stands behind it isn't looked at", arguments: Role.all)
    func outOfPlace(role: Role) throws {
        for kind in WordKind.allCases {
            for rest in [[], [0], [1], Array(repeating: 0xff, count: 64)] as [[UInt8]] {
                let frame = try Frame([kind.rawValue, 0, 0, 0, 1] + rest)
                let why = whyUnreadable { () throws(Refusal) in try role.read(frame) }
                if let expected = role.refusal(of: kind) {
                    #expect(why == expected, "\(kind)")
                } else {
                    // What stands behind one of its own is looked at: no word of any kind goes on with 64 bytes of 0xff.
                    #expect(why == nil || why == .malformed, "\(kind)")
                    if rest.count == 64 { #expect(why == .malformed, "\(kind)") }
                }
            }
        }
    }

    @Test("a hello is nobody's word once it was said, and each other request is one role's, but for that no prompt can be shown")
    func requests() {
        // Polkit's agent says what a helper says, too.
        let numbers = Role.peers.flatMap(\.numbers).filter { !Kinds.fromHelper.contains($0) }
        #expect(Set(numbers) == Kinds.requests.subtracting([WordKind.hello.rawValue]))
        // An app's, an agent's, a login's and that of polkit's agent.
        #expect(numbers.count == Set(numbers).count + 3)
        for other in [Role.agent, .login, .polkitAgent] {
            #expect(Role.app.numbers.intersection(other.numbers) == [WordKind.promptUnavailable.rawValue])
        }
    }
}
