import Foundation
import Glibc
import Testing
import ThumbAccess
import ThumbSecrets
import thumbturn_test_programs

@testable import ThumbCrypto

@Suite("What operations leave in memory") struct ResidueTests {
    @Test("no scalar and no shared secret, on any curve")
    func elliptic() async {
        await #expect(processExitsWith: .success) {
            for curve in Curve.allCases {
                let traces = Traces()
                try useElliptic(curve, traces)
                traces.expectNone("\(curve)")
            }
        }
    }

    @Test("none of RSA's numbers and nothing decrypted")
    func rsa() async {
        await #expect(processExitsWith: .success) {
            let traces = Traces()
            try useRSA(traces)
            traces.expectNone("RSA")
        }
    }

    @Test("the search itself finds what is left behind")
    func search() async {
        await #expect(processExitsWith: .success) {
            let traces = Traces()
            let secret = try SecretBytes.random(count: 32)
            traces.note(secret)
            // The secret's own place, and a copy that reads backwards, as libcrypto's numbers do.
            let alone = withExtendedLifetime(secret) { traces.count }
            let copy = secret.withUnsafeBytes { Array($0.reversed()) }
            let both = withExtendedLifetime((secret, copy)) { traces.count }
            guard alone == 1, both == 2 else { exit(Int32(10 * alone + both)) }
        }
    }
}

private func useElliptic(_ curve: Curve, _ traces: Traces) throws {
    let key = try PrivateKey.generate(.elliptic(curve))
    traces.note(try key.external.slice(curve.pointBytes..<key.external.count))
    let peer = try PrivateKey.generate(.elliptic(curve)).publicKey
    let plaintext = try SecretBytes.random(count: 32)
    traces.note(plaintext)
    traces.note(try key.agree(with: peer, .raw))
    for _ in 0..<50 {
        let read = try PrivateKey(external: key.external, .elliptic)
        let signature = try read.signature(digest: [1, 2, 3], .ecdsa)
        _ = try read.publicKey.isSignature(signature, of: [1, 2, 3], .ecdsa)
        _ = try read.agree(with: peer, .x963(.sha256, count: 32, sharedInfo: []))
        let scheme = EncryptionScheme.ecies(.sha256, derivesNonce: true)
        _ = try read.decrypt(read.publicKey.encrypt(plaintext, scheme), scheme)
    }
}

private func useRSA(_ traces: Traces) throws {
    let key = try PrivateKey.generate(.rsa(bits: 2048))
    let form = try #require(key.external.withUnsafeBytes { RSAPrivateForm($0) })
    for place in form.numbers.dropFirst(2) { traces.note(try key.external.slice(place)) }
    let plaintext = try SecretBytes.random(count: 32)
    traces.note(plaintext)
    for _ in 0..<20 {
        let read = try PrivateKey(external: key.external, .rsa)
        _ = try read.signature(digest: [UInt8](repeating: 1, count: 32), .rsaPSS(.sha256))
        for scheme in [EncryptionScheme.rsaPKCS1, .rsaOAEP(.sha256), .rsaOAEPGCM(.sha256)] {
            _ = try read.decrypt(read.publicKey.encrypt(plaintext, scheme), scheme)
        }
    }
}

/// Secrets to look for in this process's memory. They lie in a mapping of their own, which isn't looked at.
private final class Traces {
    private static let size = 1 << 16
    private let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    private var places: [Range<Int>] = []
    private var used = 0

    /// Notes a secret, and the same backwards: libcrypto's numbers begin with the least byte.
    func note(_ secret: SecretBytes) {
        secret.withUnsafeBytes { bytes in
            // A part is enough to find the whole; the ends of numbers may be cut off.
            for source in [Array(4..<bytes.count - 4), (4..<bytes.count - 4).reversed()] {
                for (offset, index) in source.enumerated() {
                    (base + used + offset).storeBytes(of: bytes[index], as: UInt8.self)
                }
                places.append(used..<used + source.count)
                used += source.count
            }
        }
    }

    /// How many times one of them lies in memory that this process can write.
    var count: Int {
        // A file without a size, which is cut short when read by its path.
        let file = FileHandle(forReadingAtPath: "/proc/self/maps")
        let maps = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
        guard maps.contains("[stack]") else { fatalError("only a part of the map") }
        var found = 0
        var looked = 0
        for line in maps.split(separator: "\n") where line.contains(" rw") && !line.contains("[v") {
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard let start = UnsafeMutableRawPointer(bitPattern: bounds[0]), !MemoryImage.isShadow(UInt64(bounds[0])) else {
                continue
            }
            let end = UnsafeMutableRawPointer(bitPattern: bounds[1])!
            looked += end - start
            for place in places {
                var position = start
                let (needle, length) = (base + place.lowerBound, place.count)
                let first = Int32(needle.load(as: UInt8.self))
                while end - position >= length, let hit = memchr(position, first, end - position - length + 1) {
                    // A neighbouring mapping may have become one with ours.
                    if memcmp(hit, needle, length) == 0, !(base..<base + Self.size).contains(hit) { found += 1 }
                    position = hit + 1
                }
            }
        }
        guard looked > 1 << 16 else { fatalError("looked at \(looked) bytes") }
        return found
    }

    func expectNone(_ what: String) {
        if count > 0 { fatalError("\(what): \(count) traces") }
    }
}
