import ThumbAccess
import ThumbCompanion
import ThumbCompanions
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_programs

/// One machine's keys for a pairing, held by the test.
struct Machine {
    let link: PrivateKey
    let yes: PrivateKey

    init() throws {
        link = try PrivateKey.generate(.elliptic(.p256))
        yes = try PrivateKey.generate(.elliptic(.p256))
    }

    var linkPoint: [UInt8] { link.publicKey.external }
    var yesPoint: [UInt8] { yes.publicKey.external }

    func agree(with peer: [UInt8]) throws -> SecretBytes { try link.agree(with: PublicKey(external: peer, .elliptic), .raw) }
    func signature(_ digest: [UInt8]) throws -> [UInt8] { try yes.signature(digest: digest, .ecdsa) }
}

/// Two machines that are paired.
struct Paired {
    static let crypto = HouseCrypto()
    let desk: Machine
    let laptop: Machine
    let pairing: [UInt8]

    init(pairing: [UInt8] = Array(0..<16)) throws {
        (desk, laptop, self.pairing) = (try Machine(), try Machine(), pairing)
    }

    /// The laptop's keys as the desk keeps them, and the other way round.
    var forDesk: CompanionKeys { CompanionKeys(pairing: pairing, link: laptop.linkPoint, yes: laptop.yesPoint) }
    var forLaptop: CompanionKeys { CompanionKeys(pairing: pairing, link: desk.linkPoint, yes: []) }

    func call() throws -> Calling { try Calling(Self.crypto, forDesk) }

    func answer(_ call: [UInt8], canAsk: Bool = true) throws -> Listening {
        let called = try Called(call)
        return try called.joined(Self.crypto, forLaptop, shared: laptop.agree(with: called.asking), canAsk: canAsk)
    }

    func join(_ calling: Calling, _ here: [UInt8]) throws -> CompanionJoined {
        let heard = try calling.heard(here)
        return try heard.joined(desk.agree(with: heard.companion))
    }

    /// A whole conversation up to the yes, each frame through `relay`, which gets its number from 0 on.
    func converse(
        _ question: CompanionQuestion = .sample, _ relay: (Int, [UInt8]) throws -> [UInt8] = { $1 }
    ) throws -> CompanionVerdict {
        let calling = try call()
        let listening = try answer(relay(0, calling.frame))
        let asked = try join(calling, relay(1, listening.frame)).asked(question)
        let answering = try listening.asked(relay(2, asked.frame))
        return try asked.verdict(relay(3, answering.yes(laptop.signature(answering.digest))))
    }
}

extension CompanionQuestion {
    static let sample = CompanionQuestion(
        program: ProgramWords(
            kind: .consented, name: nil, path: "/usr/bin/vault", place: .system, claim: "org.example.vault", process: 77),
        reason: "unlock the “vault”\n", subject: .policy(.biometricsOrCompanion))
}

/// The house's cryptography with dice in place of the kernel's randomness, so that a test's codes are the same each time. It keeps the keys
/// that are to be forgotten with their conversations.
struct DicedCrypto: CompanionCrypto {
    private let house = HouseCrypto()
    private let dice: Locked<Dice>
    let freshKeys = Locked<[any FreshKey]>([])

    init(_ seed: UInt64) { dice = Locked(Dice(seed)) }

    func random(_ count: Int) -> [UInt8] { dice.withLock { dice in (0..<count).map { _ in UInt8(dice.roll(256)) } } }
    func hash(_ bytes: [UInt8]) throws(CompanionRefusal) -> [UInt8] { try house.hash(bytes) }
    func makeFreshKey() throws(CompanionRefusal) -> any FreshKey {
        let key = try house.makeFreshKey()
        freshKeys.withLock { $0.append(key) }
        return key
    }
    func derive(
        _ secrets: [SecretBytes], salt: [UInt8], info: String
    ) throws(CompanionRefusal) -> (asking: SecretBytes, companion: SecretBytes) {
        try house.derive(secrets, salt: salt, info: info)
    }
    func seal(_ bytes: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        try house.seal(bytes, key, data)
    }
    func open(_ box: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        try house.open(box, key, data)
    }
    func isSignature(_ signature: [UInt8], of digest: [UInt8], by key: [UInt8]) throws(CompanionRefusal) -> Bool {
        try house.isSignature(signature, of: digest, by: key)
    }
}

/// Why something is refused; nil if it isn't.
func refusal(_ body: () throws -> Void) -> CompanionRefusal? {
    do {
        try body()
        return nil
    } catch {
        return error as? CompanionRefusal
    }
}
