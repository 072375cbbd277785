import Foundation
import ThumbAccess

/// The conditions in the `m_…` keys of a search.
struct MatchTerms {
    /// nil: every match.
    var limit: Int? = 1
    /// A host. Passwords for it and for its subdomains match.
    var host: String?
    var certificates = CertificateFilter()

    /// Fails with `.parameter` on a value of the wrong type or an unknown key, and with `.unsupported` on a filter that the class doesn't
    /// have or that can't be applied: leaving it out would find more than the caller asked for.
    init(_ matches: [(key: String, value: Any)], of itemClass: ItemClass?) throws(KeychainFailure) {
        for (key, value) in matches {
            switch key {
            case "m_Limit":
                limit = try Self.limit(value)
            case "m_HostOrSubdomainOfHost":
                guard itemClass == .internetPassword else { throw .unsupported }
                guard let name = string(value) else { throw .parameter }
                host = name
            case "m_Issuers":
                guard Self.hasCertificates(itemClass) else { throw .unsupported }
                guard let names = dataList(value) else { throw .parameter }
                certificates.issuers = names.map { [UInt8]($0) }
            case "m_Policy":
                throw .unsupported
            case "m_TrustedOnly":
                guard let onlyTrusted = boolean(value) else { throw .parameter }
                // Nothing here evaluates trust. Finding untrusted certificates would be worse than finding nothing.
                if onlyTrusted, Self.hasCertificates(itemClass) { throw .unsupported }
            case "m_EmailAddressIfPresent":
                guard let address = string(value) else { throw .parameter }
                if Self.hasCertificates(itemClass) { certificates.email = address }
            case "m_ValidOnDate":
                guard value is Date || value is NSNull else { throw .parameter }
                if Self.hasCertificates(itemClass) {
                    certificates.moment = ((value as? Date) ?? Date()).timeIntervalSince1970
                }
            case "m_ItemList", "m_SearchList", "m_SubjectContains", "m_CaseInsensitive", "m_SubjectStartsWith",
                "m_SubjectEndsWith", "m_SubjectWholeString", "m_DiacriticInsensitive", "m_WidthInsensitive":
                break
            default:
                throw .parameter
            }
        }
    }

    /// Passwords have no subject, date or trust, so such a filter has no effect on them.
    private static func hasCertificates(_ itemClass: ItemClass?) -> Bool { itemClass == .certificate || itemClass == .identity }

    /// A number, "one" or "all".
    static func limit(_ value: Any) throws(KeychainFailure) -> Int? {
        switch string(value) {
        case "m_LimitOne": return 1
        case "m_LimitAll": return nil
        default: break
        }
        guard let number = integer(value), number >= 0 else { throw .parameter }
        // A number larger than any keychain means all.
        return number > Int64(Int32.max) ? nil : Int(number)
    }
}
