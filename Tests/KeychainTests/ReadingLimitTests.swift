import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

@testable import ThumbKeychain

// How much a reader is given at once, and what a locked session keeps from it.
extension ReadingTests {
    @Test("A reader is released eight megabytes in one call, and not one byte more; the rest is named and released by another")
    func muchAtOnce() throws {
        var items: [StoredItem] = []
        // Locked memory is scarce, so all eight have the same megabyte.
        let megabyte = try SecretBytes(copying: [UInt8](repeating: 1, count: 1 << 20))
        for number in 0..<9 {
            items.append(try put("\(number)"))
            store.items[number].secret = try number < 8 ? megabyte : SecretBytes(copying: [1])
        }
        let eight = Array(items.prefix(8))
        let labels = (0..<8).map { "\($0)" }
        #expect(came(reading(Self.maker, eight), authority()) == .released(labels))
        #expect(came(reading(Self.maker, items), authority()) == .released(labels + ["?"]))
        #expect(came(reading(Self.maker, Array(items.dropFirst())), authority()) == .released((1...8).map { "\($0)" }))
        // The last of these would be one byte too many.
        #expect(came(reading(Self.maker, [items[8]] + eight), authority()) == .released(["8"] + labels.dropLast() + ["?"]))
    }

    @Test("Nobody is asked in vain: an item that a password of an app's own opens too is refused unasked")
    func ownPassword() throws {
        let held = try put("held", rule: try AccessRule(.afterFirstUnlock, .applicationPassword))
        #expect(came(reading("/usr/bin/git", [held]), authority()) == .failed(.authenticationFailed))
        let guarded = try put("guarded", rule: try AccessRule(.afterFirstUnlock, [.userPresence, .applicationPassword]))
        #expect(came(reading(Self.maker, [guarded]), authority()) == .failed(.authenticationFailed))
    }

    @Test("What is dead isn't in the owner's list")
    func listedDead() throws {
        let (dead, living) = (try put("dead"), try put("living"))
        try store.markDead(dead)
        var listed: [[UInt8]] = []
        _ = try keychain.listKept(authority("/usr/bin/thumbturn").caller, after: nil) { item in
            listed.append(item.persistentRef)
            return true
        }
        #expect(listed == [PersistentRef.make(living)])
    }

    @Test("While the session is locked, what only an unlocked one opens isn't free, not even to its maker")
    func readableWhileLocked() throws {
        let items = [try put("unlocked", rule: AccessRule(.whenUnlocked)), try put("first")]
        let references = items.map { PersistentRef.make($0) }
        for (isLocked, expected) in [(true, [.asks, .free]), (false, [.free, .free])] as [(Bool, [Readability])] {
            let found = try keychain.readability(of: references, by: reader(Self.maker), authority(isLocked: isLocked))
            #expect(found == expected, "locked: \(isLocked)")
        }
    }
}
