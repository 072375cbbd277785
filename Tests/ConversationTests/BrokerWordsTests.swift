import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbConversation

extension Kinds {
    static let toReader: Set<UInt8> = [220, 221, 222, 223, 224, 226]
    static let fromReader: Set<UInt8> = [228, 229, 231]
    static let toTPMKeeper = Set<UInt8>(235...241)
    static let fromTPMKeeper = Set<UInt8>(245...251)
    static let ofBrokers = [toReader, fromReader, toTPMKeeper, fromTPMKeeper]
    /// What an app says about fingers too, and how it is answered.
    static let fingerRequests: Set<UInt8> = [56, 57, 58]
    static let fingerAnswers: Set<UInt8> = [156, 157, 158]
}

extension Role {
    static let toReader = Role("a device to the reader", Kinds.toReader.union(Kinds.fingerRequests), ToReader.init)
    static let fromReader = Role("the reader", Kinds.fromReader.union(Kinds.fingerAnswers), FromReader.init)
    static let toTPMKeeper = Role("a device to the TPM's keeper", Kinds.toTPMKeeper, ToTPMKeeper.init)
    static let fromTPMKeeper = Role("the TPM's keeper", Kinds.fromTPMKeeper, FromTPMKeeper.init)
    static let ofBrokers = [toReader, fromReader, toTPMKeeper, fromTPMKeeper]
}

@Suite("What a device and a broker say to each other")
struct BrokerWordsTests {
    static let facts = SensorFacts(name: "A reader", hindrance: .notPermitted, tellsEnrolments: true, tellsFingers: false)
    static let enrolments: [ReaderEnrolment] = [.known(Array(0..<32)), .known([]), .empty, .unknown]

    static let toReader: [any Word] = [
        PrepareReader(isCasual: true, allowsWeakEnrolment: false), PrepareReader(isCasual: false, allowsWeakEnrolment: true),
        WatchFinger(allowsWeakEnrolment: true), WatchFinger(allowsWeakEnrolment: false), StopWatching(), StopEnrolling(),
        ReaderAway(isAsleep: true, isLidClosed: false), ReaderAway(isAsleep: false, isLidClosed: true), ReadFaceModels(),
    ]
    static let fromReader: [any Word] =
        enrolments.map { ReaderSnapshot(isThere: true, isEnrolled: false, enrolment: $0, facts: facts) } + [
            ReaderSnapshot(isThere: false, isEnrolled: true, enrolment: .unknown, facts: SensorFacts())
        ] + enrolments.map { FingerReport.match($0) } + RetryHint.allCases.map { FingerReport.retry($0) } + [
            FingerReport.miss, FingerReport.failed, FingerReport.disconnected,
        ] + enrolments.map { FaceModelsRead(enrolment: $0, stamp: [1, 2, 3], problem: nil) }
        + SensorHindrance.allCases.filter(\.isAboutModels).map {
            FaceModelsRead(enrolment: .unknown, stamp: [], problem: $0)
        }
    static let toTPMKeeper: [any Word] = [
        MakeTPMKey(), SignWithTPM(Array(0..<32), secret("key")), SignWithTPM([], secret("")),
        AgreeWithTPM([4, 1], secret("key")), SealInTPM(secret("kept"), under: secret("by"), guardedBy: .guesses),
        SealInTPM(secret(""), under: secret(""), guardedBy: .file), UnsealInTPM([9], under: secret("by"), guardedBy: .guesses),
        UnsealInTPM([], under: secret(""), guardedBy: .file), ReadTPMCounter([1, 2], under: secret("by")),
        RaiseTPMCounter([], under: secret("")),
    ]
    static let fromTPMKeeper: [any Word] =
        [
            TPMKeyMade(secret("key")), TPMSignature([0x30]), TPMAgreement(secret("x")), TPMSealed([1]), TPMUnsealed(nil),
            TPMUnsealed(secret("")), TPMUnsealed(secret("kept")), TPMCount(nil), TPMCount(.max),
        ] + KeychainFailure.allCases.map { TPMFailed($0, number: .max) }

    static let all = toReader + fromReader + toTPMKeeper + fromTPMKeeper

    @Test("every word is read as it was said, and its number is the page's")
    func roundTrip() throws {
        for (words, role, numbers) in [
            (Self.toReader, Role.toReader, Kinds.toReader), (Self.fromReader, Role.fromReader, Kinds.fromReader),
            (Self.toTPMKeeper, Role.toTPMKeeper, Kinds.toTPMKeeper),
            (Self.fromTPMKeeper, Role.fromTPMKeeper, Kinds.fromTPMKeeper),
        ] {
            for word in words { #expect(same(try role.read(Frame(word.body)), word)) }
            #expect(Set(words.map { $0.body[0] }) == numbers)
        }
    }

    @Test("no peer of the daemon's may say any of it, in any role, nor does the daemon say it to one")
    func peers() throws {
        for word in Self.all {
            #expect(throws: Refusal.unknownKind) { try Role.app.read(Frame(word.body)) }
            for role in Role.peers + [Role.toPrompt] + Role.ofHelpers {
                #expect(throws: Refusal.unknownKind) { try role.read(Frame(word.body)) }
            }
        }
    }

    @Test("a word that ends early, goes on too long or holds what can't be is malformed")
    func malformed() {
        for word in Self.all {
            let body = word.body
            for end in 5..<body.count {
                #expect(throws: Refusal.malformed) { try Frame(Array(body[..<end])).anyWord() }
            }
            #expect(throws: Refusal.malformed) { try Frame(body + [0]).anyWord() }
        }
        for (kind, number) in [(UInt8(229), UInt8(6)), (229, 0), (251, 0), (220, 2)] {
            #expect(throws: Refusal.malformed) { try Frame([kind, 0, 0, 0, 1, number, 0, 0, 0, 0, 0]).anyWord() }
        }
        for number in [UInt8(0), 4] {
            #expect(throws: Refusal.malformed) { try FromReader(Frame([229, 0, 0, 0, 1, 1, number])) }
        }
    }

    @Test("models that were refused tell no enrolment, and are refused for a reason about models")
    func refusedModels() {
        for (enrolment, problem) in [
            (ReaderEnrolment.known([7]), SensorHindrance.modelsLink), (.empty, .modelsMissing), (.unknown, .asleep),
            (.unknown, .unplugged),
        ] {
            let body = FaceModelsRead(enrolment: enrolment, stamp: [], problem: problem).body
            #expect(throws: Refusal.malformed) { try FromReader(Frame(body)) }
        }
    }

    @Test("nothing more is said to a call after an answer, but for a watch's reports")
    func last() {
        for word in Self.all { #expect(word.isLast == !(word is FingerReport)) }
    }
}
