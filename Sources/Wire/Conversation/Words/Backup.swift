public import ThumbAccess
public import ThumbSecrets

// Exports and imports, chunk by chunk.

/// Has the daemon ask the owner and begin an export.
public struct BeginExport: Call {
    public static let wireKind = WordKind.beginExport
    public typealias Reply = ExportBegun
    public typealias Failure = BackupError

    public let passphrase: SecretBytes

    public init(passphrase: SecretBytes) { self.passphrase = passphrase }
    public func encode(to encoder: inout Encoder) { encoder.put(passphrase) }
    public init(from decoder: inout Decoder) throws(Refusal) { passphrase = try decoder.value() }
}

public struct ExportBegun: Word {
    public static let wireKind = WordKind.exportBegun

    /// What the file begins with.
    public let head: [UInt8]
    /// How many items will be looked at.
    public let items: UInt64

    public init(head: [UInt8], items: UInt64) { (self.head, self.items) = (head, items) }
    public func encode(to encoder: inout Encoder) { encoder.put(head, items) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(head: try decoder.value(), items: try decoder.value()) }
}

/// Asks for the next chunk of an export.
public struct ExportChunk: BareWord, Call {
    public static let wireKind = WordKind.exportChunk
    public typealias Reply = ExportedChunk
    public typealias Failure = BackupError
    public init() {}
}

/// A piece of an export.
public struct ExportedChunk: Word {
    public static let wireKind = WordKind.exportedChunk

    public let box: [UInt8]
    public let isLastChunk: Bool
    /// The count so far.
    public let tally: ExportTally

    public init(box: [UInt8], isLastChunk: Bool, _ tally: ExportTally) {
        (self.box, self.isLastChunk, self.tally) = (box, isLastChunk, tally)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(box, isLastChunk, tally) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(box: try decoder.value(), isLastChunk: try decoder.value(), try decoder.value())
    }
}

/// Has the daemon check a file's head and passphrase, ask the owner, and begin an import.
public struct BeginImport: Call {
    public static let wireKind = WordKind.beginImport
    public typealias Reply = Done
    public typealias Failure = BackupError

    public let head: [UInt8]
    public let passphrase: SecretBytes
    public let replaces: Bool
    /// Whether this only counts and puts nothing in.
    public let countsOnly: Bool

    public init(head: [UInt8], passphrase: SecretBytes, replaces: Bool, countsOnly: Bool) {
        (self.head, self.passphrase, self.replaces, self.countsOnly) = (head, passphrase, replaces, countsOnly)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(head, passphrase, replaces, countsOnly) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            head: try decoder.value(), passphrase: try decoder.value(), replaces: try decoder.value(),
            countsOnly: try decoder.value())
    }
}

/// Brings the next chunk of an import. It is taken in as a whole, or not at all.
public struct ImportChunk: Call {
    public static let wireKind = WordKind.importChunk
    public typealias Reply = ImportTally
    public typealias Failure = BackupError

    public let box: [UInt8]
    public let isLastChunk: Bool

    public init(box: [UInt8], isLastChunk: Bool) { (self.box, self.isLastChunk) = (box, isLastChunk) }
    public func encode(to encoder: inout Encoder) { encoder.put(box, isLastChunk) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(box: try decoder.value(), isLastChunk: try decoder.value())
    }
}

extension BackupFailure: Word, WireChoice { public static let wireKind = WordKind.backupFailed }

extension ExportTally: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(looked, exported, UInt32(left.count))
        for (reason, count) in left.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { encoder.put(reason, count) }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(looked: try decoder.value(), exported: try decoder.value())
        for _ in 0..<(try decoder.count()) {
            let reason = try decoder.value(StayingBehind.self)
            guard left.updateValue(try decoder.value(), forKey: reason) == nil else { throw .malformed }
        }
    }
}

/// The count of an import so far.
extension ImportTally: Word {
    public static let wireKind = WordKind.imported

    public func encode(to encoder: inout Encoder) { encoder.put(added, replaced, present) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(added: try decoder.value(), replaced: try decoder.value(), present: try decoder.value())
    }
}
