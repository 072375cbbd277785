import Foundation
import Security
import Testing
import thumbturn_test_support

@Suite("The calls iOS had before") struct OlderCallTests {
    private func signed(_ key: SecKey, _ padding: SecPadding, _ data: Data, room: Int = 512) -> (OSStatus, Data) {
        var (signature, count) = ([UInt8](repeating: 0, count: room), room)
        let status = SecKeyRawSign(key, padding, [UInt8](data), data.count, &signature, &count)
        return (status, Data(signature.prefix(count)))
    }

    private func verified(_ key: SecKey, _ padding: SecPadding, _ data: Data, _ signature: Data) -> OSStatus {
        SecKeyRawVerify(key, padding, [UInt8](data), data.count, [UInt8](signature), signature.count)
    }

    @Test("a certificate's key has an older name too")
    func certificateKey() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, TestCertificate.own as CFData))
        let key = try #require(SecCertificateCopyPublicKey(certificate))
        #expect(try key == readKey(TestCertificate.ownKey, "73", "1").publicHalf && key == SecCertificateCopyKey(certificate))
    }

    @Test("147: each padding signs as its newer name does; a mismatch is -9809, too little room -50")
    func signatures() throws {
        let digest = Data(repeating: 7, count: 32)
        let paddings: [(SecPadding, SecKeyAlgorithm)] = [
            (.PKCS1SHA256, .rsaSignatureDigestPKCS1v15SHA256), (.PKCS1, .rsaSignatureDigestPKCS1v15Raw), ([], .rsaSignatureRaw),
        ]
        for (padding, algorithm) in paddings {
            let (status, signature) = signed(Shared.rsa1024, padding, digest)
            #expect(try status == errSecSuccess && signature == Shared.rsa1024.sign(digest, algorithm))
            #expect(verified(Shared.rsa1024.publicHalf, padding, digest, signature) == errSecSuccess)
            #expect(verified(Shared.rsa1024.publicHalf, padding, Data(repeating: 8, count: 32), signature) == errSSLCrypto)
            #expect(signed(Shared.rsa1024, padding, digest, room: 127).0 == errSecParam)
        }
        #expect(errSSLCrypto == -9809)
        for padding in [SecPadding.PKCS1MD2, .PKCS1MD5, .OAEP] {
            #expect(signed(Shared.rsa1024, padding, digest).0 == errSecParam)
        }
    }

    @Test("147: on a curve only sigRaw is two numbers side by side; every other padding is DER")
    func elliptic() {
        let (key, digest) = (Shared.curves[256]!, Data(repeating: 7, count: 32))
        #expect(signed(key, .sigRaw, digest).1.count == 64)
        for padding in [SecPadding.PKCS1, [], .PKCS1SHA256] {
            let (status, signature) = signed(key, padding, digest)
            #expect(status == errSecSuccess && signature.first == 0x30)
            #expect(verified(key.publicHalf, [], digest, signature) == errSecSuccess)
            #expect(verified(key.publicHalf, .sigRaw, digest, signature) == errSSLCrypto)
        }
    }

    @Test("147: OAEP is that of SHA-1, there and back; too little room is -50")
    func encryption() throws {
        func run(
            _ call: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> OSStatus, _ data: Data,
            room: Int = 128
        ) -> (OSStatus, Data) {
            var (made, count) = ([UInt8](repeating: 0, count: room), room)
            let status = call([UInt8](data), data.count, &made, &count)
            return (status, Data(made.prefix(count)))
        }
        let (key, half) = (Shared.rsa1024, Shared.rsa1024.publicHalf)
        let short = Data("short".utf8)
        for (padding, algorithm) in [(SecPadding.OAEP, SecKeyAlgorithm.rsaEncryptionOAEPSHA1), (.PKCS1, .rsaEncryptionPKCS1)] {
            let (status, sealed) = run({ SecKeyEncrypt(half, padding, $0, $1, $2, $3) }, short)
            #expect(try status == errSecSuccess && key.decrypt(sealed, algorithm) == short)
            #expect(run({ SecKeyDecrypt(key, padding, $0, $1, $2, $3) }, sealed).1 == short)
            #expect(run({ SecKeyDecrypt(key, padding, $0, $1, $2, $3) }, sealed, room: 4).0 == errSecParam)
            #expect(run({ SecKeyEncrypt(half, padding, $0, $1, $2, $3) }, short, room: 127).0 == errSecParam)
        }
        #expect(run({ SecKeyEncrypt(half, .sigRaw, $0, $1, $2, $3) }, short).0 == errSecParam)
        #expect(run({ SecKeyEncrypt(Shared.curves[256]!, .PKCS1, $0, $1, $2, $3) }, short).0 == errSecParam)
    }

    @Test("sizes by name are the numbers that Apple has")
    func sizes() {
        let all: [SecKeySizes] = [.secDefaultKeySize, .sec3DES192, .secAES128, .secAES192, .secAES256, .secp192r1]
        #expect(all.map(\.rawValue) == [0, 192, 128, 192, 256, 192])
        let more: [SecKeySizes] = [.secp256r1, .secp384r1, .secp521r1, .secRSAMin, .secRSAMax]
        #expect(more.map(\.rawValue) == [256, 384, 521, 1024, 4096])
    }
}
