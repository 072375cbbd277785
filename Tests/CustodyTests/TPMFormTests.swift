import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbCustody

/// What is kept of a TPM's objects, read without a TPM.
@Suite("The forms of what a TPM made")
struct TPMFormTests {
    private func sized(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }

    private func parts(_ authorization: Int = 32, area: Int = 5, wrapped: Int = 6) -> [[UInt8]] {
        [[1, 2, 3], [UInt8](repeating: 4, count: authorization), [UInt8](repeating: 5, count: area)]
            + [[UInt8](repeating: 6, count: wrapped)]
    }

    private func code(_ body: () throws(TPMError) -> Void) -> TPMError.Code? {
        do throws(TPMError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    private func material(_ bytes: [UInt8]) throws -> TPMError.Code? {
        let secret = try SecretBytes(copying: bytes)
        return code { () throws(TPMError) in _ = try TPMKeyMaterial(secret) }
    }

    @Test("A key's material is read in exactly its form, and written as it was read")
    func materials() throws {
        let whole = [1, Custodian.tpm.rawValue] + parts().flatMap(sized)
        let read = try TPMKeyMaterial(SecretBytes(copying: whole))
        #expect(read.parent == [1, 2, 3] && read.area == [5, 5, 5, 5, 5] && read.wrapped == [6, 6, 6, 6, 6, 6])
        #expect(read.authorization.plainBytes(in: 0..<32) == [UInt8](repeating: 4, count: 32))
        let written = try read.encoded()
        #expect(written.plainBytes(in: 0..<written.count) == whole)
        for end in whole.indices { #expect(try material(Array(whole[..<end])) == .damaged, "\(end) bytes") }
        #expect(try material(whole + [0]) == .damaged)
        for (place, byte) in [(0, 0), (0, 2), (1, 0), (1, Custodian.software.rawValue)] as [(Int, UInt8)] {
            var other = whole
            other[place] = byte
            #expect(try material(other) == .damaged)
        }
    }

    @Test("Its authorization has 32 bytes, and no other part more than 1,024")
    func materialLimits() throws {
        func bytes(_ parts: [[UInt8]]) -> [UInt8] { [1, Custodian.tpm.rawValue] + parts.flatMap(sized) }
        for count in [0, 31, 33, 64] { #expect(try material(bytes(parts(count))) == .damaged) }
        #expect(try material(bytes(parts(area: 1024, wrapped: 1024))) == nil)
        #expect(try material(bytes(parts(area: 1025))) == .damaged)
        #expect(try material(bytes(parts(wrapped: 1025))) == .damaged)
    }

    @Test("A seal is read in exactly its form, without an authorization, and written as it was read")
    func seals() throws {
        let whole = [[1, 2, 3], [UInt8](repeating: 5, count: 1024), [6]].flatMap(sized)
        let read = try TPMSeal(whole)
        #expect(read.parent == [1, 2, 3] && read.area.count == 1024 && read.wrapped == [6] && read.bytes == whole)
        for end in [0, 1, 2, 4, 5, 6, 7, 100, whole.count - 1] {
            #expect(code { () throws(TPMError) in _ = try TPMSeal(Array(whole[..<end])) } == .damaged)
        }
        let longer = [[1, 2, 3], [UInt8](repeating: 5, count: 1025), [6]].flatMap(sized)
        for other in [whole + [0], longer] {
            #expect(code { () throws(TPMError) in _ = try TPMSeal(other) } == .damaged)
        }
    }

    @Test("A key's point is read from an area in our own form only; zeros that a TPM left out are put back")
    func points() throws {
        func point(_ area: [UInt8]) -> [UInt8]? { try? TPMTemplate.point(of: area) }
        let (x, y) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
        let whole = TPMTemplate.key + sized(x) + sized(y)
        #expect(point(whole) == [4] + x + y)
        var small = [UInt8](repeating: 0, count: 65)
        (small[0], small[32]) = (4, 9)
        #expect(point(TPMTemplate.key + sized([9]) + sized([])) == small)
        for end in whole.indices { #expect(point(Array(whole[..<end])) == nil, "\(end) bytes") }
        #expect(point(whole + [0]) == nil)
        #expect(point(TPMTemplate.key + sized(x + [7]) + sized(y)) == nil)
        #expect(point(TPMTemplate.storageRoot + sized(x) + sized(y)) == nil)
        // Each bit of what a key is: whether it may leave, how it is authorized, what it does.
        for place in TPMTemplate.key.indices {
            for bit in 0..<8 {
                var other = whole
                other[place] ^= 1 << bit
                #expect(point(other) == nil, "byte \(place), bit \(bit)")
            }
        }
    }

    @Test("A counter's number is made of the first 22 bits of its name, in the owner's range")
    func indexes() {
        #expect(TPMLink.index([0, 0, 0, 0, 9]) == 0x0180_0000)
        #expect(TPMLink.index([0, 0, 4, 0]) == 0x0180_0001 && TPMLink.index([0, 0, 3, 0xFF]) == 0x0180_0000)
        #expect(TPMLink.index([0x80, 0, 0, 0]) == 0x01A0_0000)
        #expect(TPMLink.index([0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == 0x01BF_FFFF)
    }

    @Test(
        "What the TPM, its resource manager and the stack say decides whether to begin anew, to wait or to give up",
        arguments: [
            (0x901, .stale, true), (0x906, .stale, true), (0x907, .refused, false), (0x910, .stale, true), (0x91E, .stale, true),
            (0x91F, .refused, false), (0x100, .stale, true), (0x18B, .stale, true), (0x921, .locked, false),
            (0x98E, .damaged, false), (0x9A2, .damaged, false), (0x1DF, .damaged, false), (0xB0902, .stale, true),
            (0xC0921, .locked, false), (0xA0001, .lost, true), (0x70011, .lost, true), (0x80013, .lost, true),
            (0x70017, .outOfMemory, true), (0x70018, .refused, true), (0x90001, .refused, true), (0x60001, .refused, false),
        ] as [(UInt32, TPMError.Code, Bool)])
    func codes(number: UInt32, code: TPMError.Code, endsLink: Bool) {
        let error = TPMError(number: number, "testing")
        #expect(error.code == code && error.endsLink == endsLink)
    }

    @Test("A wrong authorization is told from every other damage, whichever session and layer it comes from")
    func wrongAuthorizations() {
        for number: UInt32 in [0x98E, 0x9A2, 0x8A2, 0xA8E, 0xB098E, 0xC09A2] {
            #expect(TPMError(number: number, "testing").isWrongAuthorization, "\(number)")
        }
        for number: UInt32 in [0x1DF, 0x921, 0x10E, 0x7098E, 0xA098E, 0x98B] {
            #expect(!TPMError(number: number, "testing").isWrongAuthorization, "\(number)")
        }
    }

    @Test("Want of locked memory is told as that, whoever refuses it, and what else is wrong with a secret as a fault")
    func memory() {
        for code: SecretError.Code in [.arenaFull, .lockRefused, .mappingRefused] {
            #expect(KeychainFailure(custody: SecretError(code)) == .outOfMemory, "\(code)")
        }
        for code: SecretError.Code in [.tooLarge, .randomRefused, .overfilled, .outOfBounds] {
            #expect(KeychainFailure(custody: SecretError(code)) == .internalFailure, "\(code)")
        }
    }

    @Test("A failure keeps its meaning on its way through the keeper")
    func throughKeeper() {
        for code: TPMError.Code in [.absent, .lost, .locked, .foreign, .parameter, .damaged, .outOfMemory] {
            let failure = TPMError(code, "testing").failure
            #expect(TPMError(failure, number: 7).code == code && TPMError(failure, number: 7).number == 7)
        }
        for code: TPMError.Code in [.stale, .refused] {
            #expect(TPMError(TPMError(code, "testing").failure, number: 0).code == .refused)
        }
    }
}
