package import Foundation
package import ThumbAccess

/// The calls that begin with a query.
package enum QueryCall: Sendable {
    case copyMatching
    case update
    case delete
}

extension Query {
    /// Reads a query dictionary as `call` understands it.
    ///
    /// Fails with `.parameter` on a missing class, a wrong type or keys that don't go with the call or each other, with
    /// `.noSuchClass` and `.noSuchAttribute` on names that aren't known, and with `.unsupported` on filters that can't be
    /// applied.
    package init(_ dictionary: NSDictionary, for call: QueryCall) throws(KeychainFailure) {
        let sorted = try SortedDictionary(dictionary)
        var reference: [UInt8]?
        for (key, value) in sorted.values {
            switch key {
            case "v_Data":
                // No filter, but a string here is a mistake worth telling.
                guard value is Data else { throw .parameter }
            case "v_PersistentRef":
                guard let data = value as? Data else { throw .parameter }
                reference = [UInt8](data)
            default:
                throw .parameter
            }
        }
        let itemClass = try sorted.namedClass()
        guard itemClass != nil || reference != nil else { throw .parameter }
        self.init(itemClass: itemClass, persistentRef: reference, shape: sorted.shape)

        if let known = itemClass ?? reference.flatMap(ItemClass.init(persistentRef:)) {
            let attributes = try ItemAttributes(sorted.attributes, of: known, filtering: true)
            self.attributes = attributes.plain
            if let accessibility = attributes.accessibility { self.attributes[.accessible] = .text(accessibility.code) }
            if let sync = attributes.sync { self.sync = sync }
        }
        if reference != nil {
            // A reference names one item; narrowing it further is a mistake. Nor does it care what is synchronized.
            guard self.attributes.isEmpty else { throw .parameter }
            sync = .any
        }
        asking = try AskingTerms(sorted.uses)
        try apply(sorted.matches, for: call)
    }

    private mutating func apply(
        _ matches: [(key: String, value: Any)], for call: QueryCall
    ) throws(KeychainFailure) {
        switch call {
        case .copyMatching:
            limit = try MatchTerms(matches, of: itemClass).limit
            return
        case .update:
            guard matches.isEmpty, shape.isEmpty else { throw .parameter }
        case .delete:
            // Apple refuses every match key. One is let through: "all" is what deleting does anyway, and code written for
            // both of Apple's keychains says it whenever it isn't built for iOS, which here it never is.
            for (key, value) in matches {
                guard key == "m_Limit", value as? String == "m_LimitAll" else { throw .parameter }
            }
            shape = []
        }
        guard asking.permission != .skip else { throw .parameter }
        limit = nil
    }
}

extension SortedDictionary {
    /// The class, nil if none is named; fails with `.noSuchClass` on a name that isn't known, `.parameter` on anything but a
    /// name.
    func namedClass() throws(KeychainFailure) -> ItemClass? {
        guard let itemClass else { return nil }
        guard let name = itemClass as? String else { throw .parameter }
        guard let known = ItemClass(name: name) else { throw .noSuchClass }
        return known
    }
}
