import Foundation
import Testing
import ThumbCrypto
import thumbturn_test_support

@Suite("Certificates") struct CertificateTests {
    private let leaf = [UInt8](TestCertificate.leaf)

    @Test("A certificate's parts are read as the openssl command shows them")
    func parts() throws {
        let certificate = try Certificate(der: leaf)
        #expect(certificate.version == 3)
        #expect(certificate.serialNumber == [42])
        #expect(certificate.commonName == "Ada Example")
        #expect(certificate.summary == "Ada Example")
        #expect(certificate.emailAddresses.sorted() == ["ada@example.com", "ada@example.org"])
        #expect(certificate.subjectKeyID == hex("f0557200401c1ff751d03ddf141c3ed0bcf0f3cf"))
        #expect(certificate.publicKeyBits.count == 65 && certificate.publicKeyBits.starts(with: [0x04, 0xf7, 0x17, 0x12, 0x87]))
        // 2026-11-21T15:04:05Z and a hundred years of 365 days.
        #expect(certificate.validity == 1_795_273_445...(1_795_273_445 + 36_500 * 86_400))
    }

    @Test("A name is the same bytes as subject and as issuer; a serial number keeps DER's leading zero")
    func names() throws {
        let root = try Certificate(der: [UInt8](TestCertificate.root))
        #expect(root.subject == root.issuer)
        #expect(try Certificate(der: leaf).issuer == root.subject)
        #expect(root.serialNumber == hex("00f1e2d3c4b5a6978801"))
    }

    @Test("What isn't exactly one certificate is refused: nothing, a part, one byte more, one too many")
    func refused() {
        let bad = [[], Array(leaf.dropLast()), leaf + [0], leaf + leaf, Array("-----BEGIN CERTIFICATE-----".utf8)]
        for der in bad {
            #expect(throws: CryptoError.self) { try Certificate(der: der) }
        }
        #expect(throws: CryptoError.self) { try Certificate(der: [UInt8](repeating: 0x30, count: Certificate.byteLimit + 1)) }
    }

    @Test("A version that X.509 doesn't have is refused, up to the largest number there is")
    func versions() throws {
        let explicit: [UInt8] = [0xa0, 3, 2, 1, 2]
        let place = try #require(leaf.indices.first { leaf[$0...].starts(with: explicit) })
        func changed(to number: [UInt8]) -> [UInt8] {
            var changed = leaf
            let count = UInt8(number.count)
            changed.replaceSubrange(place..<place + explicit.count, with: [0xa0, count + 2, 2, count] + number)
            // The two lengths before it, of two bytes each.
            for length in [2, 6] {
                let whole = Int(leaf[length]) << 8 + Int(leaf[length + 1]) + number.count - 1
                (changed[length], changed[length + 1]) = (UInt8(whole >> 8), UInt8(whole & 0xff))
            }
            return changed
        }
        #expect(try Certificate(der: changed(to: [1])).version == 2)
        for number in [[3], [0xff], [0x7f] + [UInt8](repeating: 0xff, count: 7)] as [[UInt8]] {
            #expect(throws: CryptoError.self, "\(number)") { try Certificate(der: changed(to: number)) }
        }
    }

    @Test("A certificate with any one bit turned is refused or read, and never traps")
    func bits() {
        var read = 0
        for position in leaf.indices {
            for bit in 0..<8 {
                var changed = leaf
                changed[position] ^= 1 << bit
                if (try? Certificate(der: changed)) != nil { read += 1 }
            }
        }
        // A turned bit in a name or a signature still makes a certificate; one in a length doesn't.
        #expect(read > 0 && read < leaf.count * 8)
    }
}
