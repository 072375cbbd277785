import Testing
import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets
import thumbturn_test_programs
import thumbturn_test_tpm

@testable import ThumbCustody

@Suite("Many keys in a small TPM")
struct TPMLoadTests {
    @Test("A thousand keys are made and used in a TPM that holds three objects")
    func thousandKeys() async throws {
        let chip = try await Chip()
        var keys: [MadeKey] = []
        for _ in 0..<1000 { keys.append(try await chip.make()) }
        #expect(Set(keys.map(\.publicKey)).count == 1000)
        var dice = Dice(for: "keys in a small TPM")
        for (number, key) in keys.shuffled(using: &dice).enumerated() {
            let digest = try HashFunction.sha256.hash([UInt8(number & 0xFF), UInt8(number >> 8)])
            let signature = try await chip.sign(digest, with: key)
            #expect(try PublicKey(external: key.publicKey, .elliptic).isSignature(signature, of: digest, .ecdsa))
        }
        #expect(await chip.complaints == [])
        #expect(try await chip.leftBehind() == [])
    }

    @Test("Eight at once each get the answers to their own questions")
    func eightAtOnce() async throws {
        let chip = try await Chip()
        try await withThrowingTaskGroup { group in
            for client in 0..<8 {
                group.addTask {
                    let key = try await chip.make()
                    let publicKey = try PublicKey(external: key.publicKey, .elliptic)
                    let own = try PrivateKey.generate(.elliptic(.p256))
                    for number in 0..<25 {
                        let digest = try HashFunction.sha256.hash([UInt8(client), UInt8(number)])
                        let signature = try await chip.sign(digest, with: key)
                        #expect(try publicKey.isSignature(signature, of: digest, .ecdsa))
                        let shared = try await chip.use(key, .agree(peer: own.publicKey.external, .raw)).get()
                        #expect(try shared == own.agree(with: publicKey, .raw))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await chip.complaints == [])
        #expect(try await chip.leftBehind() == [])
    }

    @Test("What a killed predecessor left in the TPM doesn't stand in the way")
    func predecessor() async throws {
        let chip = try await Chip()
        let before = try CarelessClient(RecordingTCTI(socket: chip.tpm.socket))
        for _ in 0..<3 { _ = try before.makePrimary(TPMTemplate.storageRoot + TPMTemplate.empty) }
        // It is full now.
        let full = #expect(throws: CarelessClient.Refused.self) {
            try before.makePrimary(TPMTemplate.storageRoot + TPMTemplate.empty)
        }
        #expect(full?.number == 0x902)
        before.leave()
        let key = try await chip.make()
        _ = try await chip.sign(try HashFunction.sha256.hash([4]), with: key)
        #expect(try await chip.leftBehind() == [])
    }

    @Test("The storage root in its persistent place is used where there is one, and keys from before it still work")
    func persistentRoot() async throws {
        let chip = try await Chip()
        let before = try await chip.make()
        await chip.close()
        // The same template with another *unique*: another key in the place where the root belongs.
        let installer = try CarelessClient(RecordingTCTI(socket: chip.tpm.socket))
        let other = try installer.makePrimary(TPMTemplate.storageRoot + [0, 1, 7, 0, 1, 8])
        try installer.keep(other, at: TPMLink.persistentRoot)
        installer.leave()
        await chip.startAnew()
        let after = try await chip.make()
        let digest = try HashFunction.sha256.hash([5])
        for key in [before, after, before] { _ = try await chip.sign(digest, with: key) }
        let parents = try [before, after].map { try TPMKeyMaterial($0.material).parent }
        #expect(parents[0] != parents[1])
        #expect(try await chip.leftBehind() == [])
    }

    @Test("Another sort of key in that place is left alone")
    func persistentStranger() async throws {
        let chip = try await Chip()
        let installer = try CarelessClient(RecordingTCTI(socket: chip.tpm.socket))
        let stranger = try installer.makePrimary(TPMTemplate.key + TPMTemplate.empty)
        try installer.keep(stranger, at: TPMLink.persistentRoot)
        installer.leave()
        let key = try await chip.make()
        _ = try await chip.sign(try HashFunction.sha256.hash([6]), with: key)
        #expect(try await chip.leftBehind() == [])
    }
}
