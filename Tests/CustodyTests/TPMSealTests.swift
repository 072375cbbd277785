import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

@Suite("Secrets sealed in a TPM")
struct TPMSealTests {
    private let tpm: SoftwareTPM
    private let chip: TPMChip

    init() throws {
        let tpm = try SoftwareTPM()
        self.tpm = tpm
        chip = TPMChip { () throws(TPMError) in try TCTI(.swtpm(path: tpm.socket)) }
    }

    private func random(_ count: Int = 32) throws -> SecretBytes { try SecretBytes.random(count: count) }

    @Test("The secret comes back for its authorization and for no other", arguments: SealGuard.allCases)
    func opens(guardedBy guarding: SealGuard) throws {
        // A new TPM locks itself after three guesses.
        let patient = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        try patient.lockAfter(30)
        patient.leave()
        for count in [1, 32, TPMLink.mostSealed] {
            let (secret, own) = (try random(count), try random())
            let sealed = try chip.seal(secret, own, guardedBy: guarding)
            #expect(try chip.unseal(sealed, own, guardedBy: guarding) == secret)
            #expect(try chip.unseal(sealed, random(), guardedBy: guarding) == nil)
            #expect(try chip.unseal(sealed, own, guardedBy: guarding) == secret)
            #expect(throws: TPMError.self) { try chip.unseal(sealed, own, guardedBy: guarding == .guesses ? .file : .guesses) }
            // An authorization of another length isn't tried at all.
            for length in [31, 33] {
                let error = #expect(throws: TPMError.self) { try chip.unseal(sealed, random(length), guardedBy: guarding) }
                #expect(error?.code == .damaged && error?.number == 0)
                #expect(throws: TPMError.self) { try chip.seal(secret, random(length), guardedBy: guarding) }
            }
        }
        for count in [0, TPMLink.mostSealed + 1] {
            #expect(throws: TPMError.self) { try chip.seal(random(count), random(), guardedBy: guarding) }
        }
    }

    @Test("Another TPM has nothing of it")
    func foreign() throws {
        let own = try random()
        let sealed = try chip.seal(random(), own, guardedBy: .file)
        chip.close()
        try tpm.replace()
        let error = #expect(throws: TPMError.self) { try chip.unseal(sealed, own, guardedBy: .file) }
        #expect(error?.code == .foreign)
    }

    @Test("Guesses at a guarded secret lock the guarded ones, and only those")
    func locks() throws {
        let guesser = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        try guesser.lockAfter(3)
        guesser.leave()
        let (secret, own) = (try random(), try random())
        let open = try chip.seal(secret, own, guardedBy: .file)
        for _ in 0..<10 { #expect(try chip.unseal(open, random(), guardedBy: .file) == nil) }
        #expect(try chip.unseal(open, own, guardedBy: .file) == secret)
        let guarded = try chip.seal(secret, own, guardedBy: .guesses)
        for _ in 0..<3 { #expect(try chip.unseal(guarded, random(), guardedBy: .guesses) == nil) }
        // Now even the right one has to wait.
        let error = #expect(throws: TPMError.self) { try chip.unseal(guarded, own, guardedBy: .guesses) }
        #expect(error?.code == .locked)
        #expect(try chip.unseal(open, own, guardedBy: .file) == secret)
    }

    @Test("Neither the secret nor its authorization crosses in clear")
    func crosses() throws {
        let way = try RecordingTCTI(socket: tpm.socket)
        let chip = TPMChip { () throws(TPMError) in TCTI(context: way.context, isDirect: true) { way.close() } }
        let (secret, own) = (try random(), try random())
        let sealed = try chip.seal(secret, own, guardedBy: .guesses)
        #expect(try chip.unseal(sealed, own, guardedBy: .guesses) == secret)
        chip.close()
        let crossed = way.crossed.flatMap { $0 }
        for hidden in [secret, own] {
            for half in [hidden.plainBytes(in: 0..<16), hidden.plainBytes(in: 16..<32)] {
                #expect(!crossed.contains(half))
            }
        }
        #expect(crossed.contains(Array(sealed.wrapped.prefix(16))))
    }
}
