public import ThumbAccess

// What a provider keeps for the programs that call it. The first three words are the provider's alone, the others the owner's tools'.

/// Releases kept items to a program that reads through the provider.
public struct ReleaseForReader: Call {
    public static let wireKind = WordKind.releaseForReader
    public typealias Reply = ItemPage
    public typealias Failure = ReleaseFailure

    public let reader: Reader
    public let references: [[UInt8]]
    public let asking: AskingTerms

    public init(_ reader: Reader, _ references: [[UInt8]], asking: AskingTerms) {
        (self.reader, self.references, self.asking) = (reader, references, asking)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(reader, references, asking) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.value(), try decoder.value(), asking: try decoder.value())
        guard (1...ReaderLimit.releasedItems).contains(references.count) else { throw .malformed }
    }
}

/// Asks whether a program that reads through the provider would get kept items. Nobody is asked, and nothing is released.
public struct GetReadable: Call {
    public static let wireKind = WordKind.getReadable
    public typealias Reply = Readable

    public let reader: Reader
    public let references: [[UInt8]]

    public init(_ reader: Reader, _ references: [[UInt8]]) { (self.reader, self.references) = (reader, references) }
    public func encode(to encoder: inout Encoder) { encoder.put(reader, references) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.value(), try decoder.value())
        guard references.count <= ReaderLimit.weighedItems else { throw .malformed }
    }
}

/// Asks the owner about something that a reader wants and that isn't an item: to open the store, to delete.
public struct EvaluateForReader: Call {
    public static let wireKind = WordKind.evaluateForReader
    public typealias Reply = Done
    public typealias Failure = ReleaseFailure

    public let reader: Reader
    public let asking: AskingTerms

    public init(_ reader: Reader, asking: AskingTerms) { (self.reader, self.asking) = (reader, asking) }
    public func encode(to encoder: inout Encoder) { encoder.put(reader, asking) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.value(), asking: try decoder.value())
    }
}

/// What a reader would get, reference by reference.
public struct Readable: Word, Hashable {
    public static let wireKind = WordKind.readable

    /// Whether the store is open, so that what is free can be read now.
    public let isOpen: Bool
    public let items: [Readability]

    public init(isOpen: Bool, _ items: [Readability]) { (self.isOpen, self.items) = (isOpen, items) }
    public func encode(to encoder: inout Encoder) { encoder.put(isOpen, items) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(isOpen: try decoder.value(), try decoder.value())
    }
}

/// Lists what the provider keeps, without secrets.
public struct ListKeptItems: BareWord, Call {
    public static let wireKind = WordKind.listKeptItems
    public typealias Reply = ItemPage
    public init() {}
}

/// Changes what the owner has to show before a kept item is released, to its maker as to any other program.
public struct ProtectKeptItem: Call {
    public static let wireKind = WordKind.protectKeptItem
    public typealias Reply = Done

    public let reference: [UInt8]
    public let rule: AccessRule

    public init(_ reference: [UInt8], _ rule: AccessRule) { (self.reference, self.rule) = (reference, rule) }
    public func encode(to encoder: inout Encoder) { encoder.put(reference, rule) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), try decoder.value()) }
}

/// Lets a program read a kept item of another program from now on.
public struct AllowReader: Call {
    public static let wireKind = WordKind.allowReader
    public typealias Reply = Done

    public let identity: ExactName
    /// What the owner's list of decisions calls it.
    public let name: String
    public let reference: [UInt8]

    public init(_ identity: ExactName, name: String, _ reference: [UInt8]) {
        (self.identity, self.name, self.reference) = (identity, name, reference)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(identity, name, reference) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try Reader.identity(from: &decoder), name: try decoder.value(), try decoder.value())
        guard name.utf8.count <= QueryLimit.wordsBytes else { throw .malformed }
    }
}

extension Reader: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(identity, program, above) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        let (identity, program) = (try Self.identity(from: &decoder), try decoder.value(ProgramWords.self))
        let above = try decoder.value([String].self)
        guard above.count <= Self.aboveLimit, above.allSatisfy({ $0.utf8.count <= ReaderLimit.aboveBytes }) else {
            throw .malformed
        }
        self.init(identity: identity, program: program, above: above)
    }

    fileprivate static func identity(from decoder: inout Decoder) throws(Refusal) -> ExactName {
        let identity = try decoder.value(ExactName.self)
        guard !identity.isEmpty, identity.utf8.count <= ReaderLimit.identityBytes else { throw .malformed }
        return identity
    }
}
