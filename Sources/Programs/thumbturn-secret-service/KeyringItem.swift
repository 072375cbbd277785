import ThumbBus
import ThumbLoop

/// What a provider tells of an item without its secret.
struct KeyringItem {
    let label: String
    /// In the order of their names.
    let attributes: [(name: String, value: String)]
    let isLocked: Bool
    /// Seconds since 1970; 0 if it isn't told.
    let created, modified: Int64

    init(_ facts: BusValue) {
        label = facts["Label"]?.text ?? ""
        isLocked = facts["Locked"]?.flag != false
        (created, modified) = (facts["Created"]?.number ?? 0, facts["Modified"]?.number ?? 0)
        var attributes: [(name: String, value: String)] = []
        for case .entry(let pair) in facts["Attributes"]?.list ?? [] where pair.count == 2 {
            guard let name = pair[0].text, let value = pair[1].text else { continue }
            attributes.append((name, value))
        }
        self.attributes = attributes.sorted { $0.name < $1.name }
    }

    /// Whether it was changed after it was copied, as far as the times tell. A copy of Thumbturn's is made and changed at the same moment until
    /// a program changes it. A keyring whose items have no times of their own tells nothing.
    func isChanged(since copy: KeyringItem, isOurs: Bool) -> Bool { modified > created && (isOurs || modified > copy.modified) }

    /// The bytes that are equal for two items that can't be told apart. No text on the bus has a zero in it.
    var look: [UInt8] {
        var look: [UInt8] = []
        for (name, value) in attributes {
            look += Array(name.utf8) + [0]
            look += Array(value.utf8) + [0]
        }
        return look + [0] + Array(label.utf8)
    }
}

extension KeyringLink {
    /// An item's secret and its content type.
    func secret(of path: String) async throws(BusError) -> (bytes: [UInt8], type: String) {
        let secret = try await ask(path, "Item", "GetSecret", [.path(session)]).first?.list
        // The fields are the session, its parameters, the secret and its content type.
        guard let secret, secret.count == 4, case .bytes(let bytes) = secret[2], let type = secret[3].text else {
            throw BusError(.malformed)
        }
        return (bytes, type)
    }
}
