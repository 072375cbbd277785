/// The front's first word on a connection to a broker. From then on the connection belongs to that user, and no later word names one.
public struct Serve: Word, Equatable {
    public static let wireKind = WordKind.serve

    public let uid: UInt32

    public init(uid: UInt32) { self.uid = uid }
    public func encode(to encoder: inout Encoder) { encoder.put(uid) }
    public init(from decoder: inout Decoder) throws(Refusal) { uid = try decoder.value() }
}
