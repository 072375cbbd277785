import Foundation
package import ThumbAccess

/// What the `u_…` keys of a dictionary say about asking. It can be read repeatedly, because a context may change.
struct AskingReading {
    private var source: (any AuthenticationContextSource)?
    private var said: PromptPermission?
    private var reason = ""

    /// Unknown keys are ignored, as Apple does. `u_ItemList`, a credential beside a context, and a context of the wrong type fail with
    /// `.parameter`.
    init(_ uses: [(key: String, value: Any)]) throws(KeychainFailure) {
        var hasCredential = false
        for (key, value) in uses {
            switch key {
            case "u_AuthCtx":
                guard let context = value as? any AuthenticationContextSource else { throw .parameter }
                source = context
            case "u_AuthUI":
                said = stricter(said, try Self.permission(value))
            case "u_NoAuthUI":
                guard let number = value as? NSNumber else { throw .parameter }
                if number.boolValue { said = stricter(said, .fail) }
            case "u_OpPrompt":
                guard let reason = string(value) else { throw .parameter }
                self.reason = reason
            case "u_ItemList":
                throw .parameter
            case "u_CredRef":
                hasCredential = true
            default:
                break
            }
        }
        if source != nil, hasCredential { throw .parameter }
    }

    /// Whether its context was ended.
    var isVoid: Bool { source?.isInvalidated ?? false }

    /// How to ask now. Fails with `.authenticationFailed` if the context was ended.
    func terms() throws(KeychainFailure) -> AskingTerms {
        var terms = AskingTerms()
        var said = said
        terms.words.reason = reason
        if let source {
            if source.isInvalidated { throw .authenticationFailed }
            terms.context = source.contextNumber
            terms.words = source.contextWords
            terms.reuseSeconds = source.contextReuseSeconds
            // The context's own reason is the newer API, so it takes precedence.
            if terms.words.reason.isEmpty { terms.words.reason = reason }
            if source.interactionNotAllowed { said = stricter(said, .fail) }
        }
        terms.permission = said ?? .allow
        terms.words = terms.words.cut()
        return terms
    }

    private static func permission(_ value: Any) throws(KeychainFailure) -> PromptPermission {
        switch string(value) {
        case "u_AuthUIA": .allow
        case "u_AuthUIF": .fail
        case "u_AuthUIS": .skip
        default: throw .parameter
        }
    }
}

/// The answer that asks less: skipping neither asks nor fails, failing doesn't ask.
private func stricter(_ one: PromptPermission?, _ other: PromptPermission) -> PromptPermission {
    guard let one, one.rawValue > other.rawValue else { return other }
    return one
}

extension PromptWords {
    /// The words, cut to the length that is sent. A prompt shows less than that anyway.
    package func cut() -> PromptWords {
        func cut(_ text: String) -> String {
            if text.utf8.count <= QueryLimit.wordsBytes { return text }
            var end = text.startIndex
            var bytes = 0
            for character in text {
                bytes += character.utf8.count
                if bytes > QueryLimit.wordsBytes { break }
                text.formIndex(after: &end)
            }
            return String(text[..<end])
        }
        return PromptWords(reason: cut(reason), fallbackTitle: fallbackTitle.map(cut), cancelTitle: cancelTitle.map(cut))
    }
}
