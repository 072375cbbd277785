/// Why what another program sent, or what it is to be sent, doesn't have the form that its protocol says.
public enum FormRefusal: UInt8, Error, Sendable, Hashable, CaseIterable {
    /// The bytes aren't formed as the protocol says.
    case malformed
    /// Something that the protocol demands is missing.
    case incomplete
    /// A text has bytes that the protocol has no room for.
    case unspeakable
    /// It is longer than anything that such a program sends.
    case tooLong
    /// No memory could be locked for a secret.
    case noMemory
}
