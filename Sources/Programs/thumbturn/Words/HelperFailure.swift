import ThumbAccess
import ThumbCredentialForms

/// Why a tool doesn't get what it asked its helper for.
enum HelperFailure: Sendable {
    /// What the tool sent.
    case notUnderstood(FormRefusal, from: String)
    /// The tool's protocol has no room for the secret.
    case notOneLine(Thing, tool: String)

    var words: Words {
        switch self {
        case .notUnderstood(.noMemory, from: _): Failure.noLockedMemory.words
        case .notUnderstood(let refusal, let tool):
            Words(
                "notUnderstood", .input, "What \(tool) sent \(refusal.reason).",
                "Check that \(tool) itself starts this helper, and not a person or another program.")
        case .notOneLine(let secret, let tool):
            Words(
                "notText", .failed, "The \(secret.name) isn't one line of text, which is all that \(tool) can take.",
                "Run 'thumbturn secret edit' to make it one.")
        }
    }
}

extension FormRefusal {
    /// What is wrong with what was sent, to be used after it.
    fileprivate var reason: String {
        switch self {
        case .malformed: "doesn't have the form of its protocol"
        case .incomplete: "lacks a part that its protocol demands"
        case .unspeakable: "has characters that its protocol has no place for"
        case .tooLong: "is longer than anything that it would send"
        case .noMemory: "could not be held in locked memory"
        }
    }
}
