import ThumbAccess
import ThumbKeychain
import ThumbSecrets

/// The form of a chunk: how many items, then each of them.
enum BackupCoding {
    static func chunk(_ items: [BackupItem]) throws -> SecretBytes {
        var writer = SecretWriter()
        writer.plain { $0.integer(UInt32(items.count)) }
        for item in items {
            writer.plain {
                $0.byte(item.itemClass.rawValue)
                $0.byte(item.rule.accessibility.rawValue)
                $0.integer(item.rule.constraints.rawValue)
                $0.counted(item.group.text)
                $0.attributes(item.attributes)
                $0.byte(item.secret == nil ? 0 : 1)
                if let secret = item.secret { $0.integer(UInt32(secret.count)) }
            }
            if let secret = item.secret { writer.secret(secret) }
        }
        return try writer.finished()
    }

    /// The items of a chunk; fails with `Malformed` unless it has exactly that form.
    static func items(in chunk: SecretBytes) throws -> [BackupItem] {
        var reader = SecretReader(chunk)
        let count = try reader.integer(UInt32.self)
        guard count <= BackupLimit.chunkRecords else { throw Malformed() }
        var items: [BackupItem] = []
        for _ in 0..<count { items.append(try item(&reader)) }
        try reader.end()
        return items
    }

    private static func item(_ reader: inout SecretReader) throws -> BackupItem {
        guard let itemClass = ItemClass(rawValue: try reader.byte()),
            let accessibility = Accessibility(rawValue: try reader.byte()),
            // Neither of the two takes memory, so a failure can only come from the bytes.
            let rule = try? AccessRule(accessibility, Constraints(rawValue: try reader.integer(UInt64.self)))
        else { throw Malformed() }
        let group = ExactName(try reader.text(limit: ItemLimits.group))
        let attributes = try reader.attributes()
        var secret: SecretBytes?
        if try reader.byte().asFlag() {
            let count = Int(try reader.integer(UInt32.self))
            guard count <= QueryLimit.secretBytes else { throw Malformed() }
            secret = try reader.secret(count)
        }
        return BackupItem(itemClass: itemClass, group: group, rule: rule, attributes: attributes, secret: secret)
    }
}
