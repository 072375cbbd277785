import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

/// What is sealed in the store's rows: an input's first byte says which form the rest has.
enum RowTarget {
    private static let storage = "Sources/Parts/Storage/"

    static let target = FuzzTarget(
        "rows", longest: 768,
        sources: [
            storage + "Items/ItemCoding.swift", storage + "House/HouseForms.swift#Consent",
            storage + "House/HouseForms.swift#MadeGroup", storage + "House/HouseForms.swift#GivenAllowance",
            storage + "House/HouseForms.swift#SecretReader", storage + "House/HouseForms.swift#ByteWriter",
            storage + "Audit/AuditChain.swift#AuditDrops", storage + "Audit/AuditSeals.swift#AuditEnds",
            storage + "House/HouseSeals.swift#HouseSum", storage + "SecretReader.swift", storage + "ByteWriter.swift#ByteWriter",
        ],
        seeds: { try seeds() },
        parse: { input in
            let form = Array(input.dropFirst())
            switch input.first {
            case 0: return try item(form)
            case 1: return try house(Consent.self, form).map { Array($0.known.app.utf8) }
            case 2: return try house(MadeGroup.self, form).map { Array($0.group.utf8) }
            case 3: _ = try house(GivenAllowance.self, form)
            case 4: try drops(form)
            case 5: try exact(form, read: { try AuditEnds(&$0) }, write: { $0.write(to: &$1) })
            case 6: try exact(form, read: { try HouseSum(from: &$0) }, write: { $0.write(to: &$1) })
            default: break
            }
            return nil
        })

    // MARK: Items

    // Sixteen bytes are an identifier.
    private static let id = ItemID([UInt8](repeating: 1, count: ItemID.length))!

    private static func item(_ form: [UInt8]) throws -> [UInt8]? {
        guard let item = try opened(form) else { return nil }
        let once = written(item)
        guard let again = try opened(once) else { throw Wrong("an item isn't read as it is written") }
        try must(written(again) == once, "an item that was written is read as another")
        try must(item.item.group.utf8.count <= ItemLimits.group, "a group of \(item.item.group.utf8.count) bytes is read")
        try must(
            item.item.attributes.values.allSatisfy { $0.byteCount <= QueryLimit.attributeBytes },
            "an attribute is read that is longer than any")
        return Array(item.item.group.utf8)
    }

    private static func opened(_ form: [UInt8]) throws -> SealedItem? {
        try accepted {
            try SealedItem(id: id, generation: 1, opened: secret(form))
        } or: {
            $0 is Malformed
        }
    }

    /// The item's own form, and not the bytes that it was read from.
    private static func written(_ item: SealedItem) -> [UInt8] {
        SealedItem(item: item.item, serial: item.serial, secretGeneration: item.secretGeneration).serialised()
    }

    // MARK: The house's rows, and what the audit keeps

    private static func house<Form: HouseForm>(_ type: Form.Type, _ bytes: [UInt8]) throws -> Form? {
        let row = try exact(bytes, read: { try Form(from: &$0) }, write: { $0.write(to: &$1) })
        if let row {
            try must(row.sealable == bytes, "a row isn't sealed as it was read")
            try must(row.keys.count == Form.table.columns.count, "a row has other columns than its table")
        }
        return row
    }

    /// Reads a form that each value has exactly one of.
    @discardableResult
    private static func exact<Form>(
        _ bytes: [UInt8], read: (inout SecretReader) throws -> Form, write: (Form, inout ByteWriter) -> Void
    ) throws -> Form? {
        let form = try whole(bytes, read)
        guard let form else { return nil }
        var writer = ByteWriter()
        write(form, &writer)
        try must(writer.bytes == bytes, "a form isn't written as it was read")
        return form
    }

    /// The drops may be listed in any order, and are written by number.
    private static func drops(_ bytes: [UInt8]) throws {
        guard let drops = try whole(bytes, { try AuditDrops(&$0) }) else { return }
        var writer = ByteWriter()
        drops.write(to: &writer)
        try must(writer.bytes.count == bytes.count, "drops are written in another length than they were read from")
        var again = ByteWriter()
        let read = try whole(writer.bytes, { try AuditDrops(&$0) })
        read?.write(to: &again)
        try must(again.bytes == writer.bytes, "drops aren't read as they are written")
        var sum = AuditDrops()
        sum.add(drops)
        sum.add(drops)
        sum.add(.released, 1, 0)
        try must(sum.counts.allSatisfy { $0.value.count >= drops.counts[$0.key]?.count ?? 0 }, "a count of drops starts over")
        try must(drops.shown.count == drops.counts.count, "some drops aren't shown")
    }

    private static func whole<Form>(_ bytes: [UInt8], _ read: (inout SecretReader) throws -> Form) throws -> Form? {
        try accepted {
            var reader = SecretReader(secret(bytes))
            let form = try read(&reader)
            try reader.end()
            return form
        } or: {
            $0 is Malformed
        }
    }

    // MARK: Seeds

    private static func seeds() throws -> [[UInt8]] {
        let attributes: Attributes = [
            .account: .text("anna"), .service: .data([0, 255]), .creator: .number(-2), .invisible: .flag(true),
            .created: .date(0.5),
        ]
        let rule = try AccessRule(.whenUnlocked, .biometryCurrentSet)
        let bound = StoredItem(
            id: id, itemClass: .genericPassword, group: "org.example", rule: rule, attributes: attributes, hasSecret: true,
            enrolment: [1, 2, 3])
        let dead = StoredItem(
            id: id, itemClass: .key, group: "org.example", rule: AccessRule(.always), attributes: [:], hasSecret: false,
            isDead: true)
        var seeds = [bound, dead].map { [0] + SealedItem(item: $0, serial: 4, secretGeneration: 5).serialised() }

        var tied = Consent(KnownApp(app: "org.example", name: "vault", wish: .program("/bin/vault"), verdict: .allowed, date: 1))
        tied.tie = Consent.Tie(program: "/bin/vault", file: [1, 2])
        let wishes: [AppWish] = [.face, .group("team"), .folder("/bin"), .keptItem("00ff")]
        let consents = wishes.map { Consent(KnownApp(app: "org.example", name: "vault", wish: $0, verdict: .denied, date: 1)) }
        let maker = Groups.Maker(app: "org.example", name: "vault", kind: .consented)
        var drops = AuditDrops()
        drops.add(.released, 3, 1)
        drops.add(nil, 1, 2)
        seeds += (consents + [tied]).map { [1] + $0.sealable }
        seeds.append([2] + MadeGroup("team", by: maker, date: 1).sealable)
        seeds.append([3] + GivenAllowance(.softwareKeys, date: 1).sealable)
        seeds.append([4] + form { drops.write(to: &$0) })
        seeds.append([5] + form { AuditEnds().write(to: &$0) })
        seeds.append([6] + form { HouseSum().write(to: &$0) })
        return seeds
    }

    private static func form(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }
}

/// A backup that somebody gives to `thumbturn import`: an input's first byte says which part of it the rest is.
enum BackupTarget {
    static let target = FuzzTarget(
        "backup", longest: 768,
        sources: ["BackupHead", "BackupCoding", "BackupChunks"].map { "Sources/Parts/Storage/Backups/\($0).swift" },
        words: ["THUMBBAK"], seeds: { try seeds() },
        parse: { input in
            let part = Array(input.dropFirst())
            switch input.first {
            case 0: try head(part)
            case 1: try head(part + HashFunction.sha256.hash(part).prefix(16))
            case 2: return try chunk(part)
            case 3: try box(part)
            default: break
            }
            return nil
        })

    /// The input is a whole head. A head whose sum is right is reached by none that is made by chance, so a part of the inputs gets one.
    private static func head(_ bytes: [UInt8]) throws {
        let head = try accepted { () throws(BackupError) -> BackupHead in
            try BackupHead(reading: bytes)
        } or: {
            [.backup(.notABackup), .backup(.newer), .backup(.tooCostly), .backup(.damaged)].contains($0)
        }
        guard let head else { return }
        try must(head.bytes == bytes && bytes.count == BackupLimit.headBytes, "a head isn't the bytes that it was read from")
        let cost = head.stretch.cost
        try must(
            cost.memoryKiB <= BackupHead.memoryLimitKiB && cost.iterations <= BackupHead.iterationsLimit
                && cost.lanes <= BackupHead.lanesLimit, "a head may cost \(cost)")
    }

    private static func chunk(_ bytes: [UInt8]) throws -> [UInt8]? {
        guard let items = try items(bytes) else { return nil }
        try must(items.count <= BackupLimit.chunkRecords, "a chunk of \(items.count) items is read")
        try must(
            items.allSatisfy { ($0.secret?.count ?? 0) <= QueryLimit.secretBytes }, "a secret is read that is longer than any")
        let once = try BackupCoding.chunk(items).plain
        try must(once.count == bytes.count, "a chunk of \(bytes.count) bytes is written in \(once.count)")
        guard let again = try self.items(once) else { throw Wrong("a chunk isn't read as it is written") }
        try must(try BackupCoding.chunk(again).plain == once, "a chunk that was written is read as another")
        return items.first.map { Array($0.group.utf8) }
    }

    private static func items(_ bytes: [UInt8]) throws -> [BackupItem]? {
        try accepted {
            try BackupCoding.items(in: secret(bytes))
        } or: {
            $0 is Malformed
        }
    }

    private static func box(_ bytes: [UInt8]) throws {
        let opener = try BackupOpener(BackupHead(reading: sealer().head), stretched: stretched)
        _ = try opened(bytes, opener)
        // If that was a box of the backup's, it was the last one.
        try must(try opened(bytes, opener) == nil, "a box is opened after the last one")
    }

    private static func opened(_ bytes: [UInt8], _ opener: BackupOpener) throws(Wrong) -> Int? {
        try accepted { () throws(BackupError) -> Int in
            try opener.open(bytes, isLast: true).count
        } or: {
            $0 == .backup(.damaged)
        }
    }

    // MARK: Seeds

    /// One backup, the same in every process.
    private static var stretched: SecretBytes { secret([UInt8](repeating: 7, count: 32)) }

    private static func sealer() throws -> BackupSealer {
        try BackupSealer(stretched: stretched, Stretch(cost: .least, salt: [UInt8](repeating: 5, count: 16)))
    }

    private static func seeds() throws -> [[UInt8]] {
        let sealer = try sealer()
        let items = try items()
        let chunk = try BackupCoding.chunk(items).plain
        let head = sealer.head
        var seeds: [[UInt8]] = [[2, 0, 0, 0, 0]]
        seeds.append([0] + head)
        seeds.append([0] + head.dropLast())
        seeds.append([1] + head.dropLast(16))
        seeds.append([2] + chunk)
        seeds.append([3] + (try sealer.seal(items, isLast: true)))
        return seeds
    }

    private static func items() throws -> [BackupItem] {
        let rule = try AccessRule(.whenUnlocked, .userPresence)
        let attributes: Attributes = [
            .account: .text("anna"), .service: .data([0, 255]), .creator: .number(-2), .invisible: .flag(true),
            .created: .date(0.5),
        ]
        return [
            BackupItem(
                itemClass: .genericPassword, group: "org.example", rule: rule, attributes: attributes, secret: secret("wine")),
            BackupItem(itemClass: .key, group: "team", rule: AccessRule(.always), attributes: [:], secret: nil),
        ]
    }
}
