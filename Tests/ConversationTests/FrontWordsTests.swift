import Testing
import ThumbAccess

@testable import ThumbConversation

@Suite("What the front and a device say")
struct FrontWordsTests {
    private static let file = PeerFacts.File(path: "/usr/bin/app", place: .system, stamp: Array(0..<32), isName: true)
    private static let hidden = PeerFacts.File(path: "", place: .elsewhere, stamp: [], isName: false)

    static let words: [any Word] =
        [
            PeerFacts(file: file, confinement: .none), PeerFacts(file: nil, confinement: .unnamed),
            PeerFacts(file: hidden, confinement: .sandbox(.flatpak("org.example.App"))),
            PeerFacts(file: file, confinement: .sandbox(.snap("example"))),
            PeerFacts(file: file, confinement: .none, run: .script(file)),
            PeerFacts(file: file, confinement: .none, run: .text(digest: [])),
            PeerFacts(file: file, confinement: .none, run: .module("keyring")),
            PeerFacts(file: file, confinement: .none, run: .interactive),
            PeerFacts(file: file, confinement: .none, run: .unknown),
        ].map { PeerArrived.program($0) } + [
            PeerArrived.login, Whose(uid: .max), WantsLineGiven(), Sleeps(), Wakes(), LidMoved(isClosed: true),
            LidMoved(isClosed: false), SessionLocked(isLocked: true), SessionLocked(isLocked: false),
            SessionInFront(isInFront: true), SessionInFront(isInFront: false), MachineKnown(),
            Unused(peers: .max, isSoon: true), Unused(peers: 0, isSoon: false), EndNow(), Given(isThere: true),
            Given(isThere: false),
        ] + PeerFacts.Part.allCases.map { PeerContentsGiven($0) } + Want.Server.allCases.map { Want($0) }

    @Test("every word is read as it was said, and all of the page's numbers are said")
    func roundTrip() throws {
        for word in Self.words { #expect(same(try Frame(word.body).anyWord(), word)) }
        #expect(Set(Self.words.map { $0.body[0] }) == Kinds.ofFront)
    }

    @Test("a word that ends early, goes on too long or holds what can't be is malformed")
    func malformed() throws {
        for word in Self.words {
            for end in 5..<word.body.count {
                #expect(throws: Refusal.malformed) { _ = try Frame(Array(word.body[..<end])).anyWord() }
            }
            #expect(throws: Refusal.malformed) { _ = try Frame(word.body + [0]).anyWord() }
        }
        for (word, place, byte): (any Word, Int, UInt8) in [
            (PeerArrived.login, 5, 3), (PeerArrived.login, 5, 0), (Want(.tpm), 5, 5), (Want(.tpm), 5, 0),
            (Given(isThere: true), 5, 2),
            (PeerArrived.program(PeerFacts(file: nil, confinement: .none)), 7, 4),
            (PeerArrived.program(PeerFacts(file: nil, confinement: .none, run: .unknown)), 9, 6),
            (PeerContentsGiven(.run), 5, 3), (PeerContentsGiven(.run), 5, 0),
        ] {
            var body = word.body
            body[place] = byte
            #expect(throws: Refusal.malformed) { _ = try Frame(body).anyWord() }
        }
    }

    @Test("no client may say any of it")
    func clients() throws {
        for word in Self.words {
            for role in Role.peers { #expect(role.isOutOfPlace(try Frame(word.body))) }
        }
    }
}
