import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbMetering
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

@Suite("Guesses at passcodes through the TPM's keeper", .timeLimit(.minutes(10)))
struct KeeperGuessTests {
    /// A user with a guarded secret.
    private struct User {
        let device: RemoteTPM
        let secret: SecretBytes
        let right: SecretBytes
        let seal: [UInt8]

        init(_ stand: KeeperStand, _ uid: UInt32) throws {
            device = stand.device(of: uid)
            secret = try SecretBytes.random(count: 32)
            right = try SecretBytes.random(count: 32)
            seal = try device.seal(secret, under: right, guardedBy: .guesses)
        }

        func opens() throws -> Bool { try device.unseal(seal, under: right, guardedBy: .guesses) == secret }

        /// How many wrong guesses are taken before it hears that none are.
        func guesses() throws -> Int {
            for count in 0..<100 {
                do throws(KeychainFailure) {
                    let wrong = try? SecretBytes.random(count: 32)
                    #expect(try device.unseal(seal, under: wrong ?? right, guardedBy: .guesses) == nil)
                } catch {
                    #expect(error == .custodianLocked)
                    return count
                }
            }
            return 100
        }
    }

    @Test(
        "One user's guesses are refused before the TPM locks itself, and another's right passcode opens, also after a restart",
        arguments: [3, 12, 32] as [UInt32])
    func shares(most: UInt32) throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(most) }
        let (eve, ada) = (try User(stand, 1001), try User(stand, 1000))
        let share = GuessLimit.share(of: Int(most))
        #expect(try eve.guesses() == share)
        #expect(try ada.opens())
        // A right one of Eve's has to wait too, as at a chip.
        #expect(throws: KeychainFailure.custodianLocked) { try eve.opens() }
        try stand.restart()
        #expect(try eve.guesses() == 0)
        #expect(try ada.opens())
        // Her other connections and other secrets have no guesses of their own.
        #expect(try User(stand, 1001).guesses() == 0)
        #expect(try ada.opens())
        // A secret that isn't guarded is no guess.
        let open = try eve.device.seal(eve.secret, under: eve.right, guardedBy: .file)
        #expect(try eve.device.unseal(open, under: eve.right, guardedBy: .file) == eve.secret)
        #expect(try eve.device.unseal(open, under: ada.right, guardedBy: .file) == nil)
    }

    @Test("However many users guess, the TPM doesn't lock itself before a user's first try")
    func many() throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(12) }
        let ada = try User(stand, 1000)
        let counts = try (1001...1004).map { try User(stand, $0).guesses() }
        #expect(counts == [3, 3, 3, 2])
        #expect(try ada.opens())
    }

    @Test("A user recovers as the TPM does: when it forgets guesses, the oldest are forgotten")
    func recovers() throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(12) }
        let eve = try User(stand, 1001)
        #expect(try eve.guesses() == 3)
        try stand.atTPM { try $0.forgetGuesses() }
        #expect(try eve.opens())
        #expect(try eve.guesses() == 3)
        #expect(try stand.ledger().guesses.guesses == [1001, 1001, 1001])
    }

    @Test("A guess is on the disk before the TPM hears of it, and a right one is taken back")
    func ledger() throws {
        let tpm = try SoftwareTPM()
        let place = Locked<String?>(nil)
        let standing = Locked<[String]>([])
        let stand = try KeeperStand(tpm) { () throws(TPMError) in
            guard let way = try? RecordingTCTI(socket: tpm.socket) else { throw TPMError(.absent, "reaching the test's TPM") }
            way.atCommand = { number in
                let unseal: UInt32 = 0x15E
                guard number == unseal, let path = place.withLock({ $0 }) else { return }
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                standing.withLock { $0.append(text) }
            }
            return TCTI(context: way.context, isDirect: true) { way.close() }
        }
        place.withLock { [path = stand.folder.path] in $0 = path + "/ledger" }
        let ada = try User(stand, 1000)
        #expect(try ada.opens())
        // A TPM that has to note something first is asked the same once more.
        #expect(Set(standing.withLock { $0 }) == ["thumbturn-tpm 1\nguess 1000\nend\n"])
        #expect(try stand.ledger() == KeeperLedger())
    }

    @Test("What has the form of another thing isn't tried: no guess is counted by way of a key or a counter")
    func otherForms() throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(12) }
        let eve = try User(stand, 1001)
        let seal = try TPMSeal(eve.seal)
        let posing = seal.material(under: try SecretBytes.random(count: 32))
        let digest = [UInt8](repeating: 1, count: 32)
        let peer: [UInt8] = try {
            try TPMTemplate.point(of: eve.device.makeKey().area)
        }()
        // Somebody's index of another form, protected against guessing, where a counter of that name would be.
        let name: [UInt8] = [0, 0, 0x14, 0] + [UInt8](repeating: 0, count: 12)
        try stand.atTPM { try $0.define(TPMLink.index(name), attributes: 0x0004_0004, authorization: [1, 2, 3, 4]) }
        for _ in 0..<5 {
            #expect((#expect(throws: TPMError.self) { try eve.device.sign(digest, with: posing) })?.code == .damaged)
            #expect((#expect(throws: TPMError.self) { try eve.device.agree(with: peer, posing) })?.code == .damaged)
            #expect(throws: KeychainFailure.damaged) { try eve.device.count(name, under: eve.right) }
            #expect(throws: KeychainFailure.damaged) { try eve.device.countUp(name, under: eve.right) }
        }
        // All of Eve's guesses are still there.
        #expect(try eve.guesses() == 3)
    }

    @Test("What is loaded already isn't reached under another form: a guarded secret is guessed at as a guarded one only")
    func loadedForms() throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(12) }
        let (eve, ada) = (try User(stand, 1001), try User(stand, 1000))
        let guarded = try TPMSeal(eve.seal)
        let open = try TPMSeal(eve.device.seal(eve.secret, under: eve.right, guardedBy: .file))
        let key = try eve.device.makeKey()
        let wrong = try SecretBytes.random(count: 32)
        let forged = TPMSeal(TPMKeyMaterial(parent: open.parent, authorization: wrong, area: open.area, wrapped: guarded.wrapped))
        let posing = TPMKeyMaterial(parent: key.parent, authorization: wrong, area: key.area, wrapped: guarded.wrapped)
        for _ in 0..<12 {
            // Opened rightly, it stays loaded, and no guess is counted.
            #expect(try eve.opens())
            #expect(throws: KeychainFailure.self) { try eve.device.unseal(forged.bytes, under: wrong, guardedBy: .file) }
            #expect(try eve.opens())
            #expect(throws: (any Error).self) { try eve.device.sign([UInt8](repeating: 1, count: 32), with: posing) }
        }
        #expect(try ada.opens())
        #expect(try eve.guesses() == 3)
    }

    @Test(
        "A guarded secret isn't opened as one that isn't, nor as one of the machine's start: no guess goes uncounted",
        arguments: [SealGuard.file, .start])
    func otherGuards(guarding: SealGuard) throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(12) }
        let (eve, ada) = (try User(stand, 1001), try User(stand, 1000))
        let wrong = try SecretBytes.random(count: 32)
        for typed in Array(repeating: wrong, count: 12) + [eve.right] {
            #expect(throws: KeychainFailure.damaged) { try eve.device.unseal(eve.seal, under: typed, guardedBy: guarding) }
        }
        // The TPM has heard of none of them.
        #expect(try ada.opens())
        #expect(try eve.guesses() == 3)
    }
}

@Suite("Counters through the TPM's keeper", .timeLimit(.minutes(10)))
struct KeeperCounterTests {
    private func name(_ number: UInt8) -> [UInt8] { [number, 0, 0, 0] + [UInt8](repeating: number, count: 12) }

    @Test("A counter from before there was a keeper counts on, and is its user's; another authorization is refused")
    func existing() throws {
        let tpm = try SoftwareTPM()
        let own = try SecretBytes.random(count: 32)
        let before = TPMChip(.swtpm(path: tpm.socket))
        let first = try before.countUp(name(1), under: own)
        _ = try before.countUp(name(41), under: own)
        before.close()
        let stand = try KeeperStand(tpm)
        let (ada, eve) = (stand.device(of: 1000), stand.device(of: 1001))
        let wrong = try SecretBytes.random(count: 32)
        #expect(throws: KeychainFailure.damaged) { try eve.count(name(1), under: wrong) }
        #expect(throws: KeychainFailure.damaged) { try eve.countUp(name(1), under: wrong) }
        #expect(try ada.count(name(1), under: own) == first)
        #expect(try stand.ledger().counters == [TPMLink.index(name(1)): 1000])
        #expect(try ada.countUp(name(1), under: own) == first + 1)
        // One that doesn't exist is nobody's, however many are asked for.
        #expect(try ada.count(name(2), under: own) == nil)
        for number in UInt8(3)...40 { #expect(try eve.count(name(number), under: own) == nil) }
        #expect(try stand.ledger().counters == [TPMLink.index(name(1)): 1000])
        // One that counts on before anybody read it is its user's too.
        _ = try ada.countUp(name(41), under: own)
        #expect(try stand.ledger().counters == [TPMLink.index(name(1)): 1000, TPMLink.index(name(41)): 1000])
        try stand.restart()
        #expect(try ada.countUp(name(1), under: own) == first + 2)
    }

    @Test("Wrong authorizations for a counter are no guesses: nobody locks the TPM for others by way of one")
    func noGuesses() throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(12) }
        let (ada, eve) = (stand.device(of: 1000), stand.device(of: 1001))
        let own = try SecretBytes.random(count: 32)
        let first = try ada.countUp(name(1), under: own)
        // More of them than the TPM would forgive.
        for _ in 0..<7 {
            let wrong = try SecretBytes.random(count: 32)
            #expect(throws: KeychainFailure.damaged) { try eve.count(name(1), under: wrong) }
            #expect(throws: KeychainFailure.damaged) { try eve.countUp(name(1), under: wrong) }
        }
        #expect(try ada.count(name(1), under: own) == first)
        stand.end()
        let chip = TPMChip(.swtpm(path: stand.tpm.socket))
        defer { chip.close() }
        #expect(try chip.guesses().counted == 0)
    }

    @Test("A user has as many counters made as the limit, one more is refused, and others still have theirs made")
    func limit() throws {
        let stand = try KeeperStand()
        let own = try SecretBytes.random(count: 32)
        let eve = stand.device(of: 1001)
        for number in 1...UInt8(KeeperLedger.countersPerUser) { _ = try eve.countUp(name(number), under: own) }
        #expect(throws: KeychainFailure.internalFailure) { try eve.countUp(name(100), under: own) }
        try stand.restart()
        #expect(throws: KeychainFailure.internalFailure) { try eve.countUp(name(100), under: own) }
        // Those that are there count on.
        _ = try eve.countUp(name(3), under: own)
        _ = try stand.device(of: 1000).countUp(name(200), under: own)
        #expect(try stand.atTPM { try $0.indexes() }.count == KeeperLedger.countersPerUser + 1)
        // One that is gone makes room.
        try stand.atTPM { try $0.undefine(TPMLink.index(name(3))) }
        _ = try eve.countUp(name(100), under: own)
        #expect(throws: KeychainFailure.internalFailure) { try eve.countUp(name(101), under: own) }
    }

    @Test("A ledger that is too long to be read again isn't written: no counter is made then, and no guess")
    func longest() throws {
        let stand = try KeeperStand()
        stand.end()
        var full = KeeperLedger()
        // A counter's line has 27 bytes, or 28 with a longer number, so that there is no room for one byte more.
        let room = UInt32(KeeperLedger.mostBytes - full.text.utf8.count)
        for number in 0..<room / 27 {
            let first: UInt32 = number < room % 27 ? 0x1000_0000 : 0x180_0000
            full.counters[first + number] = UInt32.max
        }
        let bytes = Array(full.text.utf8)
        #expect(bytes.count == KeeperLedger.mostBytes)
        _ = try stand.folder.write("ledger", bytes)
        try stand.start()
        let (eve, own) = (stand.device(of: 1001), try SecretBytes.random(count: 32))
        #expect(throws: KeychainFailure.internalFailure) { try eve.countUp(name(200), under: own) }
        let seal = try eve.seal(own, under: own, guardedBy: .guesses)
        #expect(throws: KeychainFailure.internalFailure) { try eve.unseal(seal, under: own, guardedBy: .guesses) }
        #expect(try stand.folder.read("ledger") == bytes)
        try stand.restart()
        #expect(try stand.ledger() == full)
    }

    @Test("A ledger is read in exactly its form; one that isn't is kept aside, and another begun")
    func ledger() throws {
        var ledger = KeeperLedger()
        ledger.counters = [0x1A2_B3C4: 1000, 0x180_0000: .max]
        ledger.guesses = GuessShares([1001, 0, 1001])
        #expect(
            ledger.text
                == "thumbturn-tpm 1\ncounter 4294967295 1800000\ncounter 1000 1a2b3c4\nguess 1001\nguess 0\nguess 1001\nend\n")
        let bytes = Array(ledger.text.utf8)
        #expect(KeeperLedger(bytes) == ledger)
        for end in bytes.indices { #expect(KeeperLedger(Array(bytes[..<end])) == nil) }
        for text in [
            "thumbturn-tpm 2\nend\n", "thumbturn-tpm 1\nend\n\n", "thumbturn-tpm 1\nguess 01\nend\n",
            "thumbturn-tpm 1\nguess 1\ncounter 1 1800000\nend\n", "thumbturn-tpm 1\ncounter 1 1800000\ncounter 2 1800000\nend\n",
            "thumbturn-tpm 1\ncounter 1 01800000\nend\n", "thumbturn-tpm 1\nguess 4294967296\nend\n", "thumbturn-tpm 1\n\nend\n",
            "thumbturn-tpm 1\nguess -1\nend\n", "thumbturn-tpm 1\nother 1\nend\n",
        ] {
            #expect(KeeperLedger(Array(text.utf8)) == nil, "\(text)")
        }
        let stand = try KeeperStand()
        stand.end()
        _ = try stand.folder.write("ledger", Array("thumbturn-tpm 2\nend\n".utf8))
        try stand.start()
        #expect(try stand.folder.read("ledger.damaged") == Array("thumbturn-tpm 2\nend\n".utf8))
        _ = try stand.device(of: 7).countUp(name(1), under: SecretBytes.random(count: 32))
        #expect(try stand.ledger().counters.count == 1)
    }
}
