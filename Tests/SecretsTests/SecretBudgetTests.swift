import CThumbLinux
import Testing

@testable import ThumbSecrets

@Suite("Locked memory that arenas share, and secrets that come in pieces")
struct SecretBudgetTests {
    @Test("arenas of one budget share it: a full one leaves the other nothing, and gives back what it releases")
    func shared() throws {
        let budget = SecretBudget(limit: 1 << 20)
        let (one, other) = (SecretArena(within: budget), SecretArena(within: budget))
        var held = [try SecretBytes(count: 1 << 20, in: one) { _ in }]
        #expect(budget.locked == 1 << 20)
        #expect(throws: SecretError(.arenaFull)) { _ = try SecretBytes(count: 1, in: other) { _ in } }
        held.removeAll()
        #expect(budget.locked == 0)
        #expect(try SecretBytes(count: 1 << 20, in: other) { _ in }.count == 1 << 20)
    }

    @Test("whoever has no budget finds its memory, however full the clients' is")
    func reserve() throws {
        let clients = SecretArena(within: SecretBudget(limit: 256 << 10))
        var held: [SecretBytes] = []
        #expect(throws: SecretError(.arenaFull)) {
            while true { held.append(try SecretBytes(count: 4096, in: clients) { _ in }) }
        }
        let house = SecretArena(limit: 256 << 10)
        #expect(try SecretBytes(count: 32, in: house) { _ in }.count == 32)
    }

    @Test("an arena has its own limit within a budget, and takes exactly that")
    func limit() throws {
        let arena = SecretArena(limit: 128 << 10, within: SecretBudget(limit: 1 << 20))
        let whole = try SecretBytes(count: 128 << 10, in: arena) { _ in }
        #expect(throws: SecretError(.arenaFull)) { _ = try SecretBytes(count: 1, in: arena) { _ in } }
        #expect(whole.count == 128 << 10)
    }

    @Test("an arena that goes gives its budget everything back")
    func gone() throws {
        let budget = SecretBudget(limit: 1 << 20)
        do {
            let arena = SecretArena(within: budget)
            #expect(try SecretBytes(count: 32, in: arena) { _ in }.count == 32)
            // The chunk stays for the next secret.
            #expect(budget.locked == Chunk.size)
        }
        #expect(budget.locked == 0)
    }

    @Test("a place for a long secret takes no memory; each piece takes what it needs, and the whole is what was filled in")
    func pieces() throws {
        let arena = SecretArena(limit: 4 << 20)
        let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var filling = try SecretFilling(comingAs: bytes.count, in: arena)
        let atFirst = filling.room
        #expect(arena.statistics.locked == 0 && atFirst == 0)
        var place = 0
        while !filling.isFull {
            try filling.makeRoom(for: 70_001)
            #expect(arena.statistics.locked <= place + 70_001 + 2 * GuardedMapping.pageSize)
            place += filling.fill { room in
                let count = min(room.count, 70_001)
                room.copyBytes(from: bytes[place..<place + count])
                return count
            }
        }
        do {
            let secret = filling.finish()
            #expect(secret.plainBytes(in: 0..<secret.count) == bytes)
        }
        #expect(arena.statistics == .init())
    }

    @Test("a place that gets no more memory keeps what has come, and gives it back when it goes")
    func refused() throws {
        let arena = SecretArena(limit: 64 << 10)
        do {
            var filling = try SecretFilling(comingAs: 1 << 20, in: arena)
            try filling.makeRoom(for: 60_000)
            let room = filling.room
            #expect(room >= 60_000)
            let filled = filling.fill { room in
                room.initializeMemory(as: UInt8.self, repeating: 7)
                return room.count
            }
            #expect(filled == room)
            do {
                try filling.makeRoom(for: 10_000)
                Issue.record("there was more room than the limit")
            } catch {
                #expect(error == SecretError(.arenaFull))
            }
            let kept = filling.filled
            #expect(kept == room && arena.statistics.locked <= 64 << 10)
        }
        #expect(arena.statistics == .init())
    }

    @Test("a piece that the system doesn't lock takes nothing from anybody, and comes as soon as the system does")
    func unlocked() throws {
        let isAllowed = Locked(false)
        let locker = Locker { base, count in isAllowed.withLock { $0 } ? Locker.system.lock(base, count) : EPERM }
        let budget = SecretBudget(limit: 1 << 20)
        let arena = SecretArena(limit: 1 << 20, within: budget, locker: locker)
        do {
            var filling = try SecretFilling(comingAs: 100_000, in: arena)
            // Together more than there is.
            for _ in 0..<50 {
                do {
                    try filling.makeRoom(for: 50_000)
                    Issue.record("there was room that isn't locked")
                } catch {
                    #expect(error == SecretError(.lockRefused))
                }
                #expect(arena.statistics.locked == 0 && budget.locked == 0)
            }
            isAllowed.withLock { $0 = true }
            try filling.makeRoom(for: 100_000)
            let room = filling.room
            #expect(room >= 100_000 && budget.locked >= 100_000)
        }
        #expect(arena.statistics == .init() && budget.locked == 0)
    }

    @Test("a secret is copied into another arena, and each holds its own")
    func copied() throws {
        let (one, other) = (SecretArena(), SecretArena())
        var secret: SecretBytes? = try SecretBytes(copying: [1, 2, 3], in: one)
        let copy = try #require(try secret?.copy(in: other))
        secret = nil
        #expect(one.inUse == 0 && other.inUse > 0 && copy.plainBytes(in: 0..<3) == [1, 2, 3])
        // The rest of one is the rest in the same arena too.
        let rest = try copy.copy(from: 1, in: other)
        #expect(rest.plainBytes(in: 0..<rest.count) == [2, 3])
    }
}
