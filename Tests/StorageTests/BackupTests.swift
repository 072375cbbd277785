import Foundation
import Testing
import ThumbAccess
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

@Suite("A backup's form")
struct BackupTests {
    static let passphrase = "tulips in spring"

    /// A backup as it stands in a file: the head, then each chunk behind its own head.
    static func file(_ chunks: [[BackupItem]], _ passphrase: String = passphrase) throws -> (head: [UInt8], chunks: [[UInt8]]) {
        let stretch = try Stretch(cost: .least)
        let sealer = try BackupSealer(stretched: stretch.stretch(passphrase: secret(passphrase)), stretch)
        let boxes = try chunks.enumerated().map { number, items in
            let isLast = number == chunks.count - 1
            let box = try sealer.seal(items, isLast: isLast)
            return [isLast ? 1 : 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: box.count >> $0) } + box
        }
        return (sealer.head, boxes)
    }

    /// What comes out of a file until something is wrong with it, and what that is; nil where its length ends it too soon.
    static func read(_ file: [UInt8], _ passphrase: String = passphrase) throws -> (items: [BackupItem], end: BackupError?) {
        var items: [BackupItem] = []
        do {
            let head = try BackupHead(reading: Array(file.prefix(BackupLimit.headBytes)))
            let opener = try BackupOpener(head, stretched: head.stretch.stretch(passphrase: secret(passphrase)))
            var rest = file.dropFirst(BackupLimit.headBytes)
            while true {
                guard rest.count >= BackupLimit.chunkHeadBytes else { return (items, .backup(.damaged)) }
                let last = rest.removeFirst()
                let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(4)
                guard last <= 1, count <= rest.count else { return (items, .backup(.damaged)) }
                items += try opener.open(Array(rest.prefix(count)), isLast: last == 1)
                rest = rest.dropFirst(count)
                if last == 1 { return (items, rest.isEmpty ? nil : .backup(.damaged)) }
            }
        } catch let failure as BackupFailure {
            return (items, .backup(failure))
        } catch let error as BackupError {
            return (items, error)
        }
    }

    static func backupItem(_ account: String, _ bytes: [UInt8]?) throws -> BackupItem {
        BackupItem(
            itemClass: .genericPassword, group: group, rule: try AccessRule(.whenUnlocked, .userPresence),
            attributes: [
                .account: .text(account), .service: .data([0, 0xff, 10]), .created: .date(-0.25), .creator: .number(.min),
                .invisible: .flag(true),
            ],
            secret: try bytes.map { try SecretBytes(copying: $0) })
    }

    static func same(_ left: [BackupItem], _ right: [BackupItem]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy {
                $0.itemClass == $1.itemClass && $0.group == $1.group && $0.rule == $1.rule && $0.attributes == $1.attributes
                    && $0.secret == $1.secret
            }
    }

    static func small() throws -> [[BackupItem]] {
        [
            [try backupItem("one", Array("a\n\0b".utf8)), try backupItem("none", nil)], [],
            [try backupItem("empty", [])],
        ]
    }

    @Test("What was sealed is opened: data, none, and empty data; newline and NUL; a chunk with nothing in it")
    func roundTrip() throws {
        let chunks = try Self.small()
        let made = try Self.file(chunks)
        #expect(made.head.count == BackupLimit.headBytes)
        let (items, end) = try Self.read(made.head + made.chunks.flatMap(\.self))
        #expect(end == nil)
        #expect(Self.same(items, chunks.flatMap(\.self)))
    }

    /// What `small` has, without its empty chunk, as another program wrote it by docs/STORE.md.
    private static let calculated = """
        VEhVTUJCQUsAAQIAAAAIAAAAAQAAAAFgYWJjZGVmZ2hpamtsbW5vkzyQaePXZFe2T/zv3insYELWIvQeVmx5F5h3IMQc3FYCFrlDxBCJgolYozcL
        R3rkAAAAAP9wcXJzdHV2d3h5entU6HMWvD4o1UBSCsmq7xI7o4KHURAcgMAgdwZG5stWFdZ9LpiSUUueNto3ANyp6NewM81pjkVn4B9QIgcZmk3T
        O2+BhlWIZwJA+lOwfXFrePvcTe3/ag3mi47dnHwUnfGV/GS7zUXGO73UpHiqPxoQon1gcp+ewhTfk+Z168+esdrZXtsTy2kOGSznSqKFHacYc8pw
        Wb8sPdetbpkl5fcl06/+yXscKGxGZwlMj7hvvCqM22SrvHnqY/ptOVihwnr0wX7QMeTgug3JC/LrEOnZXvqEI3DnPuJzEuHD95+v0E0Wyvl1eIlA
        TKK+yrk0dHJXfD8BAAAAkYCBgoOEhYaHiImKi4tvMBq+mfl/8mTlf37Tm7QH3/XxRDTV6dIohpsLMec6MmVZkFWtLHnWvaluCD5iv92Yeg9TbYaB
        T0jGvMUssGuHjFg/+LzE+7E/BxS+8IcquQFWa3b9HZOnQV404eEoxsy2zSUumFzDCfoNNNDZ2MAibDUghAmCS56T/e6SSnvRmxRhEOc=
        """

    @Test("A file that was made by the document, and by nothing of ours, is read")
    func byTheDocument() throws {
        let file = try #require(Data(base64Encoded: Self.calculated, options: .ignoreUnknownCharacters))
        let (items, end) = try Self.read(Array(file))
        #expect(end == nil)
        #expect(try Self.same(items, Self.small().flatMap(\.self)))
    }

    @Test("A chunk with a text that isn't UTF-8, or with an attribute twice, isn't one")
    func exactForm() throws {
        let chunk = try BackupCoding.chunk([Self.backupItem("anna", [1])])
        let bytes = chunk.plainBytes(in: 0..<chunk.count)
        #expect(try BackupCoding.items(in: chunk).count == 1)
        let changes: [(written: String, other: [UInt8])] = [("anna", [0xff, 0xff, 0xff, 0xff]), ("svce", Array("acct".utf8))]
        for (written, other) in changes {
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: written.utf8) })
            var changed = bytes
            changed.replaceSubrange(place..<place + 4, with: other)
            let form = try SecretBytes(copying: changed)
            #expect(throws: Malformed.self) { try BackupCoding.items(in: form) }
        }
    }

    @Test("A secret of the largest size fits a box, in the fullest chunk there can be")
    func largest() throws {
        let full = [UInt8](repeating: 7, count: QueryLimit.secretBytes)
        var large = try Self.backupItem("large", full)
        // All that attributes may be, in as many as there may be.
        large.attributes = [:]
        for number in 0..<UInt32(SealedItem.attributeLimit) {
            large.attributes[AttributeName(code: number)] = .data(
                [UInt8](repeating: 1, count: QueryLimit.attributesBytes / SealedItem.attributeLimit))
        }
        large.group = ExactName(String(repeating: "g", count: ItemLimits.group))
        let before = try Self.backupItem("before", [UInt8](repeating: 1, count: BackupLimit.chunkBytes - 1024))
        let made = try Self.file([[before, large]])
        #expect(made.chunks[0].count <= BackupLimit.box.upperBound)
        let (items, end) = try Self.read(made.head + made.chunks[0])
        #expect(end == nil && Self.same(items, [before, large]))
    }

    @Test("Wherever a file is cut, that is seen, and what came out before is what was put in")
    func truncated() throws {
        let chunks = try Self.small()
        let made = try Self.file(chunks)
        let file = made.head + made.chunks.flatMap(\.self)
        let all = chunks.flatMap(\.self)
        for count in 0..<file.count {
            let (items, end) = try Self.read(Array(file.prefix(count)))
            #expect(end != nil, "\(count) bytes")
            #expect(items.count <= all.count && Self.same(items, Array(all.prefix(items.count))), "\(count) bytes")
        }
    }

    @Test("Whichever bit of a file is another, that is seen, and what came out before is what was put in")
    func flipped() throws {
        let chunks = try Self.small()
        let made = try Self.file(chunks)
        let file = made.head + made.chunks.flatMap(\.self)
        let all = chunks.flatMap(\.self)
        for place in file.indices {
            for bit in 0..<8 {
                var other = file
                other[place] ^= 1 << bit
                let (items, end) = try Self.read(other)
                #expect(end != nil, "byte \(place), bit \(bit)")
                #expect(items.count <= all.count && Self.same(items, Array(all.prefix(items.count))), "byte \(place)")
                // Nothing in the head is taken for a wrong passphrase, which would send its owner looking for another one.
                if place < BackupLimit.headBytes { #expect(end != .backup(.wrongPassphrase), "byte \(place)") }
            }
        }
    }

    @Test("Chunks left out, exchanged, said twice, taken from another file, or added behind the end are seen")
    func moved() throws {
        let chunks = try Self.small()
        let (one, two) = (try Self.file(chunks), try Self.file(chunks))
        let wrong: [(String, [[UInt8]])] = [
            ("left out", [one.chunks[0], one.chunks[2]]), ("exchanged", [one.chunks[1], one.chunks[0], one.chunks[2]]),
            ("twice", [one.chunks[0], one.chunks[0], one.chunks[1], one.chunks[2]]),
            ("another file's", [one.chunks[0], two.chunks[1], one.chunks[2]]),
            ("another file's end", [one.chunks[0], one.chunks[1], two.chunks[2]]),
            ("joined", one.chunks + two.chunks), ("behind the end", one.chunks + [[0]]),
        ]
        for (name, chunks) in wrong {
            #expect(try Self.read(one.head + chunks.flatMap(\.self)).end == .backup(.damaged), "\(name)")
        }
        #expect(try Self.read(two.head + one.chunks.flatMap(\.self)).end == .backup(.damaged))
    }

    @Test("A chunk that isn't the last can't be passed off as the last, nor the last as one that others follow")
    func lastOne() throws {
        let chunks = try Self.small()
        let made = try Self.file(chunks)
        for end in made.chunks.indices {
            // Cut after this chunk. Its flag says the opposite of what was sealed.
            var cut = Array(made.chunks[...end])
            cut[end][0] ^= 1
            let (items, failure) = try Self.read(made.head + cut.flatMap(\.self))
            #expect(failure == .backup(.damaged), "chunk \(end)")
            #expect(Self.same(items, Array(chunks[..<end].flatMap(\.self))), "chunk \(end)")
        }
    }

    @Test("A chunk has 128 items at most; one more, or a secret of more than a megabyte, is none that an export writes")
    func records() throws {
        func end(_ items: [BackupItem]) throws -> BackupError? {
            let made = try Self.file([items])
            return try Self.read(made.head + made.chunks.flatMap(\.self)).end
        }
        let items = try (0...BackupLimit.chunkRecords).map { try Self.backupItem("\($0)", [1]) }
        #expect(try end(Array(items.dropLast())) == nil)
        #expect(try end(items) == .backup(.damaged))
        #expect(try end([Self.backupItem("long", [UInt8](repeating: 1, count: QueryLimit.secretBytes + 1))]) == .backup(.damaged))
    }

    @Test("After its last chunk a backup opens nothing more")
    func over() throws {
        let made = try Self.file([[]])
        let head = try BackupHead(reading: made.head)
        let opener = try BackupOpener(head, stretched: head.stretch.stretch(passphrase: secret(Self.passphrase)))
        let box = Array(made.chunks[0].dropFirst(BackupLimit.chunkHeadBytes))
        #expect(try opener.open(box, isLast: true).isEmpty)
        #expect(throws: BackupError.backup(.damaged)) { try opener.open(box, isLast: true) }
    }

    @Test("Another passphrase is told from damage")
    func wrongPassphrase() throws {
        let made = try Self.file(Self.small())
        for other in ["tulips in Spring", "tulips in sprin", "tulips in spring "] {
            let (items, end) = try Self.read(made.head + made.chunks.flatMap(\.self), other)
            #expect(end == .backup(.wrongPassphrase) && items.isEmpty)
        }
    }

    @Test("A passphrase has 8 to 1,024 bytes", arguments: [(7, false), (8, true), (1024, true), (1025, false)])
    func passphraseLength(count: Int, isTaken: Bool) throws {
        let stretch = try Stretch(cost: .least)
        let words = try secret(String(repeating: "x", count: count))
        #expect(code { _ = try stretch.stretch(passphrase: words) } == (isTaken ? nil : .limit))
    }

    @Test("What isn't a backup, and what a later version wrote, is told as that")
    func foreign() throws {
        let head = try Self.file([[]]).head
        #expect(throws: BackupError.backup(.notABackup)) { try BackupHead(reading: []) }
        #expect(throws: BackupError.backup(.notABackup)) { try BackupHead(reading: Array("THUMBKEY".utf8) + head.dropFirst(8)) }
        for place in 8...10 {
            var newer = head
            newer[place] += 1
            #expect(throws: BackupError.backup(.newer)) { try BackupHead(reading: newer) }
            // A later form may be longer or shorter.
            #expect(throws: BackupError.backup(.newer)) { try BackupHead(reading: Array(newer.prefix(40))) }
        }
        #expect(throws: BackupError.backup(.damaged)) { try BackupHead(reading: head + [0]) }
    }

    @Test(
        "A head that wants more than a file may is refused before anything is stretched",
        arguments: [
            (8, 1, 1, true), (7, 1, 1, false), (64 << 10, 16, 4, true), (64 << 10 + 1, 1, 1, false), (8, 0, 1, false),
            (8, 17, 1, false), (8, 1, 0, false), (64, 1, 5, false), (32, 1, 4, true), (31, 1, 4, false),
            (1 << 31, 1, 1, false), (8, 1 << 31, 1, false), (8, 1, 1 << 31, false),
        ])
    func costs(memoryKiB: Int, iterations: Int, lanes: Int, isTaken: Bool) throws {
        let cost = Stretch.Cost(memoryKiB: memoryKiB, iterations: iterations, lanes: lanes)
        let salt = [UInt8](repeating: 1, count: Stretch.saltBytes)
        let forged = try BackupHead(
            Stretch(cost: cost, salt: salt), keys: BackupKeys(stretched: SecretBytes.random(count: Stretch.count)))
        if isTaken {
            #expect(try BackupHead(reading: forged.bytes).stretch == Stretch(cost: cost, salt: salt))
        } else {
            #expect(throws: BackupError.backup(.tooCostly)) { try BackupHead(reading: forged.bytes) }
        }
    }

    @Test("Nothing of what is in it can be read in the file")
    func sealed() throws {
        let marker = "a-planted-marker"
        var item = try Self.backupItem(marker, Array(marker.utf8))
        item.group = ExactName(marker)
        let made = try Self.file([[item]], marker)
        let text = String(decoding: made.head + made.chunks[0], as: Unicode.ASCII.self)
        #expect(!text.contains(marker) && !text.contains("acct"))
    }

    @Test("A walk shows every record once, in order, a piece at a time, and tells what is damaged")
    func walk() throws {
        let scratch = try Scratch()
        try Store.filled(scratch, ["a", "b", "c", "d", "e"])
        try scratch.sql("UPDATE contents SET attributes = zeroblob(40) WHERE row = 3")
        let store = try scratch.open()
        try store.items.insert(item("f", group: "another"), secret: secret("f"))
        var (place, seen): (Int64, [String]) = (0, [])
        while true {
            let page = try store.items.walk(after: place, limit: 2)
            #expect(page.count <= 2)
            guard let last = page.last else { break }
            place = last.place
            seen += page.map {
                switch $0.record {
                case .item(let item): String(decoding: item.attributes[.account]?.comparable ?? [], as: UTF8.self)
                case .erased: "erased"
                case .damaged: "damaged"
                }
            }
        }
        #expect(seen == ["a", "b", "damaged", "d", "e", "f"])
    }

    @Test("What is written together is there whole or not at all")
    func write() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let one = try item("one")
        try store.items.insert(one, secret: secret("first"))
        var newer = one
        newer.generation += 1
        newer.hasSecret = false
        let two = try item("two")
        // The last one's name is taken by the second.
        #expect(throws: KeychainFailure.duplicateItem) {
            try store.items.write(
                adding: [(two, try secret("second")), (try item("two"), nil)], replacing: [(newer, nil)])
        }
        let first = try #require(try store.items.find(account: "one"))
        #expect(try store.items.text(of: first) == "first")
        #expect(try store.items.find(account: "two") == nil)
        try store.items.write(adding: [(two, try secret("second"))], replacing: [(newer, nil)])
        #expect(try store.items.find(account: "one")?.hasSecret == false)
        let second = try #require(try store.items.find(account: "two"))
        #expect(try store.items.text(of: second) == "second")
        #expect(throws: KeychainFailure.itemNotFound) { try store.items.write(adding: [], replacing: [(newer, nil)]) }
        // Every record adds up, also at the next opening.
        #expect(store.items.count == 2)
    }
}
