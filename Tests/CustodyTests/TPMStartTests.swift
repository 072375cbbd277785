import Testing
import ThumbAccess
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

@Suite("Secrets that wait for the machine's start", .timeLimit(.minutes(5)))
struct TPMStartTests {
    private let tpm: SoftwareTPM
    private let chip: TPMChip

    init() throws {
        let tpm = try SoftwareTPM()
        self.tpm = tpm
        chip = TPMChip { () throws(TPMError) in try TCTI(.swtpm(path: tpm.socket)) }
    }

    private func random() throws -> SecretBytes { try SecretBytes.random(count: 32) }

    /// Starts the machine anew, with firmware that measures this.
    private func start(measuring digests: UInt8...) throws {
        chip.close()
        tpm.end()
        try tpm.start()
        try measure(digests)
    }

    private func measure(_ digests: [UInt8]) throws {
        chip.close()
        let firmware = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        for digest in digests { try firmware.measure([UInt8](repeating: digest, count: 32)) }
        firmware.leave()
    }

    @Test("such a secret comes out after every start that measures the same, and after no other")
    func bound() throws {
        try start(measuring: 1, 2)
        let (secret, own) = (try random(), try random())
        let seal = try chip.seal(secret, own, guardedBy: .start)
        #expect(TPMTemplate.isPolicySeal(seal.area))
        #expect(try chip.unseal(seal, own, guardedBy: .start) == secret)
        for others in [[1, 3], [2, 1], [1], [], [1, 2, 3]] as [[UInt8]] {
            try start()
            try measure(others)
            #expect(try chip.unseal(seal, own, guardedBy: .start) == nil, "\(others)")
        }
        try start(measuring: 1, 2)
        #expect(try chip.unseal(seal, own, guardedBy: .start) == secret)
        // While the machine runs, firmware may measure more: nothing that comes later is the start that was meant.
        try measure([9])
        #expect(try chip.unseal(seal, own, guardedBy: .start) == nil)
        // Nothing stays in the TPM.
        chip.close()
        let after = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        #expect(try after.held() == [])
        after.leave()
    }

    @Test("something measured elsewhere in the middle of it only makes it begin again")
    func measuredMeanwhile() throws {
        try measure([1])
        let way = try RecordingTCTI(socket: tpm.socket)
        let chip = TPMChip { () throws(TPMError) in TCTI(context: way.context, isDirect: true) { way.close() } }
        let (secret, own) = (try random(), try random())
        let sealed = try chip.seal(secret, own, guardedBy: .start)
        // TPM2_Unseal's answer, as the TPM says it to somebody who was too slow: TPM_RC_PCR_CHANGED.
        let unseal: UInt32 = 0x15E
        nonisolated(unsafe) var slow = 3
        way.atResponse = { command, response in
            guard command == unseal, slow > 0 else { return }
            slow -= 1
            response.replaceSubrange(0..<10, with: [0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x01, 0x28])
        }
        #expect(try chip.unseal(sealed, own, guardedBy: .start) == secret)
        #expect(slow == 0)
        slow = 100
        let error = #expect(throws: TPMError.self) { try chip.unseal(sealed, own, guardedBy: .start) }
        #expect(error?.number == 0x128 && slow == 95)
    }

    @Test("nothing but the start opens it: no authorization, and no claim that it is guarded in another way")
    func otherWays() throws {
        try start(measuring: 1)
        let (secret, own) = (try random(), try random())
        let seal = try chip.seal(secret, own, guardedBy: .start)
        for guarding in [SealGuard.file, .guesses] {
            let error = #expect(throws: TPMError.self) { try chip.unseal(seal, own, guardedBy: guarding) }
            #expect(error?.code == .damaged)
        }
        try start(measuring: 2)
        // The same wrapped secret under a public area that claims to have no policy isn't the object that was made.
        let open = try chip.seal(random(), own, guardedBy: .file)
        let forged = TPMSeal(TPMKeyMaterial(parent: seal.parent, authorization: own, area: open.area, wrapped: seal.wrapped))
        #expect(throws: TPMError.self) { try chip.unseal(forged, own, guardedBy: .file) }
    }

    @Test("where nobody measures the start, it is kept like any secret of this machine's, and another machine has nothing of it")
    func unmeasured() throws {
        let (secret, own) = (try random(), try random())
        let seal = try chip.seal(secret, own, guardedBy: .start)
        #expect(!TPMTemplate.isPolicySeal(seal.area))
        try start()
        #expect(try chip.unseal(seal, own, guardedBy: .start) == secret)
        #expect(try chip.unseal(seal, random(), guardedBy: .start) == nil)
        chip.close()
        try tpm.replace()
        let error = #expect(throws: TPMError.self) { try chip.unseal(seal, own, guardedBy: .start) }
        #expect(error?.code == .foreign)
    }

    @Test("it doesn't cross between processor and TPM in clear")
    func crosses() throws {
        try measure([1])
        let way = try RecordingTCTI(socket: tpm.socket)
        let chip = TPMChip { () throws(TPMError) in TCTI(context: way.context, isDirect: true) { way.close() } }
        let (secret, own) = (try random(), try random())
        let sealed = try chip.seal(secret, own, guardedBy: .start)
        #expect(try chip.unseal(sealed, own, guardedBy: .start) == secret)
        chip.close()
        let crossed = way.crossed.flatMap { $0 }
        for half in [secret.plainBytes(in: 0..<16), secret.plainBytes(in: 16..<32)] { #expect(!crossed.contains(half)) }
        #expect(crossed.contains(Array(sealed.wrapped.prefix(16))))
    }
}
