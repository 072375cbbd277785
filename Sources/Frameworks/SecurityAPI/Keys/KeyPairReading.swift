import Foundation
import ThumbAccess

/// What a dictionary says about a pair that is to be made.
struct KeyPairReading {
    let kind: KeyKind
    let isEnclave: Bool
    /// The private half as an item of the keychain; nil if it isn't kept there.
    let privateItem: KeyItemReading?
    /// The same for the public half.
    let publicItem: KeyItemReading?
    /// The item under which an Enclave key is made, whether or not it is kept.
    let enclaveItem: KeyItemReading?

    /// Fails with `errSecParam` on a missing or unknown type or size, on a value of the wrong type and on anything that a new key can't
    /// have, and with `errSecNoSuchAttr` on an attribute that keys don't have.
    init(_ parameters: NSDictionary) throws(KeychainFailure) {
        let ownPrivate = try Self.dictionary(parameters["private"])
        let ownPublic = try Self.dictionary(parameters["public"])
        isEnclave = try Self.isEnclave(parameters)
        kind = try Self.kind(parameters, isEnclave: isEnclave)
        let both = parameters.merging([:])
        both.removeObjects(forKeys: ["private", "public"])
        // For an Enclave key the top of the dictionary takes precedence, and is all that counts for its public half. For other keys it is
        // the other way round.
        let ofPrivate = isEnclave ? ownPrivate.merging(both) : both.merging(ownPrivate)
        let ofPublic = isEnclave ? both : both.merging(ownPublic)
        let isPrivateKept = try Self.isPermanent(ofPrivate) ?? isEnclave
        let isPublicKept = try Self.isPermanent(ofPublic) ?? false
        enclaveItem = isEnclave ? try KeyItemReading(ofPrivate, isPrivate: true) : nil
        privateItem = !isPrivateKept ? nil : isEnclave ? enclaveItem : try KeyItemReading(ofPrivate, isPrivate: true)
        publicItem = isPublicKept ? try KeyItemReading(ofPublic, isPrivate: false) : nil
        if isEnclave, enclaveItem?.attributes[.synchronizable] == .number(1) { throw .parameter }
    }

    private static func dictionary(_ value: Any?) throws(KeychainFailure) -> NSDictionary {
        guard let value else { return NSDictionary() }
        guard let dictionary = value as? NSDictionary else { throw .parameter }
        return dictionary
    }

    /// Whether the key belongs in the Enclave. Only the top of the dictionary can say so, and there is no other token here.
    static func isEnclave(_ parameters: NSDictionary) throws(KeychainFailure) -> Bool {
        guard let token = parameters["tkid"] else { return false }
        guard let name = token as? String else { throw .parameter }
        guard name == KeyUsage.enclaveToken else { throw .itemNotFound }
        return true
    }

    /// The type is compared as Apple does it: as a string, not as a number.
    private static func kind(_ parameters: NSDictionary, isEnclave: Bool) throws(KeychainFailure) -> KeyKind {
        guard let type = parameters["type"] as? String, let value = parameters["bsiz"],
            case .number(let number) = try AttributeValue(value, as: .number), let bits = Int(exactly: number),
            let family = KeyFamily(type: type), let kind = KeyKind(family, bits: bits), !isEnclave || kind == .elliptic(.p256)
        else { throw .parameter }
        return kind
    }

    private static func isPermanent(_ dictionary: NSDictionary) throws(KeychainFailure) -> Bool? {
        guard let value = dictionary["perm"] else { return nil }
        guard case .number(let number) = try AttributeValue(value, as: .number) else { throw .parameter }
        return number != 0
    }
}

/// A half of a new pair, in the form of a keychain item.
struct KeyItemReading {
    var attributes: Attributes
    let rule: AccessRule
    let asking: KeyAsking

    fileprivate init(_ dictionary: NSDictionary, isPrivate: Bool) throws(KeychainFailure) {
        let sorted = try SortedDictionary(dictionary)
        guard sorted.matches.isEmpty, sorted.values.isEmpty, try (sorted.namedClass() ?? .key) == .key else { throw .parameter }
        // The attributes left out follow from the key itself, and an access control applies only to the private half.
        let own = sorted.attributes.filter { name, _ in
            !Self.told.contains(name) && (isPrivate || name != .accessControl)
        }
        var read = try ItemAttributes(own, of: .key, filtering: false)
        try read.keepSync()
        attributes = read.plain
        rule = read.rule ?? AccessRule(.whenUnlocked)
        if read.sync == .syncedOnly && rule.asksForOwner { throw .parameter }
        asking = KeyAsking(try AskingReading(sorted.uses))
    }

    private static let told: Set<AttributeName> = [
        .type, .keySize, .effectiveKeySize, .keyClass, .token, tokenObjectName,
    ]
}

extension KeyFamily {
    /// The family that Apple writes like this; nil for any other text.
    init?(type: String) {
        switch type {
        case "73": self = .elliptic
        case "42": self = .rsa
        default: return nil
        }
    }
}

extension KeyKind {
    init?(_ family: KeyFamily, bits: Int) {
        switch family {
        case .elliptic:
            guard let curve = UInt16(exactly: bits).flatMap(Curve.init(rawValue:)) else { return nil }
            self = .elliptic(curve)
        case .rsa:
            guard Self.rsaBits.contains(bits) else { return nil }
            self = .rsa(bits: bits)
        }
    }
}
