package import Foundation
package import ThumbAccess
import ThumbCrypto
import ThumbSecrets

extension NewItem {
    /// Reads the dictionary of an item to add.
    ///
    /// Fails with `.parameter` on a missing class, a wrong type, a match key, a foreign object, "skip", and an item that is to be
    /// both synchronized and guarded; with `.noSuchClass` and `.noSuchAttribute` on names that aren't known.
    package init(_ dictionary: NSDictionary) throws(KeychainFailure) {
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
            // What the author wrote wins over what the certificate says.
            attributes.plain.merge(try certificate.attributes()) { own, _ in own }
        }
        let rule = attributes.rule ?? AccessRule(Self.defaultAccessibility(itemClass, attributes.plain))
        if attributes.sync == .syncedOnly && rule.asksForOwner { throw .parameter }
        let asking = try AskingTerms(sorted.uses)
        guard asking.permission != .skip else { throw .parameter }
        self.init(
            itemClass: itemClass, attributes: attributes.plain, rule: rule, secret: nil, shape: sorted.shape, asking: asking)
        // Last, so that a dictionary that is refused leaves no copy behind.
        if let secretValue { secret = try ThumbSecurityAPI.secret(secretValue) }
    }

    /// The certificate to be added, from an object or from its data; fails with `.parameter` where neither is one.
    private static func certificate(_ reference: ItemReference?, _ data: Any?) throws(KeychainFailure) -> Certificate {
        if let reference { return reference.certificate }
        guard let data = data as? Data, let read = try? Certificate(der: [UInt8](data)) else { throw .parameter }
        return read
    }

    /// Certificates are public, and what a token holds is guarded by the token; everything else is shut while locked.
    private static func defaultAccessibility(_ itemClass: ItemClass, _ attributes: Attributes) -> Accessibility {
        itemClass == .certificate || attributes[.token] != nil ? .always : .whenUnlocked
    }
}

extension ItemChange {
    /// Reads the second dictionary of an update; an empty one is a change of nothing.
    ///
    /// Fails with `.noSuchAttribute` on every key but the class's attributes and `v_Data`, with `.parameter` on a wrong type
    /// and on values that would synchronize an item that has to stay here or is guarded.
    package init(_ dictionary: NSDictionary, to itemClass: ItemClass) throws(KeychainFailure) {
        let sorted: SortedDictionary
        do throws(KeychainFailure) {
            sorted = try SortedDictionary(dictionary)
        } catch {
            // A key that no dictionary may have is, in a change, an attribute that isn't the class's.
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
        self.init(attributes: attributes.plain, rule: attributes.rule)
        if let value = sorted.values.first?.value { secret = try ThumbSecurityAPI.secret(value) }
    }
}
