/// What the owner said no to. It holds as long as the connection that asked.
public struct Refusals: Sendable {
    private var refused: [String: Set<ItemPlace>] = [:]

    /// No refusal.
    public init() {}

    /// The owner refused a client an item.
    public mutating func refuse(_ place: ItemPlace, to client: String) { refused[client, default: []].insert(place) }

    /// Whether the owner refused a client an item.
    public func has(_ place: ItemPlace, for client: String) -> Bool { refused[client]?.contains(place) ?? false }

    /// A client is gone.
    public mutating func leave(_ client: String) { refused[client] = nil }
}
