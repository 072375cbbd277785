import ThumbAccess

/// The attributes of one dictionary, checked against their class.
struct ItemAttributes {
    var plain: Attributes = [:]
    /// The rule in `pdmn` or `accc`.
    var rule: AccessRule?
    /// The value of `pdmn`: the part of the rule that a query filters by.
    var accessibility: Accessibility?
    var sync: SyncFilter?

    /// Fails with `.noSuchAttribute` on an attribute that the class doesn't have, and with `.parameter` on a value of the wrong type and on
    /// an access control beside a different accessibility.
    ///
    /// - Parameter filtering: whether the attributes are a query's rather than an item's own.
    init(
        _ pairs: [(name: AttributeName, value: Any)], of itemClass: ItemClass, filtering: Bool
    ) throws(KeychainFailure) {
        var control: AccessRule?
        plain = Attributes(minimumCapacity: pairs.count)
        for (name, value) in pairs {
            guard let kind = AttributeSchema.kind(of: name, in: itemClass) else { throw .noSuchAttribute }
            switch kind {
            case .accessible:
                guard let code = string(value), let known = Accessibility(code: code) else { throw .parameter }
                accessibility = known
            case .accessControl:
                guard let object = value as? SecAccessControl else { throw .parameter }
                control = object.rule
            case .synchronizable:
                sync = try Self.sync(value)
            case .bookkeeping:
                // As a filter it would silently match too much.
                if filtering { throw .noSuchAttribute }
            case .blob, .code, .text, .data, .number, .date:
                plain[name] = try AttributeValue(value, as: kind)
            }
        }
        if let control, let accessibility, control != AccessRule(accessibility) { throw .parameter }
        rule = control ?? accessibility.map { AccessRule($0) }
    }

    private static func sync(_ value: Any) throws(KeychainFailure) -> SyncFilter {
        if let text = string(value), text == "syna" { return .any }
        guard case .number(let number) = try AttributeValue(value, as: .synchronizable) else { throw .parameter }
        return number == 0 ? .localOnly : .syncedOnly
    }

    /// Puts `sync` among the attributes of an item or a change. "Either" has no meaning there.
    mutating func keepSync() throws(KeychainFailure) {
        switch sync {
        case nil: break
        case .localOnly: plain[.synchronizable] = .number(0)
        case .syncedOnly: plain[.synchronizable] = .number(1)
        case .any: throw .parameter
        }
    }
}
