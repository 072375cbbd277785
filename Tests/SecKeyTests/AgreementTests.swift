import Foundation
import Security
import Testing

@Suite("Key agreement") struct AgreementTests {
    static let derived: [(standard: SecKeyAlgorithm, cofactor: SecKeyAlgorithm)] = [
        (.ecdhKeyExchangeStandardX963SHA1, .ecdhKeyExchangeCofactorX963SHA1),
        (.ecdhKeyExchangeStandardX963SHA224, .ecdhKeyExchangeCofactorX963SHA224),
        (.ecdhKeyExchangeStandardX963SHA256, .ecdhKeyExchangeCofactorX963SHA256),
        (.ecdhKeyExchangeStandardX963SHA384, .ecdhKeyExchangeCofactorX963SHA384),
        (.ecdhKeyExchangeStandardX963SHA512, .ecdhKeyExchangeCofactorX963SHA512),
    ]
    private let size = SecKeyKeyExchangeParameter.requestedSize.rawValue as String
    private let info = SecKeyKeyExchangeParameter.sharedInfo.rawValue as String

    @Test("168: both sides have the same coordinate, as long as the field, without parameters", arguments: [256, 384, 521])
    func raw(bits: Int) throws {
        let (one, other) = (Shared.curves[bits]!, try newKey(kSecAttrKeyTypeEC, bits))
        for algorithm in [SecKeyAlgorithm.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactor] {
            let shared = try one.agree(with: other.publicHalf, algorithm)
            #expect(shared.count == SecKeyGetBlockSize(one))
            #expect(try other.agree(with: one.publicHalf, algorithm) == shared)
        }
    }

    @Test("169: deriving needs a size, and mixes in what is given")
    func x963() throws {
        let (one, other) = (Shared.curves[256]!, try newKey(kSecAttrKeyTypeEC, 256))
        for (standard, cofactor) in Self.derived {
            let (plain, mixed): ([String: Any], [String: Any]) = ([size: 100], [size: 100, info: Data([1, 2])])
            let bytes = try one.agree(with: other.publicHalf, standard, plain)
            #expect(bytes.count == 100)
            #expect(try other.agree(with: one.publicHalf, cofactor, plain) == bytes)
            #expect(try other.agree(with: one.publicHalf, standard, [size: 10]) == bytes.prefix(10))
            #expect(try one.agree(with: other.publicHalf, standard, [size: 100, info: Data()]) == bytes)
            #expect(try one.agree(with: other.publicHalf, standard, mixed) != bytes)
            for wrong: [String: Any] in [[:], [size: 0], [size: -1], [size: "32"], [size: 65_537], [size: 32, info: "text"]] {
                #expect(throws: Refusal.status(errSecParam)) { try one.agree(with: other.publicHalf, standard, wrong) }
            }
        }
        let bridged: [SecKeyKeyExchangeParameter: Any] = [.requestedSize: 16]
        let made = try call {
            SecKeyCopyKeyExchangeResult(
                one, .ecdhKeyExchangeStandardX963SHA256, other.publicHalf, bridged as CFDictionary, $0)
        }
        #expect(made.length == 16)
    }

    @Test("170: a peer of another curve or family, or a private key in its place, is refused")
    func peers() {
        let key = Shared.curves[256]!
        for peer in [Shared.curves[384]!.publicHalf, Shared.rsa1024.publicHalf, Shared.curves[384]!, key] {
            #expect(throws: Refusal.status(errSecParam)) { try key.agree(with: peer, .ecdhKeyExchangeStandard) }
        }
        #expect(throws: Refusal.status(errSecParam)) { try Shared.rsa1024.agree(with: key.publicHalf, .ecdhKeyExchangeStandard) }
        #expect(throws: Refusal.status(errSecParam)) { try key.publicHalf.agree(with: key.publicHalf, .ecdhKeyExchangeStandard) }
    }
}
