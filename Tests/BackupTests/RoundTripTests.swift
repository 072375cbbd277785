import Testing
import ThumbAccess
import ThumbClient
import ThumbKeychain
import ThumbSecrets
import ThumbStorage
import ThumbturnSimulator
import thumbturn_test_support

@Suite("A backup and back", .oneDevice)
struct RoundTripTests {
    /// Sizes and bytes that were ever taken for an end or for nothing.
    private static func bytes(_ number: Int) -> [UInt8]? {
        switch number % 10 {
        case 0: []
        case 1: nil
        case 2: Array("two\nlines\n".utf8)
        case 3: [0, 1, 0, 255, 0]
        case 4: [UInt8](repeating: UInt8(number % 251), count: 4096)
        default: number == 5 || number == 505 ? [UInt8](repeating: 5, count: QueryLimit.secretBytes) : Array("s\(number)".utf8)
        }
    }

    private static func fill(_ count: Int) throws {
        let rules = [AccessRule(.whenUnlocked), AccessRule(.afterFirstUnlock), AccessRule(.always)]
        for number in 0..<count {
            let group = number % 2 == 0 ? "app.one" : "app.two"
            let (rule, secret) = (rules[number % 3], bytes(number))
            switch number % 4 {
            case 0: try add("\(number)", secret, rule, group: group, more: [.comment: .data([0, 0xff, 10])])
            case 1:
                try add(
                    "\(number)", secret, rule, itemClass: .internetPassword, group: group,
                    more: [.server: .text("host\(number)"), .port: .number(443)])
            case 2:
                try add(
                    "\(number)", secret, rule, itemClass: .key, group: group,
                    more: [.keyClass: .number(1), .applicationLabel: .data(Array("\(number)".utf8))])
            default:
                // The certificate of the key before it, in the key's group: an identity.
                try add(
                    "\(number)", secret, rule, itemClass: .certificate, group: "app.one",
                    more: [.serialNumber: .data(Array("\(number)".utf8)), .publicKeyHash: .data(Array("\(number - 1)".utf8))])
            }
        }
        try add("presence", Array("asked for".utf8), AccessRule(.whenUnlocked, .userPresence))
    }

    private static func identities() throws -> Int {
        try DeviceClient.shared.find(Query(itemClass: .identity, sync: .any, limit: nil, shape: .attributes)).count
    }

    @Test("A thousand items of all classes, sizes and groups are in a fresh device what they were, with their dates and rules")
    func fresh() async throws {
        let (saved, before, identities) = try await withDevice { _ in
            try Self.fill(1000)
            return (try Saved(), try everything(), try Self.identities())
        }
        #expect(before.count == 1001)
        #expect(saved.items == 1001 && saved.tally == ExportTally(looked: 1001, exported: 1001))
        #expect(saved.chunks.dropLast().allSatisfy { !$0.isLast && BackupLimit.box.contains($0.box.count) })
        let (tally, after, again, identitiesAfter) = try await withDevice(later: 86_400) { device in
            let counted = try saved.restore(countsOnly: true)
            #expect(throws: KeychainFailure.itemNotFound) {
                try DeviceClient.shared.find(Query(itemClass: .genericPassword, limit: nil))
            }
            let tally = try saved.restore()
            guard counted == tally else { return (counted, try everything(), tally, 0) }
            let after = try everything()
            return (tally, after, try saved.restore(), try Self.identities())
        }
        #expect(tally == ImportTally(added: 1001))
        #expect(after == before)
        #expect(again == ImportTally(present: 1001))
        #expect(identities == 250 && identitiesAfter == identities)
    }

    @Test("In the same device what is there stays as it is, what is gone comes back, and --replace takes changes back")
    func same() async throws {
        try await withDevice { _ in
            try Self.fill(40)
            let before = try everything()
            let saved = try Saved()
            let one = Query(itemClass: .genericPassword, attributes: [.account: .text("0")], sync: .any)
            let two = Query(itemClass: .genericPassword, attributes: [.account: .text("4")], sync: .any)
            try DeviceClient.shared.update(one, with: ItemChange(secret: secret("changed")))
            try DeviceClient.shared.remove(two)
            let changed = try everything()
            #expect(try saved.restore() == ImportTally(added: 1, present: 40))
            #expect(try everything().subtracting(changed).count == 1)
            #expect(try saved.restore(replaces: true) == ImportTally(replaced: 41))
            #expect(try everything() == before)
        }
    }

    @Test("Twenty thousand items go in, out and in again", .timeLimit(.minutes(10)))
    func many() async throws {
        let count = 20_000
        let made = try Self.made(count)
        let (saved, tally, looked) = try await withDevice { _ in
            let tally = try made.restore()
            let saved = try Saved()
            return (saved, tally, saved.tally.looked)
        }
        #expect(tally == ImportTally(added: UInt64(count)) && looked == UInt64(count))
        let after = try await withDevice { _ in
            try saved.restore()
            let query = Query(itemClass: .genericPassword, sync: .any, limit: nil, shape: [.attributes, .data])
            return try DeviceClient.shared.find(query).map { item in
                Contents(
                    attributes: item.attributes, rule: item.rule,
                    secret: item.secret.map { $0.plainBytes(in: 0..<$0.count) })
            }
        }
        #expect(after.count == count && Set(after).count == count)
        #expect(after.allSatisfy { $0.secret == $0.attributes[.account]?.comparable && $0.attributes[.modified] == .date(2) })
    }

    /// A backup of that many small items, made without a device.
    private static func made(_ count: Int) throws -> Saved {
        let stretch = try Stretch(cost: .least)
        let sealer = try BackupSealer(stretched: stretch.stretch(passphrase: secret(Saved.passphrase)), stretch)
        var saved = Saved(head: sealer.head)
        for start in stride(from: 0, to: count, by: 100) {
            let items = try (start..<start + 100).map { number in
                BackupItem(
                    itemClass: .genericPassword, group: "app.one", rule: AccessRule(.whenUnlocked),
                    attributes: [
                        .account: .text("\(number)"), .service: .text("many"), .synchronizable: .number(0), .created: .date(1),
                        .modified: .date(2),
                    ], secret: try SecretBytes(copying: Array("\(number)".utf8)))
            }
            let isLast = start + 100 >= count
            saved.chunks.append((try sealer.seal(items, isLast: isLast), isLast))
        }
        return saved
    }
}

extension Saved {
    init(head: [UInt8]) {
        self.head = head
        items = 0
    }
}
