import Testing
import ThumbAccess
import ThumbCompanion
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs

@Suite("Pairing, frame by frame")
struct PairingTests {
    /// Both sides after their first three frames.
    private func compared(
        _ desk: Machine, _ laptop: Machine, _ crypto: any CompanionCrypto = Paired.crypto
    ) throws -> (asks: PairingCompared, answers: PairingCompared) {
        let offered = try PairingOffered(crypto, link: desk.linkPoint, name: "desk")
        let answered = try PairingAnswered(crypto, offered.frame, link: laptop.linkPoint, yes: laptop.yesPoint, name: "laptop")
        let asks = try offered.answered(answered.frame)
        return (asks, try answered.opened(#require(asks.frame)))
    }

    @Test("both sides know the same code and id, and each the other's keys and name")
    func both() throws {
        let (desk, laptop) = (try Machine(), try Machine())
        let (asks, answers) = try compared(desk, laptop)
        #expect(asks.code == answers.code && asks.id == answers.id && asks.id.count == 16)
        #expect(asks.code.utf8.count == 6 && asks.code.allSatisfy { $0.isASCII && $0.isNumber })
        #expect(asks.link == laptop.linkPoint && asks.yes == laptop.yesPoint && asks.name == "laptop")
        #expect(answers.link == desk.linkPoint && answers.yes.isEmpty && answers.name == "desk" && answers.frame == nil)
        let again = try compared(desk, laptop)
        #expect(again.asks.id != asks.id)
    }

    @Test("each confirms to the other, and neither its own confirmation nor a stranger's is the other's")
    func confirmed() throws {
        let (desk, laptop) = (try Machine(), try Machine())
        let (asks, answers) = try compared(desk, laptop)
        let mine = try asks.confirmed(desk.agree(with: asks.link))
        let theirs = try answers.confirmed(laptop.agree(with: answers.link))
        try mine.isConfirmed(by: theirs.frame)
        try theirs.isConfirmed(by: mine.frame)
        #expect(refusal { try mine.isConfirmed(by: mine.frame) } == .notGenuine)
        let stranger = try Machine()
        let imposture = try answers.confirmed(stranger.agree(with: answers.link))
        #expect(refusal { try mine.isConfirmed(by: imposture.frame) } == .notGenuine)
        for place in theirs.frame.indices {
            var wrong = theirs.frame
            wrong[place] ^= 1
            #expect(refusal { try mine.isConfirmed(by: wrong) } != nil, "byte \(place)")
        }
    }

    @Test("an opening that isn't what was committed to is refused, whatever is tried after the answer was seen")
    func opening() throws {
        let (desk, laptop) = (try Machine(), try Machine())
        let offered = try PairingOffered(Paired.crypto, link: desk.linkPoint, name: "desk")
        let answered = try PairingAnswered(
            Paired.crypto, offered.frame, link: laptop.linkPoint, yes: laptop.yesPoint, name: "laptop")
        let opening = try #require(try offered.answered(answered.frame).frame)
        var (refused, taken) = (0, 0)
        for place in opening.indices {
            var other = opening
            other[place] ^= 1
            let why = refusal { _ = try answered.opened(other) }
            #expect(why != nil, "byte \(place)")
            if why == .notGenuine { refused += 1 }
            if why == nil { taken += 1 }
        }
        // Nonce and key, and what of the name is still text.
        #expect(refused > 90)
        Tally.check(
            "a relay opens its commitment to a pairing as something else, once it has seen the answer", succeeded: taken > 0)
    }

    @Test("a relay between the two gets two codes that differ, whichever side it meets first")
    func relay() throws {
        // Before the confirmation a key is just its bytes.
        let (desk, laptop, relay) = (
            [UInt8](repeating: 4, count: 65), [UInt8](repeating: 5, count: 65), [UInt8](repeating: 6, count: 65)
        )
        var equal = 0
        for seed in 0..<UInt64(200) {
            let crypto = DicedCrypto(seed)
            // Towards the laptop it commits itself before it knows the laptop's nonce, towards the desk it answers a commitment.
            let offered = try PairingOffered(crypto, link: desk, name: "desk")
            let falseOffer = try PairingOffered(crypto, link: relay, name: "desk")
            let answered = try PairingAnswered(crypto, falseOffer.frame, link: laptop, yes: laptop, name: "laptop")
            let falseAnswer = try PairingAnswered(crypto, offered.frame, link: relay, yes: relay, name: "laptop")
            let atDesk = try offered.answered(falseAnswer.frame)
            let atLaptop = try answered.opened(#require(try falseOffer.answered(answered.frame).frame))
            if atDesk.code == atLaptop.code { equal += 1 }
        }
        #expect(equal == 0)
        Tally.check("a relay between two machines that are being paired shows both the same code", succeeded: equal > 0)
    }

    @Test("id and code are made of all three frames, as the page says")
    func formula() throws {
        // Before the confirmation a key is just its bytes.
        let (desk, laptop) = ([UInt8](repeating: 4, count: 65), [UInt8](repeating: 5, count: 65))
        // As docs/contributors/companion.md has it.
        func hash(_ label: String, _ bytes: [UInt8]) throws -> [UInt8] { try Paired.crypto.hash(Array(label.utf8) + bytes) }
        for seed in 0..<UInt64(16) {
            let crypto = DicedCrypto(seed)
            let offered = try PairingOffered(crypto, link: desk, name: "desk")
            let answered = try PairingAnswered(crypto, offered.frame, link: laptop, yes: laptop, name: "laptop")
            let asks = try offered.answered(answered.frame)
            let opening = try #require(asks.frame)
            var frames: [UInt8] = []
            for frame in [offered.frame, answered.frame, opening] {
                frames += [UInt8(frame.count >> 8), UInt8(frame.count & 255)]
                frames += frame
            }
            let transcript = try hash("thumbturn companion pairing 1", frames)
            let id = Array(try hash("thumbturn companion id 1", transcript).prefix(16))
            let number = try hash("thumbturn companion code 1", transcript).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            #expect(asks.id == id, "seed \(seed)")
            #expect(UInt64(asks.code) == number % 1_000_000 && asks.code.utf8.count == 6, "seed \(seed)")
        }
    }

    @Test("a confirmation counts only where both machines have seen the same frames, whatever the owner has compared")
    func otherFrames() throws {
        let (desk, laptop, relay) = (try Machine(), try Machine(), try Machine())
        let offered = try PairingOffered(Paired.crypto, link: desk.linkPoint, name: "desk")
        let answered = try PairingAnswered(
            Paired.crypto, offered.frame, link: laptop.linkPoint, yes: laptop.yesPoint, name: "laptop")
        // The link keys are left, so that the two agree. Behind kind, nonce and link key there is the yes key.
        var changed = answered.frame
        changed.replaceSubrange(98..<163, with: relay.yesPoint)
        let asks = try offered.answered(changed)
        let answers = try answered.opened(#require(asks.frame))
        #expect(asks.link == laptop.linkPoint && asks.yes == relay.yesPoint && answers.link == desk.linkPoint)
        let mine = try asks.confirmed(desk.agree(with: asks.link))
        let theirs = try answers.confirmed(laptop.agree(with: answers.link))
        #expect(refusal { try mine.isConfirmed(by: theirs.frame) } == .notGenuine)
        #expect(refusal { try theirs.isConfirmed(by: mine.frame) } == .notGenuine)
    }

    @Test("a frame of another kind, a name that isn't one, and bytes left over are malformed")
    func malformed() throws {
        let (desk, laptop) = (try Machine(), try Machine())
        let offered = try PairingOffered(Paired.crypto, link: desk.linkPoint, name: "desk")
        let answered = try PairingAnswered(
            Paired.crypto, offered.frame, link: laptop.linkPoint, yes: laptop.yesPoint, name: "laptop")
        for frame in [[], offered.frame, answered.frame + [0], Array(answered.frame.dropLast())] {
            #expect(refusal { _ = try offered.answered(frame) } == .malformed)
        }
        for frame in [[], answered.frame, offered.frame + [0], Array(offered.frame.dropLast())] {
            #expect(
                refusal {
                    _ = try PairingAnswered(Paired.crypto, frame, link: laptop.linkPoint, yes: laptop.yesPoint, name: "x")
                } == .malformed)
        }
        // Another version of the protocol.
        var newer = offered.frame
        newer[1] = 2
        #expect(
            refusal {
                _ = try PairingAnswered(Paired.crypto, newer, link: laptop.linkPoint, yes: laptop.yesPoint, name: "x")
            } == .malformed)
        for name in ["", String(repeating: "x", count: 65), "\u{1b}[2J", "\u{202e}desk"] {
            let bad = try PairingAnswered(
                Paired.crypto, offered.frame, link: laptop.linkPoint, yes: laptop.yesPoint, name: name)
            #expect(refusal { _ = try offered.answered(bad.frame) } == .malformed)
        }
    }
}
