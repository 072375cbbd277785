import ThumbAccess
import ThumbSecrets

/// Whether a secret is text that a terminal can show. That is noted beside the secret when it is kept, so that it is known before the
/// owner is asked. It tells as little as a name does; the secret itself stays sealed.
enum SecretForm {
    /// The item's kind, which Apple's systems show beside its name.
    private static let attribute = AttributeName.description
    private static let binary = AttributeValue.text("binary")
    private static let text = AttributeValue.text("text")

    /// The attributes that note it for a secret that is being kept: none for text, unless they replace those of a binary one. A time after
    /// which the one before wasn't to be handed out any more doesn't hold for this one.
    static func attributes(of secret: SecretBytes, replacing before: Attributes = [:]) -> Attributes {
        var attributes: Attributes = [:]
        if !UTF8Scalars.areShowable(secret) {
            attributes[attribute] = binary
        } else if isBinary(before) {
            attributes[attribute] = text
        }
        if ToolSecret.end(before) != nil { attributes[.comment] = .text("") }
        return attributes
    }

    /// Whether the attributes say that it isn't text. If another program kept the secret they say nothing.
    static func isBinary(_ attributes: Attributes) -> Bool { attributes[attribute] == binary }
}
