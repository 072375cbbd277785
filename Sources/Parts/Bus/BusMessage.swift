/// A message that came in, its sender stamped by the bus.
public struct BusMessage: Sendable {
    public let sender: String
    public let path: String
    public let interface: String
    public let member: String
    public let values: [BusValue]
}

/// A call to make.
public struct BusCall: Sendable {
    public var destination: String
    public var path: String
    public var interface: String
    public var member: String
    public var values: [BusValue]
    /// What the values are. nil: the values tell it themselves, which an empty array can't.
    public var signature: BusSignature?

    public init(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ values: [BusValue] = [],
        as signature: BusSignature? = nil
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.values = values
        self.signature = signature
    }
}
