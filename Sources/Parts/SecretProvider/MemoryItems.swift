import ThumbLoop
import ThumbSecretService
import ThumbSecrets

/// The secrets of items that are in memory only: those of the collection `session`, and probes.
@OnLoop final class MemoryItems {
    private var secrets: [ItemPlace: SecretBytes] = [:]
    private var bytes = 0

    /// Whether there are none.
    var isEmpty: Bool { secrets.isEmpty }

    /// The secret of an item.
    subscript(place: ItemPlace) -> SecretBytes? { secrets[place] }

    /// Keeps a secret, in place of the one that the item had. Fails as too much beyond a limit.
    func keep(_ secret: SecretBytes, of place: ItemPlace) throws(ServiceFailure) {
        let old = secrets[place]
        guard old != nil || secrets.count < SecretServiceLimit.sessionItems,
            bytes - (old?.count ?? 0) + secret.count <= SecretServiceLimit.sessionBytes
        else { throw .tooMuch }
        bytes += secret.count - (old?.count ?? 0)
        secrets[place] = secret
    }

    /// Forgets an item's secret.
    func forget(_ place: ItemPlace) {
        guard let old = secrets.removeValue(forKey: place) else { return }
        bytes -= old.count
    }
}
