public import ThumbAccess

/// An item as the provider knows it: everything but its secret.
public struct SecretItem: Sendable, Hashable {
    /// Where it is on the bus.
    public var place: ItemPlace
    /// The daemon's name for it; empty for one in memory.
    public var reference: [UInt8]
    /// The program that made it.
    public var maker: ExactName
    /// What a person calls it.
    public var label: String
    /// The attributes by which it is found.
    public var attributes: ItemAttributes
    /// The type of its secret, as its maker wrote it.
    public var contentType: String
    /// When it was made, in seconds since 1970.
    public var created: UInt64
    /// When it was last changed, in seconds since 1970.
    public var modified: UInt64

    /// An item with these facts.
    public init(
        place: ItemPlace, reference: [UInt8] = [], maker: ExactName, label: String, attributes: ItemAttributes,
        contentType: String, created: UInt64 = 0, modified: UInt64 = 0
    ) {
        (self.place, self.reference, self.maker, self.label) = (place, reference, maker, label)
        (self.attributes, self.contentType, self.created, self.modified) = (attributes, contentType, created, modified)
    }

    /// The schema with which Chromium finds out whether a keyring is open. Its item isn't worth a question.
    private static let probe: ExactName = "_chrome_dummy_schema_for_unlocking"

    /// Whether it is only there to find out whether the service answers.
    public var isProbe: Bool { attributes.isProbe }

    /// The content type of an item whose maker named none.
    public static let usualContentType = "text/plain"

    /// Whether a label, a content type and a secret's size are within the limits.
    public static func isWithinLimits(label: String, contentType: String, secretBytes: Int) -> Bool {
        label.utf8.count <= SecretServiceLimit.labelBytes && contentType.utf8.count <= SecretServiceLimit.contentTypeBytes
            && secretBytes <= SecretServiceLimit.secretBytes
    }

    fileprivate static func isProbe(_ attributes: ItemAttributes) -> Bool { attributes[ItemAttributes.schema] == probe }
}

extension ItemAttributes {
    /// Whether an item with these attributes is only a probe.
    public var isProbe: Bool { SecretItem.isProbe(self) }
}
