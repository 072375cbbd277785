package import Foundation
package import ThumbAccess
import ThumbCrypto
import ThumbSecrets

extension NewItem {
    /// Reads the dictionary of an item to add; fails as `Addition` does.
    package init(_ dictionary: NSDictionary) throws(KeychainFailure) { self = try Addition(dictionary).item }
}

/// What a dictionary adds: an item, and for some objects more than an item has.
struct Addition {
    var item: NewItem
    /// The device's key that gets kept. The item then has only the attributes that its author wrote.
    var detachedKey: [UInt8]?
    /// How the owner is asked when the added key is used.
    var asking = KeyAsking.plain

    /// Fails with `.parameter` on a missing class, a wrong type, a match key, an object of another type, "skip", and an item that would be
    /// both synchronized and guarded; with `.noSuchClass` and `.noSuchAttribute` on unknown names.
    init(_ dictionary: NSDictionary) throws(KeychainFailure) {
        let sorted = try SortedDictionary(dictionary)
        guard sorted.matches.isEmpty else { throw .parameter }
        var secretValue: Any?
        var reference: ItemReference?
        for (key, value) in sorted.values {
            switch key {
            case "v_Data": secretValue = value
            case "v_Ref": reference = try ItemReference(value)
            default: throw .parameter
            }
        }
        guard let itemClass = try sorted.namedClass() ?? reference?.itemClass else { throw .parameter }
        guard reference == nil || reference?.itemClass == itemClass else { throw .parameter }
        var attributes = try ItemAttributes(sorted.attributes, of: itemClass, filtering: false)
        try attributes.keepSync()
        if itemClass == .certificate {
            let certificate = try Self.certificate(reference, secretValue)
            secretValue = Data(certificate.der)
            // The author's own attributes take precedence over the certificate's.
            attributes.plain.merge(try certificate.attributes()) { own, _ in own }
        }
        var secret: SecretBytes?
        if itemClass == .key {
            if case .key(let key)? = reference {
                secret = try Self.take(key, &attributes, &detachedKey)
            } else if let data = secretValue as? Data {
                attributes.plain.merge(try KeyDataReading(data, attributes.plain).attributes) { _, read in read }
            }
        }
        let rule = attributes.rule ?? AccessRule(Self.defaultAccessibility(itemClass, attributes.plain))
        if attributes.sync == .syncedOnly && rule.asksForOwner { throw .parameter }
        let reading = try AskingReading(sorted.uses)
        let terms = try reading.terms()
        guard terms.permission != .skip else { throw .parameter }
        if !sorted.uses.isEmpty { asking = KeyAsking(reading) }
        item = NewItem(
            itemClass: itemClass, attributes: attributes.plain, rule: rule, secret: secret, shape: sorted.shape, asking: terms)
        // This comes last, so that a refused dictionary leaves no copy of the secret behind.
        if secret == nil, let secretValue { item.secret = try ThumbSecurityAPI.secret(secretValue) }
    }

    /// What is kept of a key: its data if this program has it, otherwise the device's name for it.
    private static func take(
        _ key: SecKey, _ attributes: inout ItemAttributes, _ detached: inout [UInt8]?
    ) throws(KeychainFailure) -> SecretBytes? {
        switch key.holding {
        case .device(let held):
            // A key in the keychain needn't be added again.
            guard case .detached(let sealed) = held.name else { throw .duplicateItem }
            guard attributes.rule ?? held.rule == held.rule, attributes.sync != .syncedOnly else { throw .parameter }
            attributes.rule = held.rule
            detached = sealed
            return nil
        case .own(let own):
            attributes.plain.merge(try key.itemAttributes()) { own, _ in own }
            return own.external
        case .publicHalf:
            attributes.plain.merge(try key.itemAttributes()) { own, _ in own }
            return try lockedCopy(of: Data(key.publicHalf.external))
        }
    }

    /// The certificate to add, from an object or from its data; fails with `.parameter` if neither is one.
    fileprivate static func certificate(_ reference: ItemReference?, _ data: Any?) throws(KeychainFailure) -> Certificate {
        if case .certificate(let object)? = reference { return object.certificate }
        guard let data = data as? Data, let read = try? Certificate(der: [UInt8](data)) else { throw .parameter }
        return read
    }

    /// Certificates are public, and a token guards what it holds. Everything else can't be read while the session is locked.
    private static func defaultAccessibility(_ itemClass: ItemClass, _ attributes: Attributes) -> Accessibility {
        itemClass == .certificate || attributes[.token] != nil ? .always : .whenUnlocked
    }
}

extension ItemChange {
    /// Reads the second dictionary of an update; an empty one changes nothing.
    ///
    /// Fails with `.noSuchAttribute` on every key except the class's attributes and `v_Data`, and with `.parameter` on a wrong type and on
    /// values that would synchronize an item that must stay here or is guarded.
    package init(_ dictionary: NSDictionary, to itemClass: ItemClass) throws(KeychainFailure) {
        let sorted: SortedDictionary
        do throws(KeychainFailure) {
            sorted = try SortedDictionary(dictionary)
        } catch {
            // In a change, any unknown key counts as an attribute that the class doesn't have.
            throw dictionary.allKeys.allSatisfy { $0 is String } ? .noSuchAttribute : .parameter
        }
        guard sorted.itemClass == nil, sorted.matches.isEmpty, sorted.uses.isEmpty, !sorted.hasReturnKey else {
            throw .noSuchAttribute
        }
        for (key, _) in sorted.values where key != "v_Data" { throw .noSuchAttribute }
        var attributes = try ItemAttributes(sorted.attributes, of: itemClass, filtering: false)
        try attributes.keepSync()
        if attributes.sync == .syncedOnly, let rule = attributes.rule {
            guard !rule.asksForOwner, !rule.accessibility.isThisDeviceOnly else { throw .parameter }
        }
        if itemClass == .key, let data = sorted.values.first?.value as? Data {
            attributes.plain.merge(try KeyDataReading(data, attributes.plain).attributesOfChange) { _, read in read }
        }
        if itemClass == .certificate, let value = sorted.values.first?.value {
            attributes.plain.merge(try Addition.certificate(nil, value).attributesOfChange()) { own, _ in own }
        }
        self.init(attributes: attributes.plain, rule: attributes.rule)
        if let value = sorted.values.first?.value { secret = try ThumbSecurityAPI.secret(value) }
    }
}
