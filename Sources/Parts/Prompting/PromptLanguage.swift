extension PromptLanguage {
    /// The user's language for messages, found in the usual way. English if it isn't among these.
    ///
    /// - Parameter environment: gives a variable's value, or nil.
    public init(_ environment: (String) -> String?) {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        let locale = String((named ?? "").prefix { $0 != "." && $0 != "@" })
        self = Self.candidates(locale).lazy.compactMap { Self(rawValue: $0) }.first ?? .en
    }

    /// The languages that would do for a locale, the best one first.
    private static func candidates(_ locale: String) -> [String] {
        let parts = locale.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard let language = parts.first, language == "zh" else { return [locale, parts.first.map(String.init) ?? ""] }
        // Chinese is written in two ways. Whoever reads one of them doesn't want the other in its place.
        switch parts.count > 1 ? parts[1] : "" {
        case "TW", "HK", "MO": return [locale, "zh_TW"]
        default: return [locale, "zh_CN"]
        }
    }
}
