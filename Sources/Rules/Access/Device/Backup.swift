/// Why an item stays behind when the others go into a backup. The numbers travel on the wire.
public enum StayingBehind: UInt8, Sendable, Hashable, CaseIterable {
    /// Its class promises that it never leaves this device.
    case thisDeviceOnly = 1
    /// It opens only under the enrolment it was made under, which no other device has.
    case currentEnrolment = 2
    /// An app's own password is mixed into its key, and nobody gave that.
    case applicationPassword = 3
    /// It is a private key that is used and never handed out.
    case privateKey = 4
    /// Its rule demands something other than the passcode, and the owner showed the passcode.
    case notShown = 5
    /// It can't be opened again.
    case dead = 6
    /// Its sealed form doesn't open; it is left for repair.
    case damaged = 7
}

/// How far an export has come.
public struct ExportTally: Sendable, Hashable {
    /// How many of the store's items were looked at.
    public var looked: UInt64 = 0
    /// How many were exported.
    public var exported: UInt64 = 0
    /// How many stayed behind, for each reason.
    public var left: [StayingBehind: UInt64] = [:]

    public init(looked: UInt64 = 0, exported: UInt64 = 0, left: [StayingBehind: UInt64] = [:]) {
        self.looked = looked
        self.exported = exported
        self.left = left
    }
}

/// How far an import has come.
public struct ImportTally: Sendable, Hashable {
    public var added: UInt64 = 0
    /// How many replaced one that was there.
    public var replaced: UInt64 = 0
    /// How many were there already and were left as they are.
    public var present: UInt64 = 0

    public init(added: UInt64 = 0, replaced: UInt64 = 0, present: UInt64 = 0) {
        self.added = added
        self.replaced = replaced
        self.present = present
    }
}

/// What is wrong with a backup, or with asking for one. The numbers travel on the wire.
public enum BackupFailure: UInt8, Error, Sendable, Hashable, CaseIterable {
    case notABackup = 1
    /// A later version wrote it.
    case newer = 2
    /// Its parameters want more memory or time than a file may take.
    case tooCostly = 3
    case wrongPassphrase = 4
    /// Its bytes aren't what was written: altered, cut, or moved to another place.
    case damaged = 5
    /// The passphrase is beyond `BackupLimit.passphrase`.
    case passphraseLength = 6
    /// Nobody could prove to be the owner.
    case noPasscode = 7
    /// No export or import runs on this connection, or it has ended.
    case notRunning = 8
}

/// Why a backup could not be made or read: something is wrong with it, or the keychain refused.
public enum BackupError: Error, Sendable, Hashable {
    case backup(BackupFailure)
    case keychain(KeychainFailure)
}

/// The sizes of a backup, as docs/STORE.md gives them.
public enum BackupLimit {
    /// Whoever has the file can guess without delays, so a passphrase is longer than a passcode. More than a page is a pasted mistake.
    public static let passphrase = 8...1024
    /// The bytes before the chunks.
    public static let headBytes = 87
    /// The bytes before a chunk's box: whether it is the last, and its length.
    public static let chunkHeadBytes = 5
    /// The length of a box: from an empty chunk to a full one plus the item that exceeds it.
    public static let box = 28...1_835_008
    /// A chunk ends with the item that reaches this, so it takes little memory.
    public static let chunkBytes = 256 << 10
    /// How many records are looked at for one chunk. Others are served between two chunks.
    public static let chunkRecords = 128
}
