import Testing
import ThumbAccess
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

/// A TPM that somebody else looks after, with a password of the owner's or a storage key in its persistent place.
@Suite("A TPM that has an owner", .timeLimit(.minutes(5)))
struct TPMOwnerTests {
    private let tpm: SoftwareTPM
    private let makePrimary: UInt32 = 0x131
    private let readPublic: UInt32 = 0x173

    init() throws { tpm = try SoftwareTPM() }

    /// A chip for which the TPM answers commands of one kind with an error, as often as `isDue` says.
    private func chip(
        answering command: UInt32, with number: UInt32, _ isDue: @escaping @Sendable () -> Bool = { true }
    ) -> TPMChip {
        let head: [UInt8] = [0x80, 0x01, 0, 0, 0, 10, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)]
        return TPMChip { [tpm] () throws(TPMError) in
            guard let way = try? RecordingTCTI(socket: tpm.socket) else { throw TPMError(.absent, "reaching the test's TPM") }
            way.atResponse = { number, response in
                if number == command, isDue() { response.replaceSubrange(0..<10, with: head) }
            }
            return TCTI(context: way.context, isDirect: true) { way.close() }
        }
    }

    /// Puts another key than the TPM itself would make where machines keep their storage root.
    private func keepRoot() throws {
        let installer = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        let root = try installer.makePrimary(TPMTemplate.storageRoot + [0, 1, 7, 0, 1, 8])
        try installer.keep(root, at: TPMLink.persistentRoot)
        installer.leave()
    }

    // TPM_RC_BAD_AUTH and TPM_RC_AUTH_FAIL, about the first session; TPM_RC_HIERARCHY, about the first handle.
    @Test(
        "Where its owner has a password or has switched their part off, there is none for us",
        arguments: [0x9A2, 0x98E, 0x185] as [UInt32])
    func password(number: UInt32) throws {
        let chip = chip(answering: makePrimary, with: number)
        #expect((#expect(throws: TPMError.self) { try chip.makeKey() })?.code == .absent)
        chip.close()
    }

    @Test("Where only the storage key in its persistent place is left, a key from before is another TPM's, and new ones work")
    func before() throws {
        let first = TPMChip(.swtpm(path: tpm.socket))
        let key = try first.makeKey()
        first.close()
        try keepRoot()
        let chip = chip(answering: makePrimary, with: 0x9A2)
        let digest = [UInt8](repeating: 0x5A, count: 32)
        #expect((#expect(throws: TPMError.self) { try chip.sign(digest, with: key) })?.code == .foreign)
        _ = try chip.sign(digest, with: chip.makeKey())
        chip.close()
    }

    @Test("A TPM that can't tell just now isn't taken for one without a storage key: nothing is made below another one")
    func busy() throws {
        try keepRoot()
        let isFirst = Once()
        // TPM_RC_NV_UNAVAILABLE: it will say later.
        let chip = chip(answering: readPublic, with: 0x923) { isFirst.isFirst() }
        #expect(throws: TPMError.self) { try chip.makeKey() }
        #expect(isFirst.count == 1)
        let key = try chip.makeKey()
        chip.close()
        let later = TPMChip(.swtpm(path: tpm.socket))
        #expect(try later.makeKey().parent == key.parent)
        later.close()
    }
}
