import Foundation
import Testing
import ThumbCrypto
import ThumbSecrets

@Suite("AES-GCM and SealedBox") struct AESGCMTests {
    private struct Group: Decodable {
        struct Test: Decodable {
            let tcId: Int
            let key, iv, aad, msg, ct, tag: String
            let result: Vectors.Expected
        }
        let tests: [Test]
    }

    @Test("all 316 of Wycheproof's AES-GCM vectors come out as they say", .enabled(if: Vectors.arePresent, Vectors.absence))
    func wycheproof() throws {
        let file = try Vectors.Wycheproof<Group>.read("aes_gcm_test.json")
        let tests = file.testGroups.flatMap(\.tests)
        #expect(tests.count == 316 && file.numberOfTests == 316)
        var tooLong = 0
        for test in tests {
            let key = try secret(test.key)
            let (nonce, data, sealed) = (hex(test.iv), hex(test.aad), hex(test.ct) + hex(test.tag))
            let opened = Result { try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: data) }
            if nonce.count > AESGCM.maximumNonce {
                // Valid by the standard, beyond libcrypto: refused with a reason, not answered wrongly.
                #expect(codeOf(opened) == .limit, "vector \(test.tcId)")
                tooLong += 1
                continue
            }
            switch test.result {
            case .valid:
                #expect(try opened.get().exposed == hex(test.msg), "vector \(test.tcId)")
                #expect(
                    try AESGCM.seal(secret(test.msg), key: key, nonce: nonce, associatedData: data) == sealed,
                    "vector \(test.tcId)")
                #expect(
                    try AESGCM.seal(hex(test.msg), key: key, nonce: nonce, associatedData: data) == sealed,
                    "vector \(test.tcId)")
            case .invalid:
                let code = nonce.isEmpty ? CryptoErrorCode.invalidInput : .authenticationFailed
                #expect(codeOf(opened) == code, "vector \(test.tcId)")
            case .acceptable:
                Issue.record("vector \(test.tcId): this file has none of these")
            }
        }
        #expect(tooLong == 3)
    }

    @Test("a change of any bit of box or associated data is noticed")
    func everyBit() throws {
        let key = try SecretBytes.random(count: 32)
        let data = Array("item 7".utf8)
        let box = try SealedBox.seal(Array("attack at dawn".utf8), key: key, associatedData: data)
        #expect(box.count == 14 + SealedBox.overhead)
        #expect(try SealedBox.open(box, key: key, associatedData: data).exposed == Array("attack at dawn".utf8))
        for bit in 0..<box.count * 8 {
            var changed = box
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(codeOf(Result { try SealedBox.open(changed, key: key, associatedData: data) }) == .authenticationFailed)
        }
        for bit in 0..<data.count * 8 {
            var changed = data
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(codeOf(Result { try SealedBox.open(box, key: key, associatedData: changed) }) == .authenticationFailed)
        }
        for length in 0..<box.count {
            let cut = Array(box.prefix(length))
            #expect(codeOf(Result { try SealedBox.open(cut, key: key, associatedData: data) }) == .authenticationFailed)
        }
        let other = try SecretBytes.random(count: 32)
        #expect(codeOf(Result { try SealedBox.open(box, key: other, associatedData: data) }) == .authenticationFailed)
    }

    @Test("nothing and much can be sealed", arguments: [0, 1, 100, 100_000])
    func lengths(count: Int) throws {
        let key = try SecretBytes.random(count: 32)
        let plaintext = try SecretBytes.random(count: count)
        let box = try SealedBox.seal(plaintext, key: key, associatedData: [])
        #expect(try SealedBox.open(box, key: key, associatedData: []) == plaintext)
    }

    @Test("two boxes of the same secret differ")
    func nonces() throws {
        let key = try SecretBytes.random(count: 32)
        let boxes = try (0..<100).map { _ in try SealedBox.seal([1], key: key, associatedData: []).prefix(12) }
        #expect(Set(boxes).count == 100)
    }

    @Test("a key of another length is refused", arguments: [0, 15, 17, 31, 33])
    func keyLength(count: Int) throws {
        let key = try SecretBytes(count: count) { _ in }
        #expect(codeOf(Result { try AESGCM.seal([1], key: key, nonce: [1]) }) == .invalidKey)
        #expect(codeOf(Result { try AESGCM.open(Array(repeating: 0, count: 16), key: key, nonce: [1]) }) == .invalidKey)
        #expect(codeOf(Result { try SealedBox.seal([1], key: key, associatedData: []) }) == .invalidKey)
    }

    @Test("a box takes no shorter key than 32 bytes")
    func boxKey() throws {
        let key = try SecretBytes(count: 16) { _ in }
        #expect(codeOf(Result { try SealedBox.seal([1], key: key, associatedData: []) }) == .invalidKey)
        let box = [UInt8](repeating: 0, count: 40)
        #expect(codeOf(Result { try SealedBox.open(box, key: key, associatedData: []) }) == .invalidKey)
    }

    @Test("the longest nonce and message are taken, one byte more is refused")
    func limits() throws {
        let key = try SecretBytes.random(count: 32)
        let nonce = [UInt8](repeating: 1, count: AESGCM.maximumNonce)
        #expect(try AESGCM.open(AESGCM.seal([7], key: key, nonce: nonce), key: key, nonce: nonce).exposed == [7])
        #expect(codeOf(Result { try AESGCM.seal([7], key: key, nonce: nonce + [1]) }) == .limit)
        let long = [UInt8](repeating: 0, count: AESGCM.maximumMessage)
        #expect(try AESGCM.seal(long, key: key, nonce: nonce).count == long.count + AESGCM.tagSize)
        #expect(codeOf(Result { try AESGCM.seal(long + [0], key: key, nonce: nonce) }) == .limit)
        #expect(try AESGCM.seal([], key: key, nonce: nonce, associatedData: long).count == AESGCM.tagSize)
        #expect(codeOf(Result { try AESGCM.seal([], key: key, nonce: nonce, associatedData: long + [0]) }) == .limit)
    }

    @Test("threads seal and open side by side")
    func threads() throws {
        let key = try SecretBytes.random(count: 32)
        let failures = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for round in 0..<300 {
                let text = Array("\(number) \(round)".utf8)
                let box = try? SealedBox.seal(text, key: key, associatedData: text)
                let opened = try? box.map { try SealedBox.open($0, key: key, associatedData: text) }
                if opened?.exposed != text { failures.withLock { $0 += 1 } }
            }
        }
        #expect(failures.withLock { $0 } == 0)
    }
}

typealias CryptoErrorCode = CryptoError.Code

/// The code that a call failed with, or nil if it didn't.
func codeOf<Success>(_ result: Result<Success, any Error>) -> CryptoErrorCode? {
    switch result {
    case .success: nil
    case .failure(let error): (error as? CryptoError)?.code
    }
}
