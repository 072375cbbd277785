import Foundation
import Testing
import ThumbCrypto
import ThumbSecrets

@Suite("AES-GCM and SealedBox") struct AESGCMTests {
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
