package import Foundation
package import ThumbAccess

/// The calls that begin with a query.
package enum QueryCall: Sendable {
    case copyMatching
    case update
    case delete
}

extension Query {
    /// Reads a query dictionary for `call`; fails as `Search` does.
    package init(_ dictionary: NSDictionary, for call: QueryCall) throws(KeychainFailure) {
        self = try Search(dictionary, for: call).query
    }

    /// The class that it names, by itself or by its reference.
    var namedClass: ItemClass? { itemClass ?? persistentRef.flatMap(ItemClass.init(persistentRef:)) }
}

/// A parsed query dictionary: what the daemon looks for, and what is filtered here afterwards.
struct Search {
    var query: Query
    var certificates = CertificateFilter()
    /// How the owner is asked when a found key is used.
    var asking = KeyAsking.plain

    /// Reads a query dictionary for `call`.
    ///
    /// Fails with `.parameter` on a missing class, a wrong type or keys that don't fit the call or each other, with `.noSuchClass` and
    /// `.noSuchAttribute` on unknown names, and with `.unsupported` on filters that can't be applied.
    init(_ dictionary: NSDictionary, for call: QueryCall) throws(KeychainFailure) {
        let sorted = try SortedDictionary(dictionary)
        let values = try ValueTerms(sorted.values)
        let itemClass = try sorted.namedClass() ?? values.object?.itemClass
        if let object = values.object, object.itemClass != itemClass { throw .parameter }
        guard itemClass != nil || values.persistentRef != nil else { throw .parameter }
        query = Query(itemClass: itemClass, persistentRef: values.persistentRef, shape: sorted.shape)

        if let known = query.namedClass {
            let attributes = try ItemAttributes(sorted.attributes, of: known, filtering: true)
            query.attributes = attributes.plain
            if let accessibility = attributes.accessibility { query.attributes[.accessible] = .text(accessibility.code) }
            if let sync = attributes.sync { query.sync = sync }
            if let object = values.object { query.attributes.merge(try object.identifying()) { own, _ in own } }
        }
        if values.persistentRef != nil {
            // A reference names one item, so narrowing it further is a mistake. It finds the item whether or not that is synchronized.
            guard query.attributes.isEmpty else { throw .parameter }
            query.sync = .any
        }
        if !sorted.uses.isEmpty {
            let reading = try AskingReading(sorted.uses)
            query.asking = try reading.terms()
            asking = KeyAsking(reading)
        }
        try apply(sorted.matches, for: call)
    }

    private mutating func apply(
        _ matches: [(key: String, value: Any)], for call: QueryCall
    ) throws(KeychainFailure) {
        switch call {
        case .copyMatching:
            let terms = try MatchTerms(matches, of: query.namedClass)
            query.limit = terms.limit
            query.hostOrSubdomain = terms.host
            certificates = terms.certificates
            return
        case .update:
            guard matches.isEmpty, query.shape.isEmpty else { throw .parameter }
        case .delete:
            // Apple refuses every match key. We accept one: "all" is what deleting does anyway, and code for both of Apple's keychains
            // passes it unless it is built for iOS, which is never the case here.
            for (key, value) in matches {
                guard key == "m_Limit", string(value) == "m_LimitAll" else { throw .parameter }
            }
            query.shape = []
        }
        guard query.asking.permission != .skip else { throw .parameter }
        query.limit = nil
    }
}

/// The values under the `v_…` keys of a query.
private struct ValueTerms {
    var persistentRef: [UInt8]?
    var object: ItemReference?

    /// Fails with `.parameter` on a wrong type and on a key that isn't known.
    init(_ values: [(key: String, value: Any)]) throws(KeychainFailure) {
        for (key, value) in values {
            switch key {
            case "v_Data":
                // This isn't a filter, but a string here is a mistake worth reporting.
                guard value is Data else { throw .parameter }
            case "v_PersistentRef":
                guard let data = value as? Data else { throw .parameter }
                persistentRef = [UInt8](data)
            case "v_Ref":
                object = try ItemReference(value)
            default:
                throw .parameter
            }
        }
    }
}

extension SortedDictionary {
    /// The class; nil if none is named. Fails with `.noSuchClass` on an unknown name, and with `.parameter` on anything that isn't a name.
    func namedClass() throws(KeychainFailure) -> ItemClass? {
        guard let itemClass else { return nil }
        guard let name = string(itemClass) else { throw .parameter }
        guard let known = ItemClass(name: name) else { throw .noSuchClass }
        return known
    }
}
