import Testing
import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

/// Whoever sits on the wires between processor and TPM sees every byte.
@Suite("What crosses to the TPM")
struct TPMWireTests {
    private static func isIn(_ needle: [UInt8], _ crossed: [[UInt8]]) -> Bool {
        crossed.contains { frame in
            frame.count >= needle.count
                && (0...(frame.count - needle.count)).contains { frame[$0..<$0 + needle.count].elementsEqual(needle) }
        }
    }

    @Test("No authorization and no shared secret crosses in clear, nor half of one")
    func nothingSecretCrosses() async throws {
        let chip = try await Chip()
        let way = try RecordingTCTI(socket: chip.tpm.socket)
        await chip.record(way)
        let own = try PrivateKey.generate(.elliptic(.p256))
        let key = try await chip.make()
        let material = try TPMKeyMaterial(key.material)
        let other = try await chip.make()
        _ = try await chip.sign(HashFunction.sha256.hash([7]), with: key)
        let shared = try await chip.use(key, .agree(peer: own.publicKey.external, .raw)).get()
        _ = try await chip.sign(HashFunction.sha256.hash([8]), with: other)
        _ = try await chip.use(key, .agree(peer: own.publicKey.external, .raw)).get()
        await chip.close()

        // The recorder sees both directions: the key that came, the peer that went.
        #expect(Self.isIn(Array(key.publicKey[1...32]), way.crossed))
        #expect(Self.isIn(Array(own.publicKey.external[1...32]), way.crossed))
        #expect(try shared == own.agree(with: PublicKey(external: key.publicKey, .elliptic), .raw))
        for secret in [material.authorization, try TPMKeyMaterial(other.material).authorization, shared] {
            let bytes = secret.plainBytes(in: 0..<secret.count)
            #expect(!Self.isIn(Array(bytes[..<16]), way.crossed))
            #expect(!Self.isIn(Array(bytes[16...]), way.crossed))
        }
    }

    @Test("No private scalar crosses: nothing of its length is the key's")
    func noScalarCrosses() async throws {
        let chip = try await Chip()
        let way = try RecordingTCTI(socket: chip.tpm.socket)
        await chip.record(way)
        let key = try await chip.make()
        _ = try await chip.sign(HashFunction.sha256.hash([9]), with: key)
        await chip.close()
        #expect(try Self.findsScalar(of: key.publicKey, in: way.crossed) == false)
        // The search finds one that is there.
        let known = try PrivateKey.generate(.elliptic(.p256))
        let planted = [0, 1, 2] + known.external.plainBytes(in: 65..<97) + [3]
        #expect(try Self.findsScalar(of: known.publicKey.external, in: [planted]))
    }

    private static func findsScalar(of point: [UInt8], in crossed: [[UInt8]]) throws -> Bool {
        for frame in crossed where frame.count >= 32 {
            for place in 0...(frame.count - 32) {
                let window = try SecretBytes(copying: frame[place..<place + 32])
                if let key = try? PrivateKey(.p256, scalar: window), key.publicKey.external == point { return true }
            }
        }
        return false
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    @Test("Each session that protects a secret is salted, or whoever listens could calculate its keys")
    func salted() throws {
        let tpm = try SoftwareTPM()
        // After a measured start there is a session with a policy too.
        let firmware = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        try firmware.measure([UInt8](repeating: 1, count: 32))
        firmware.leave()
        let way = try RecordingTCTI(socket: tpm.socket)
        let chip = TPMChip { () throws(TPMError) in TCTI(context: way.context, isDirect: true) { way.close() } }
        let own = try SecretBytes.random(count: 32)
        let key = try chip.makeKey()
        _ = try chip.sign(HashFunction.sha256.hash([11]), with: key)
        let sealed = try chip.seal(own, own, guardedBy: .start)
        #expect(try chip.unseal(sealed, own, guardedBy: .start) == own)
        chip.close()

        let (makePrimary, startSession, noKey): (UInt32, UInt32, UInt32) = (0x131, 0x176, 0x4000_0007)
        let frames = way.crossed.filter { $0.count >= 10 }
        let numbers = frames.map { Self.number($0[6..<10]) }
        // Until the storage key is made, there is nothing to salt a session with, and no secret either.
        let made = try #require(numbers.lastIndex(of: makePrimary))
        let started = frames.indices.filter { $0 > made && numbers[$0] == startSession }.map { frames[$0] }
        var kinds: Set<UInt8> = []
        for frame in started {
            #expect(Self.number(frame[10..<14]) != noKey)
            // Behind two handles comes the nonce, and behind that the salt.
            let salt = 20 + Int(Self.number(frame[18..<20]))
            let length = Int(Self.number(frame[salt..<salt + 2]))
            #expect(length > 0)
            kinds.insert(frame[salt + 2 + length])
        }
        #expect(kinds == [TPMLink.SessionKind.value.rawValue, TPMLink.SessionKind.policy.rawValue])
    }

    @Test("The same recorder sees the secrets of a client that doesn't hide them")
    func carelessClient() async throws {
        let chip = try await Chip()
        let way = try RecordingTCTI(socket: chip.tpm.socket)
        let careless = try CarelessClient(way)
        let own = try PrivateKey.generate(.elliptic(.p256))
        let authorization = Array(UInt8(1)...UInt8(32))
        let handle = try careless.makePrimary(TPMTemplate.key + TPMTemplate.empty, authorization: authorization)
        try careless.setAuthorization(handle, authorization)
        let point = own.publicKey.external
        let shared = try careless.agree(handle, x: Array(point[1...32]), y: Array(point[33...]))
        #expect(Self.isIn(authorization, way.crossed))
        #expect(Self.isIn(shared, way.crossed))
    }

    @Test("A response that was changed on its way is refused, and the next call does without the session it broke")
    func changedResponses() async throws {
        let chip = try await Chip()
        let own = try PrivateKey.generate(.elliptic(.p256))
        for (number, operation) in [
            (0x15D as UInt32, KeyOperation.sign(digest: [UInt8](repeating: 1, count: 32), .ecdsa)),
            (0x154, .agree(peer: own.publicKey.external, .raw)),
        ] {
            let tpm = chip.tpm
            let changes = Once()
            await chip.reach { () throws(TPMError) in
                guard let way = try? RecordingTCTI(socket: tpm.socket) else { throw TPMError(.absent, "reaching the TPM") }
                // In the middle of the first parameter, behind the header and the sizes.
                way.atResponse = { if $0 == number, changes.isFirst() { $1[40] ^= 1 } }
                return TCTI(context: way.context, isDirect: true) { way.close() }
            }
            let key = try await chip.make()
            let answer = await chip.use(key, operation)
            #expect(throws: KeychainFailure.internalFailure) { try answer.get() }
            #expect(changes.count == 1)
            _ = try await chip.use(key, operation).get()
            await chip.close()
        }
        #expect(try await chip.leftBehind() == [])
    }

    @Test("A signature that a faulty chip calculated isn't returned")
    func faultySignature() throws {
        let own = try PrivateKey.generate(.elliptic(.p256))
        let digest = [UInt8](repeating: 2, count: 32)
        let right = try #require(ECDSASignature.rfc4754(der: own.signature(digest: digest, .ecdsa), .p256))
        #expect(try own.publicKey.isSignature(TPMChip.verified(right, of: digest, by: own.publicKey), of: digest, .ecdsa))
        for place in [0, 31, 32, 63] {
            var wrong = right
            wrong[place] ^= 1
            #expect(throws: TPMError.self) { try TPMChip.verified(wrong, of: digest, by: own.publicKey) }
        }
    }

    @Test("No command is authorized by a password")
    func noPasswords() async throws {
        let chip = try await Chip()
        let way = try RecordingTCTI(socket: chip.tpm.socket)
        await chip.record(way)
        let key = try await chip.make()
        let own = try PrivateKey.generate(.elliptic(.p256))
        _ = try await chip.sign(HashFunction.sha256.hash([10]), with: key)
        _ = try await chip.use(key, .agree(peer: own.publicKey.external, .raw)).get()
        await chip.close()
        // TPM_RS_PW, where a session's handle would stand.
        let password: [UInt8] = [0x40, 0x00, 0x00, 0x09]
        let commands = way.crossed.filter { $0.starts(with: [0x80, 0x02]) }
        #expect(commands.count >= 8)
        #expect(!Self.isIn(password, commands))
        let plain = try RecordingTCTI(socket: chip.tpm.socket)
        let careless = try CarelessClient(plain)
        _ = try careless.makePrimary(TPMTemplate.storageRoot + TPMTemplate.empty)
        #expect(Self.isIn(password, plain.crossed))
    }
}
