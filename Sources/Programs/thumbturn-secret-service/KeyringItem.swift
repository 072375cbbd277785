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

    /// The name of what kind of item it is, for libsecret. Where a keyring has no password, gnome-keyring tells it of an item that it has read
    /// from its file, and not always of one that was just stored.
    private static let schemaName = "xdg:schema"
    private static let generalSchema = "org.freedesktop.Secret.Generic"

    private var schema: String? { attributes.first { $0.name == Self.schemaName }?.value }
    /// Whether it is of no kind of its own, told or not.
    private var isGeneral: Bool { schema == nil || schema == Self.generalSchema }

    func hasSchema(of other: KeyringItem) -> Bool { schema == other.schema }
    func mayHaveSchema(of other: KeyringItem) -> Bool { isGeneral && other.isGeneral }

    /// The bytes that are equal for two items that can't be told apart but by their schema. No text on the bus has a zero in it.
    var look: [UInt8] {
        var look: [UInt8] = []
        for (name, value) in attributes where name != Self.schemaName {
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
