public import ThumbSecrets

/// Secrets that the owner released for one reader's connection, until they are fetched: one pick-up each, within a time.
public struct PickUps: Sendable {
    private struct Key: Hashable {
        let client: String
        let place: ItemPlace
    }

    private var secrets: [Key: (secret: SecretBytes, until: Double)] = [:]

    /// Nothing to pick up.
    public init() {}

    /// Whether nothing waits.
    public var isEmpty: Bool { secrets.isEmpty }

    /// Leaves a secret for a client.
    public mutating func leave(_ secret: SecretBytes, of place: ItemPlace, for client: String, at now: Double) {
        secrets[Key(client: client, place: place)] = (secret, now + SecretServiceLimit.pickUpSeconds)
    }

    /// Whether a client can fetch a secret.
    public func has(_ place: ItemPlace, for client: String, at now: Double) -> Bool {
        waiting(place, for: client, at: now) != nil
    }

    /// What a client can fetch; it stays until it is taken.
    public func waiting(_ place: ItemPlace, for client: String, at now: Double) -> SecretBytes? {
        secrets[Key(client: client, place: place)].flatMap { now < $0.until ? $0.secret : nil }
    }

    /// Fetches a secret. The second time it isn't there.
    public mutating func take(_ place: ItemPlace, for client: String, at now: Double) -> SecretBytes? {
        guard let waiting = secrets.removeValue(forKey: Key(client: client, place: place)), now < waiting.until else {
            return nil
        }
        return waiting.secret
    }

    /// Forgets what is too old; returns when to look again.
    public mutating func expire(at now: Double) -> Double? {
        secrets = secrets.filter { now < $0.value.until }
        return secrets.values.map(\.until).min()
    }

    /// Forgets an item's secret: it was changed, removed or locked.
    public mutating func forget(where isConcerned: (ItemPlace) -> Bool) {
        secrets = secrets.filter { !isConcerned($0.key.place) }
    }

    /// Forgets what waits for a client: it is gone.
    public mutating func leave(_ client: String) { secrets = secrets.filter { !$0.key.client.utf8.elementsEqual(client.utf8) } }
}
