import Foundation
import Testing

@testable import ThumbSecrets

@Suite("SecretBytes") struct SecretBytesTests {
    private struct Refusal: Error {}

    @Test(
        "a secret gives back what was put in, whatever its length",
        arguments: [0, 1, 15, 16, 17, 1000, 5000, 16384, 16385, 100_000])
    func roundTrip(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let secret = try SecretBytes(copying: bytes)
        #expect(secret.count == count)
        #expect(secret.isEmpty == (count == 0))
        #expect(secret.withUnsafeBytes { Array($0) } == bytes)
        #expect(secret.withSecretSpan { $0.byteCount } == count)
    }

    @Test("a released secret's memory is zeroed", arguments: [24, 16384])
    func zeroed(count: Int) throws {
        let arena = SecretArena()
        // A neighbour keeps the page mapped, so that the released slot can still be looked at.
        let neighbour = try SecretBytes(copying: [UInt8](repeating: 1, count: 24), in: arena)
        var secret: SecretBytes? = try SecretBytes(copying: [UInt8](repeating: 0xA5, count: count), in: arena)
        let address = try #require(secret).withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        secret = nil
        let left = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
        #expect(left.allSatisfy { $0 == 0 })
        #expect(neighbour.count == 24)
    }

    @Test("a released secret's memory is zeroed where it has pages of its own too, whole or growing", arguments: [false, true])
    func zeroedPages(isGrowing: Bool) throws {
        let arena = SecretArena()
        let memory = try isGrowing ? arena.allocateEmpty(20_000) : arena.allocate(20_000)
        if isGrowing { #expect(try arena.grow(memory, to: 100) >= 100) }
        guard case .mapping(let mapping) = memory.home else { throw Refusal() }
        let pages = UnsafeMutableRawBufferPointer(start: mapping.base, count: mapping.usable)
        #expect(!pages.isEmpty)
        pages.initializeMemory(as: UInt8.self, repeating: 0xA5)
        arena.release(memory)
        #expect(pages.allSatisfy { $0 == 0 })
        // It keeps the pages mapped, so that the released ones can still be looked at.
        withExtendedLifetime(mapping) {}
    }

    @Test("a fill that throws leaves nothing behind", arguments: [64, 100_000])
    func throwingFill(count: Int) throws {
        let arena = SecretArena()
        #expect(throws: Refusal.self) {
            _ = try SecretBytes(count: count, in: arena) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0xFF)
                throw Refusal()
            }
        }
        #expect(throws: Refusal.self) { _ = try SecretBytes(filling: count, in: arena) { _ in throw Refusal() } }
        #expect(arena.inUse == 0)
        #expect(try SecretBytes(count: count, in: arena) { _ in }.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
    }

    @Test("a fill keeps what it says it wrote, and the rest is zeroed")
    func filling() throws {
        let secret = try SecretBytes(filling: 64) { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: 0xEE)
            return 3
        }
        #expect(secret.count == 3)
        let whole = secret.withUnsafeBytes { Array(UnsafeRawBufferPointer(start: $0.baseAddress, count: 64)) }
        #expect(whole == [0xEE, 0xEE, 0xEE] + [UInt8](repeating: 0, count: 61))
    }

    @Test("a fill that claims more than its room is refused", arguments: [65, -1])
    func overfilled(claim: Int) {
        #expect(throws: SecretError(.overfilled)) { _ = try SecretBytes(filling: 64) { _ in claim } }
    }

    @Test("a negative count is refused")
    func negative() {
        #expect(throws: SecretError(.outOfBounds)) { _ = try SecretBytes(count: -1) { _ in } }
    }

    @Test("secrets are equal exactly when their bytes are")
    func equality() throws {
        let secret = try SecretBytes(copying: Array("correct horse".utf8))
        #expect(try secret == SecretBytes(copying: Array("correct horse".utf8)))
        for index in 0..<secret.count {
            for bit in 0..<8 {
                var bytes = Array("correct horse".utf8)
                bytes[index] ^= 1 << bit
                #expect(try secret != SecretBytes(copying: bytes))
            }
        }
        #expect(try secret != SecretBytes(copying: Array("correct hors".utf8)))
        #expect(try SecretBytes(copying: []) == SecretBytes(copying: []))
    }

    @Test("a slice is a secret of its own")
    func slice() throws {
        let secret = try SecretBytes(copying: Array("abcdef".utf8))
        #expect(try secret.slice(2..<4) == SecretBytes(copying: Array("cd".utf8)))
        #expect(try secret.slice(6..<6).isEmpty)
        #expect(throws: SecretError(.outOfBounds)) { try secret.slice(2..<7) }
        #expect(throws: SecretError(.outOfBounds)) { try secret.slice(-1..<2) }
    }

    @Test("no description, dump or interpolation shows the content")
    func description() throws {
        let secret = try SecretBytes(copying: Array("swordfish".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        dump([secret: 1] as KeyValuePairs, to: &dumped)
        let shown = ["\(secret)", String(reflecting: secret), "\(Optional(secret) as Any)", dumped].joined()
        #expect("\(secret)" == "SecretBytes(9 bytes)")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(!shown.contains("swordfish"))
        #expect(!shown.contains("115"))
        #expect(!shown.contains("0x"))
    }

    @Test("random secrets differ")
    func random() throws {
        let secrets = try (0..<8).map { _ in try SecretBytes.random(count: 32) }
        for (index, secret) in secrets.enumerated() {
            #expect(secrets[(index + 1)...].allSatisfy { $0 != secret })
            #expect(secret.withUnsafeBytes { Set($0).count } > 8)
        }
    }
}
