import Testing
import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

/// TPM2_Sign, and TPM2_ECDH_ZGen, as they stand in a command's header.
private let signCommand: UInt32 = 0x15D
private let agreeCommand: UInt32 = 0x154

@Suite("A TPM that goes away")
struct TPMLossTests {
    private let digest = [UInt8](repeating: 0x5A, count: 32)

    @Test("Where there is none, each call says so")
    func absent() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        await chip.close()
        chip.tpm.end()
        await chip.startAnew()
        await #expect(throws: KeychainFailure.custodianAbsent) { try await chip.make() }
        await #expect(throws: KeychainFailure.custodianAbsent) { try await chip.sign(digest, with: key) }
        try chip.tpm.start()
        _ = try await chip.sign(digest, with: key)
    }

    @Test("Killed while idle and started again, it is found again by the next call")
    func restartedWhileIdle() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        for _ in 0..<3 {
            chip.tpm.end()
            try chip.tpm.start()
            _ = try await chip.sign(digest, with: key)
        }
        #expect(try await chip.leftBehind() == [])
    }

    @Test("Killed in the middle of a signature, that one is lost, the next finds none, and the key is still what it was")
    func killedInTheMiddle() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        await chip.close()
        let tpm = chip.tpm
        let way = try RecordingTCTI(socket: tpm.socket)
        way.atCommand = { if $0 == signCommand { tpm.end() } }
        await chip.record(way)
        await #expect(throws: KeychainFailure.custodianLost) { try await chip.sign(digest, with: key) }
        await chip.startAnew()
        await #expect(throws: KeychainFailure.custodianAbsent) { try await chip.sign(digest, with: key) }
        try tpm.start()
        _ = try await chip.sign(digest, with: key)
        #expect(try await chip.leftBehind() == [])
    }

    @Test("Killed in the middle and back at once, the call succeeds", arguments: [signCommand, agreeCommand])
    func backAtOnce(_ command: UInt32) async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        await chip.close()
        let tpm = chip.tpm
        let kills = Once()
        await chip.reach { () throws(TPMError) in
            guard let way = try? RecordingTCTI(socket: tpm.socket) else { throw TPMError(.absent, "reaching the test's TPM") }
            way.atCommand = { number in
                guard number == command, kills.isFirst() else { return }
                tpm.end()
                try? tpm.start()
            }
            return TCTI(context: way.context, isDirect: true) { way.close() }
        }
        let own = try PrivateKey.generate(.elliptic(.p256))
        // An open link that breaks; the first call opens it.
        _ = try await chip.make()
        let operation: KeyOperation =
            command == signCommand ? .sign(digest: digest, .ecdsa) : .agree(peer: own.publicKey.external, .raw)
        _ = try await chip.use(key, operation).get()
        #expect(kills.count == 1)
        #expect(try await chip.leftBehind() == [])
    }

    @Test("The TPM resets under an open link: what it held is made anew")
    func reset() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        _ = try await chip.sign(digest, with: key)
        // Somebody else cleared everything away; handles and the session mean nothing any more.
        await chip.close()
        let tpm = chip.tpm
        let first = Once()
        await chip.reach { () throws(TPMError) in
            guard let way = try? RecordingTCTI(socket: tpm.socket) else { throw TPMError(.absent, "reaching the test's TPM") }
            way.atCommand = { number in
                if number == signCommand, first.isFirst() { way.flushAll() }
            }
            return TCTI(context: way.context, isDirect: true) { way.close() }
        }
        _ = try await chip.make()
        _ = try await chip.sign(digest, with: key)
        #expect(first.count == 1)
        #expect(try await chip.leftBehind() == [])
    }

    @Test("Another TPM in its place is told from the one that made the key")
    func foreign() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        await chip.close()
        try chip.tpm.replace()
        let answer = await chip.use(key, .sign(digest: digest, .ecdsa))
        #expect(throws: KeychainFailure.custodianForeign) { try answer.get() }
        // It makes keys of its own.
        _ = try await chip.sign(digest, with: chip.make())
        #expect(try await chip.leftBehind() == [])
    }

    @Test("A TPM that locked itself after wrong guesses at somebody's key still uses ours")
    func dictionaryAttack() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        await chip.close()
        let guesser = try CarelessClient(RecordingTCTI(socket: chip.tpm.socket))
        try guesser.lockAfter(2)
        // Our own template but for one bit: under the protection against guessing.
        var template = TPMTemplate.key
        template[6] &= ~0x04
        let guarded = try guesser.makePrimary(template + TPMTemplate.empty, authorization: [1, 2, 3, 4])
        let peer = try PrivateKey.generate(.elliptic(.p256)).publicKey.external
        try guesser.setAuthorization(guarded, [9, 9, 9, 9])
        var last: UInt32 = 0
        for _ in 0..<4 {
            let refused = #expect(throws: CarelessClient.Refused.self) {
                try guesser.agree(guarded, x: Array(peer[1...32]), y: Array(peer[33...]))
            }
            last = refused?.number ?? 0
        }
        #expect(last == 0x921)
        #expect(TPMError(number: last, "guessing").failure == .custodianLocked)
        guesser.leave()
        _ = try await chip.sign(digest, with: key)
        _ = try await chip.sign(digest, with: chip.make())
        #expect(try await chip.leftBehind() == [])
    }
}
