import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbCrypto

/// A private key of the keychain, with the name that its owner gave it: its application tag.
struct StoredKey: Sendable {
    let name: String
    let item: FoundItem
    let publicKey: PublicKey

    /// nil if the item isn't a private key, or its public half isn't known.
    private init?(_ item: FoundItem) {
        guard item.attributes[.keyClass]?.comparable == AttributeValue.number(1).comparable,
            case .data(let bytes)? = item.attributes[.publicKey], let kind = KeyKind(item.attributes),
            let publicKey = try? PublicKey(external: bytes, kind.family)
        else { return nil }
        name = item.attributes[.applicationTag].map { String(decoding: $0.comparable, as: UTF8.self) } ?? ""
        self.item = item
        self.publicKey = publicKey
    }

    init(_ record: KeyRecord) throws(Failure) {
        guard let key = StoredKey(record.item) else { throw .keychain(.internalFailure, about: .item) }
        self = key
    }

    /// The key that the command line names.
    static func named(_ invocation: Invocation) throws(Failure) -> StoredKey {
        try Daemon.connect()
        let name = invocation.operands[0]
        let keys = try find(name)
        guard let key = keys.first else { throw .keychain(.itemNotFound, about: .key(name)) }
        // Other programs, or two programs at once, may have made several, and then nobody can tell which one is meant.
        guard keys.count == 1 else { throw .severalKeys(.key(name)) }
        return key
    }

    /// The keys of a name, of which there should be one; without a name, all keys. It opens no keys and asks nobody. The SSH agent's keys
    /// share one tag and are left to `thumbturn ssh-key`.
    static func find(_ name: String?) throws(Failure) -> [StoredKey] {
        var attributes: Attributes = [.keyClass: .number(1)]
        if let name { attributes[.applicationTag] = tag(name) }
        let query = Query(itemClass: .key, attributes: attributes, sync: .any, limit: nil, shape: .attributes)
        do throws(KeychainFailure) {
            return try DeviceClient.shared.find(query).filter { $0.attributes[.applicationTag] != SSHKey.tag }
                .compactMap { StoredKey($0) }
        } catch .itemNotFound {
            return []
        } catch {
            throw Failure(error, about: .keys)
        }
    }

    static func tag(_ name: String) -> AttributeValue { .data(Array(name.utf8)) }

    /// For messages.
    var thing: Thing { .key(name) }
    var shown: String { thing.name }

    /// Who holds a key that never leaves; nil for a key that is in the keychain like any other item.
    var custodian: Custodian? { item.attributes.custodian }

    var algorithm: String {
        switch publicKey.kind {
        case .elliptic(let curve): "P-\(curve.rawValue)"
        case .rsa(let bits): "RSA-\(bits)"
        }
    }

    /// Uses the key once. Asks the owner if its rule says so.
    func use(_ operation: KeyOperation, reason: String) throws(Failure) -> KeyProduct {
        let use = KeyUse(
            .stored(item.persistentRef), operation, asking: AskingTerms(words: PromptWords(reason: reason)))
        return try Daemon.release(about: thing, reason: reason) { () throws(ReleaseFailure) in
            try DeviceClient.shared.perform(use)
        }
    }

    var json: [(String, JSON)] {
        [
            ("name", .text(name)), ("algorithm", .text(algorithm)), ("custodian", .optional(custodian.map(Self.name))),
            ("protection", .text(Protection.name(item.rule))), ("class", .text(Protection.className(item.rule))),
        ]
    }

    static func name(_ custodian: Custodian) -> String {
        switch custodian {
        case .software: "software"
        case .tpm: "TPM"
        }
    }
}
