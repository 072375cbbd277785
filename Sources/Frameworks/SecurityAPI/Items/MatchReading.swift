import Foundation
import ThumbAccess

/// What the `m_…` keys of a search ask for.
struct MatchTerms {
    /// nil: every match.
    var limit: Int? = 1

    /// Fails with `.parameter` on a value of the wrong type or a key that isn't known, and with `.unsupported` on a filter that
    /// isn't for the class or that the daemon can't apply yet: leaving it out would find more than was asked for.
    init(_ matches: [(key: String, value: Any)], of itemClass: ItemClass?) throws(KeychainFailure) {
        for (key, value) in matches {
            switch key {
            case "m_Limit":
                limit = try Self.limit(value)
            case "m_Policy", "m_Issuers", "m_HostOrSubdomainOfHost":
                throw .unsupported
            case "m_TrustedOnly":
                guard boolean(value) != nil else { throw .parameter }
                try Self.withoutEffect(on: itemClass)
            case "m_EmailAddressIfPresent":
                guard value is String else { throw .parameter }
                try Self.withoutEffect(on: itemClass)
            case "m_ValidOnDate":
                guard value is Date || value is NSNull else { throw .parameter }
                try Self.withoutEffect(on: itemClass)
            case "m_ItemList", "m_SearchList", "m_SubjectContains", "m_CaseInsensitive", "m_SubjectStartsWith",
                "m_SubjectEndsWith", "m_SubjectWholeString", "m_DiacriticInsensitive", "m_WidthInsensitive":
                break
            default:
                throw .parameter
            }
        }
    }

    /// Passwords have no subject, no date and no trust; certificates do.
    private static func withoutEffect(on itemClass: ItemClass?) throws(KeychainFailure) {
        if itemClass == .certificate || itemClass == .identity { throw .unsupported }
    }

    /// A number, "one" or "all".
    static func limit(_ value: Any) throws(KeychainFailure) -> Int? {
        switch value as? String {
        case "m_LimitOne": return 1
        case "m_LimitAll": return nil
        default: break
        }
        guard let number = integer(value), number >= 0 else { throw .parameter }
        // More than any keychain holds is as good as all.
        return number > Int64(Int32.max) ? nil : Int(number)
    }
}
