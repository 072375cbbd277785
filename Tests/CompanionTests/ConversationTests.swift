import Testing
import ThumbAccess
import ThumbCompanion
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs

@Suite("A question, frame by frame")
struct ConversationTests {
    private let paired: Paired

    init() throws { paired = try Paired() }

    @Test("the companion gets the question as it was asked, and its yes is one")
    func whole() throws {
        for question in Self.questions {
            let calling = try paired.call()
            let listening = try paired.answer(calling.frame)
            let joined = try paired.join(calling, listening.frame)
            #expect(joined.canAsk && listening.conversation == calling.conversation)
            let asked = try joined.asked(question)
            let answering = try listening.asked(asked.frame)
            #expect(answering.question == question)
            #expect(try asked.verdict(answering.yes(paired.laptop.signature(answering.digest))) == .yes)
            for no in [CompanionVerdict.refused, .unrecognized, .notAsked] {
                #expect(try asked.verdict(answering.no(no)) == no)
            }
            #expect(refusal { _ = try answering.no(.yes) } == .malformed)
            try answering.withdrawn(asked.withdrawn())
        }
    }

    static let questions: [CompanionQuestion] = [
        .sample,
        CompanionQuestion(
            program: ProgramWords(kind: .protected, name: "bank", path: "/usr/bin/bank", place: .changeable, process: .max),
            reason: "", signIn: SignInWords(origin: "https://bank.example", account: "anna", purpose: .deleteAccount),
            subject: .rule(AccessRule(.whenPasscodeSetThisDeviceOnly), .signWithKey)),
        CompanionQuestion(
            program: ProgramWords(kind: .sandboxed, name: "org.example"), reason: "Ünïcode",
            subject: .rule(try! AccessRule(.whenUnlocked, [.biometryAny, .or, .companion]), .useItem)),
    ]

    @Test("a companion that can't ask says so, and nobody else can say that it can")
    func cannotAsk() throws {
        let calling = try paired.call()
        #expect(try !paired.join(calling, paired.answer(calling.frame, canAsk: false).frame).canAsk)
    }

    @Test("whatever byte of whatever frame a carrier changes, no yes comes of it")
    func changed() throws {
        var (tried, succeeded) = (0, 0)
        for number in 0..<4 {
            var length = 0
            _ = try paired.converse { at, frame in
                if at == number { length = frame.count }
                return frame
            }
            for place in stride(from: 0, to: length, by: number == 2 ? 3 : 1) {
                tried += 1
                let verdict = try? paired.converse { at, frame in
                    var frame = frame
                    // A signature has a byte more or less each time.
                    if at == number { frame[min(place, frame.count - 1)] ^= 1 << (place % 8) }
                    return frame
                }
                if verdict == .yes { succeeded += 1 }
            }
        }
        #expect(tried > 200 && succeeded == 0)
        Tally.check(
            "a carrier changes a byte of a frame between paired machines, and a yes comes of it", succeeded: succeeded > 0)
    }

    @Test("nothing that the question says crosses readable, in any frame")
    func unreadable() throws {
        var question = CompanionQuestion.sample
        question.reason = "PlantedReason"
        question.program.path = "/usr/bin/PlantedProgram"
        question.program.claim = "org.PlantedClaim"
        var crossed: [UInt8] = []
        _ = try paired.converse(question) { _, frame in
            crossed += frame
            return frame
        }
        let text = String(decoding: crossed, as: UTF8.self)
        #expect(crossed.count > 300 && !text.contains("Planted"))
        // Neither does the verdict show: each has other bytes, and none is the signature's.
        Tally.check("a carrier reads what a paired machine is asked", succeeded: text.contains("Planted"))
    }

    @Test("frames of one conversation open nothing in another, of the same two machines or of others")
    func replayed() throws {
        var old: [[UInt8]] = []
        _ = try paired.converse { _, frame in
            old.append(frame)
            return frame
        }
        let others = try Paired()
        var (tried, successes) = (0, 0)
        for machines in [paired, others] {
            for number in 1..<4 {
                let verdict = try? machines.converse { at, frame in
                    guard at == number else { return frame }
                    // Under the new conversation's number, so that nothing but the keys tells them apart.
                    tried += 1
                    return [old[at][0]] + frame[1..<9] + old[at].dropFirst(9)
                }
                if verdict == .yes { successes += 1 }
            }
        }
        #expect(tried == 6 && successes == 0)
        Tally.check("a yes to an earlier question is replayed to a paired machine", succeeded: successes > 0)
    }

    @Test("only the yes key's signature over this very question is a yes")
    func signatures() throws {
        let stranger = try Machine()
        let calling = try paired.call()
        let listening = try paired.answer(calling.frame)
        let asked = try paired.join(calling, listening.frame).asked(.sample)
        let answering = try listening.asked(asked.frame)
        let digest = answering.digest
        var other = digest
        other[0] ^= 1
        let right = try paired.laptop.signature(digest)
        // A carrier that had got the conversation's keys still has no yes key; the link key's is none, nor a stranger's.
        let wrong = [
            [], [0], try stranger.signature(digest), try paired.laptop.link.signature(digest: digest, .ecdsa),
            try paired.desk.signature(digest), try paired.laptop.signature(other), Array(right.dropLast()), right + [0],
        ]
        for signature in wrong {
            #expect(refusal { _ = try asked.verdict(answering.yes(signature)) } != nil)
        }
        #expect(try asked.verdict(answering.yes(right)) == .yes)
    }

    @Test("the yes to one program, text or policy is none to another", arguments: 0..<5)
    func bound(_ way: Int) throws {
        var other = CompanionQuestion.sample
        switch way {
        case 0: other.program.path = "/usr/bin/other"
        case 1: other.reason = "unlock something else"
        case 2: other.subject = .policy(.companion)
        case 3: other.program.claim = nil
        default: other.program.process = 78
        }
        // The same conversation asks one thing, and the companion's owner says yes to the other.
        let calling = try paired.call()
        let listening = try paired.answer(calling.frame)
        let joined = try paired.join(calling, listening.frame)
        let (mine, others) = (try joined.asked(.sample), try joined.asked(other))
        let answering = try listening.asked(others.frame)
        let yes = try answering.yes(paired.laptop.signature(answering.digest))
        #expect(try others.verdict(yes) == .yes)
        #expect(refusal { _ = try mine.verdict(yes) } == .notGenuine)
        // Nor to the same question, asked again: the challenge is another.
        #expect(refusal { _ = try joined.asked(other).verdict(yes) } == .notGenuine)
    }

    @Test("the yes to the same question in another conversation is another, even if the challenge were the same")
    func conversations() throws {
        // The same dice: number and challenge are the same each time. The fresh keys aren't diced.
        let answering = try (0..<2).map { _ in
            let calling = try Calling(DicedCrypto(23), paired.forDesk)
            let listening = try paired.answer(calling.frame)
            return try listening.asked(paired.join(calling, listening.frame).asked(.sample).frame)
        }
        #expect(answering[0].conversation == answering[1].conversation)
        #expect(answering[0].digest != answering[1].digest)
    }

    @Test("who doesn't have a side's link key can't take that side, nor carry one pairing's frames over another")
    func strangers() throws {
        let stranger = try Machine()
        // In the laptop's place.
        let calling = try paired.call()
        let called = try Called(calling.frame)
        let posing = try called.joined(
            Paired.crypto, paired.forLaptop, shared: stranger.agree(with: called.asking), canAsk: true)
        var said = [refusal { _ = try paired.join(calling, posing.frame) }]
        // In the desk's place: it can call, as anybody can, and can't ask.
        let theirs = try Calling(Paired.crypto, paired.forDesk)
        let listening = try paired.answer(theirs.frame)
        let heard = try theirs.heard(listening.frame)
        said.append(refusal { _ = try heard.joined(stranger.agree(with: heard.companion)) })
        // Of another pairing of the same machines, with the same keys.
        let same = CompanionKeys(pairing: Array(1...16), link: paired.laptop.linkPoint, yes: paired.laptop.yesPoint)
        let other = try Calling(Paired.crypto, same)
        let answer = try paired.answer(other.frame)
        let found = try other.heard(answer.frame)
        said.append(refusal { _ = try found.joined(paired.desk.agree(with: found.companion)) })
        #expect(said == [.notGenuine, .notGenuine, .notGenuine])
        Tally.check("a program that carries takes the place of a paired machine", succeeded: said.contains(nil))
    }

    @Test("who gets both link keys later opens nothing of what crossed: that takes the fresh keys, too")
    func later() throws {
        let (crypto, house) = (DicedCrypto(17), Paired.crypto)
        let calling = try Calling(crypto, paired.forDesk)
        let called = try Called(calling.frame)
        let listening = try called.joined(
            crypto, paired.forLaptop, shared: paired.laptop.agree(with: called.asking), canAsk: true)
        // As docs/contributors/companion.md has it: the kind, the conversation, a fresh key and the box.
        let companion = Array(listening.frame[9..<74])
        let salt = try house.hash(
            Array("thumbturn companion conversation 1".utf8) + paired.pairing + calling.frame + companion)
        let data = Array("thumbturn companion frame 1".utf8) + paired.pairing + [17] + calling.conversation
        func opened(_ agreed: [SecretBytes]) throws -> [UInt8] {
            let keys = try house.derive(agreed, salt: salt, info: "thumbturn companion keys 1")
            return try house.open(Array(listening.frame.dropFirst(74)), keys.companion, data)
        }
        let links = [try paired.laptop.agree(with: called.asking), try paired.desk.agree(with: companion)]
        #expect(refusal { _ = try opened(links) } == .notGenuine)
        let fresh = try #require(crypto.freshKeys.withLock { $0.first })
        #expect(try opened(links + [fresh.agree(with: companion)]) == [1])
    }

    @Test("a frame that isn't a state's is malformed, and so is a point that is none")
    func malformed() throws {
        let calling = try paired.call()
        let listening = try paired.answer(calling.frame)
        let asked = try paired.join(calling, listening.frame).asked(.sample)
        let answering = try listening.asked(asked.frame)
        let verdict = try answering.no(.refused)
        for frame in [[], [16], calling.frame, asked.frame, verdict] {
            #expect(refusal { _ = try calling.heard(frame) } == .malformed)
        }
        for frame in [[], [18], calling.frame, listening.frame, verdict] {
            #expect(refusal { _ = try listening.asked(frame) } == .malformed)
            #expect(refusal { try answering.withdrawn(frame) } == .malformed)
        }
        for frame in [[], [19], calling.frame, listening.frame, asked.frame] {
            #expect(refusal { _ = try asked.verdict(frame) } == .malformed)
        }
        for frame in [[], listening.frame, calling.frame + [0], Array(calling.frame.dropLast())] {
            #expect(refusal { _ = try Called(frame) } == .malformed)
        }
        // Another version of the protocol: its number stands behind the kind and the conversation.
        var newer = calling.frame
        newer[9] = 2
        #expect(refusal { _ = try Called(newer) } == .malformed)
        var nowhere = calling.frame
        nowhere.replaceSubrange(10..., with: [UInt8](repeating: 4, count: 65))
        #expect(throws: (any Error).self) { try paired.answer(nowhere) }
    }

    @Test("a question is as long as a frame may be, and no longer")
    func longest() throws {
        var question = CompanionQuestion.sample
        question.program.path = ExactName("/" + String(repeating: "x", count: 4095))
        question.reason = String(repeating: "y", count: 4096)
        let joined = try joined()
        #expect(try joined.asked(question).frame.count < CompanionLimit.frameBytes)
        question.reason = String(repeating: "y", count: CompanionLimit.frameBytes)
        #expect(refusal { _ = try joined.asked(question) } == .malformed)
    }

    private func joined() throws -> CompanionJoined {
        let calling = try paired.call()
        return try paired.join(calling, paired.answer(calling.frame).frame)
    }

    @Test("any bytes at all are taken or refused, and never trap")
    func anything() throws {
        var dice = Dice(for: "companion frames", usually: 0)
        let calling = try paired.call()
        let listening = try paired.answer(calling.frame)
        let asked = try paired.join(calling, listening.frame).asked(.sample)
        var refused = 0
        for _ in 0..<2_000 {
            var bytes = (0..<dice.roll(120)).map { _ in UInt8(dice.roll(256)) }
            if dice.roll(2) == 0, bytes.count > 9 {
                bytes.replaceSubrange(0..<9, with: [UInt8(16 + dice.roll(5))] + calling.conversation)
            }
            let reasons = [
                refusal { _ = try Called(bytes) }, refusal { _ = try listening.asked(bytes) },
                refusal { _ = try asked.verdict(bytes) }, refusal { _ = try calling.heard(bytes) },
            ]
            if reasons.contains(where: { $0 != nil }) { refused += 1 }
        }
        #expect(refused == 2_000)
    }
}
