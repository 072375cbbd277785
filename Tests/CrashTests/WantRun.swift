import ThumbAccess
import ThumbSecrets
import ThumbStorage
import thumbturn_test_programs
import thumbturn_test_store

/// Eight users' stores in a process of their own, in which locked memory, memory, disk and descriptors run out at random.
struct WantRun {
    static let users = 8

    private enum Lack: CaseIterable {
        case nothing, memory, brokenDisk, fullDisk, reads, descriptors, room
    }

    private var dice: Dice
    private let ballast = Ballast()
    private var stores: [WantingStore] = []
    /// Whether locked memory is all but used up; it stays so for a while.
    private var isArenaFull = false

    init(seed: UInt64) throws {
        dice = Dice(seed)
        // Held from the start: what is to be stored must not itself be what there is no room for.
        let secrets = try (0..<16).map {
            try SecretBytes(copying: Array("secret number \($0), long enough for a passphrase".utf8))
        }
        stores = try (0..<Self.users).map { try WantingStore("user \($0)", secrets: secrets) }
    }

    /// Does so many acts, then gives everything back and compares all of it. Answers how many were acknowledged, and how many failed
    /// for want of something; throws what is wrong.
    mutating func run(_ acts: Int) throws -> (done: Int, wanted: Int) {
        for number in 0..<acts {
            let store = stores[dice.roll(stores.count)]
            let act = WantingStore.Act.allCases[dice.roll(WantingStore.Act.allCases.count)]
            if store.isUncertain { try compare(store, number) }
            lack(of: store, opening: act == .reopen)
            defer { giveBack(to: store) }
            do {
                try store.perform(act, by: &dice)
                try store.sayNothingOfDamage()
            } catch {
                throw Wrong(description: "act \(number), \(act): \(error)")
            }
            if dice.roll(100) == 0 { try compare(store, number) }
        }
        for store in stores {
            store.close()
            try compare(store, acts)
            try store.verify()
            try store.verifyAudit()
        }
        return (stores.reduce(0) { $0 + $1.done }, stores.reduce(0) { $0 + $1.wanted })
    }

    private mutating func compare(_ store: WantingStore, _ number: Int) throws {
        giveBack(to: store)
        ballast.empty()
        isArenaFull = false
        store.isWanting = false
        do { try store.compare() } catch { throw Wrong(description: "after act \(number): \(error)") }
    }

    /// Takes something away.
    private mutating func lack(of store: WantingStore, opening: Bool) {
        if dice.roll(16) == 0 { isArenaFull.toggle() }
        if isArenaFull {
            ballast.fill()
            ballast.giveBack(dice.roll(4) == 0 ? 0 : dice.roll(40), by: &dice)
        } else {
            ballast.empty()
        }
        store.isWanting = isArenaFull
        guard dice.roll(2) == 0, let kind = Lack.allCases.randomElement(using: &dice), kind != .nothing else { return }
        store.isWanting = true
        // An opening takes more steps than a write.
        let place = dice.roll(opening ? 20 : 8)
        switch kind {
        case .nothing: break
        case .memory: Want.memory(dice.roll(2) == 0 ? dice.roll(4096) : dice.roll(200_000))
        case .brokenDisk: store.disk.fail(at: place, .broken, lasting: dice.roll(2) == 0)
        case .fullDisk: store.disk.fail(at: place, .full, lasting: dice.roll(2) == 0)
        case .reads: store.disk.failReads(from: place, dice.roll(2) == 0 ? 1 : 1000)
        case .descriptors: Want.descriptors(dice.roll(5))
        case .room: Want.room(dice.roll(2) == 0 ? 0 : dice.roll(100_000))
        }
    }

    private func giveBack(to store: WantingStore) {
        Want.memory(nil)
        Want.descriptors(nil)
        Want.room(nil)
        store.disk.mend()
        store.isWanting = isArenaFull
    }
}
