public import ThumbAccess
public import ThumbSecrets

/// An item in a backup: all of it except its name in the store.
public struct BackupItem: Sendable {
    public var itemClass: ItemClass
    public var group: ExactName
    public var rule: AccessRule
    public var attributes: Attributes
    /// nil: an item without data, which is not the same as empty data.
    public var secret: SecretBytes?

    public init(itemClass: ItemClass, group: ExactName, rule: AccessRule, attributes: Attributes, secret: SecretBytes?) {
        self.itemClass = itemClass
        self.group = group
        self.rule = rule
        self.attributes = attributes
        self.secret = secret
    }
}

/// Makes and opens backups under a passphrase. Both answer once, later, because stretching takes a good part of a second.
public protocol Backups: AnyObject {
    func make(_ passphrase: SecretBytes, _ answer: @escaping (Result<any BackupWriter, BackupError>) -> Void)
    /// Fails with a `BackupFailure` for a head that can't be understood or that the passphrase doesn't open.
    func open(_ head: [UInt8], _ passphrase: SecretBytes, _ answer: @escaping (Result<any BackupReader, BackupError>) -> Void)
}

/// A backup being written, chunk after chunk.
public protocol BackupWriter: AnyObject {
    /// The bytes before the chunks.
    var head: [UInt8] { get }
    /// The next chunk's box.
    func seal(_ items: [BackupItem], isLast: Bool) throws(BackupError) -> [UInt8]
}

/// A backup being read, chunk after chunk.
public protocol BackupReader: AnyObject {
    /// The contents of the next chunk's box; `.damaged` unless that is the next chunk, whole and as it was written.
    func open(_ box: [UInt8], isLast: Bool) throws(BackupError) -> [BackupItem]
}

/// One record that a walk through the store finds.
public enum WalkedRecord {
    case item(StoredItem)
    /// Its class key was erased.
    case erased
    /// Its attributes don't open.
    case damaged
}
