import ThumbAccess
import ThumbClient
import ThumbSSHAgent
import ThumbSSHAgentServer

/// A key that the SSH agent offers: a P-256 key that its custodian holds, marked by its application tag.
struct SSHKey: Sendable {
    /// The mark. The agent doesn't use keys without it.
    static let tag = AttributeValue.data(Array("thumbturn.ssh".utf8))

    let reference: [UInt8]
    let name: String
    /// In SSH's form.
    let blob: [UInt8]
    let rule: AccessRule
    let custodian: Custodian?
    let created: Double?

    /// nil for a key that isn't P-256, whoever marked it.
    init?(_ item: FoundItem) {
        guard KeyKind(item.attributes) == .elliptic(.p256), case .data(let point)? = item.attributes[.publicKey],
            let blob = SSHForms.publicKey(point)
        else { return nil }
        self.blob = blob
        reference = item.persistentRef
        rule = item.rule
        name = if case .text(let name)? = item.attributes[.label] { name } else { "" }
        custodian = item.attributes.custodian
        created = if case .date(let date)? = item.attributes[.created] { date } else { nil }
    }

    /// All of them, or those with that name. Nobody is asked, because public halves aren't secret.
    static func all(named name: String? = nil) throws(KeychainFailure) -> [SSHKey] {
        var attributes: Attributes = [.applicationTag: tag, .keyClass: .number(1)]
        if let name { attributes[.label] = .text(name) }
        do throws(KeychainFailure) {
            return try DeviceClient.shared.find(
                Query(itemClass: .key, attributes: attributes, limit: nil, shape: [.attributes, .persistentRef])
            ).compactMap { SSHKey($0) }
        } catch .itemNotFound {
            return []
        }
    }

    static func make(_ name: String, _ rule: AccessRule) throws(KeychainFailure) -> SSHKey {
        let record = try DeviceClient.shared.makeKey(
            NewKey(
                kind: .elliptic(.p256), isEnclave: true, isPermanent: true,
                attributes: [.applicationTag: tag, .label: .text(name)], rule: rule))
        guard let key = SSHKey(record.item) else { throw .internalFailure }
        return key
    }

    func remove() throws(KeychainFailure) {
        try DeviceClient.shared.remove(Query(itemClass: .key, persistentRef: reference))
    }

    var line: String { SSHForms.line(blob, comment: name) }
    var fingerprint: String { KeyFingerprint.of(blob) }

    var custodianName: String { custodian == .tpm ? "tpm" : "software" }
}
