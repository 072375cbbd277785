/// The languages that prompts speak.
public enum PromptLanguage: Sendable, Hashable, CaseIterable {
    case english
    case japanese

    /// The user's language for messages, found in the usual way. English if it isn't among these.
    ///
    /// - Parameter environment: gives a variable's value, or nil.
    public init(_ environment: (String) -> String?) {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        let code = named?.prefix { $0 != "_" && $0 != "." && $0 != "@" }
        self = code == "ja" ? .japanese : .english
    }
}
