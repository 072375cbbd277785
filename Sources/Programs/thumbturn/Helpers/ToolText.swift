import ThumbAccess
import ThumbCredentialForms
import ThumbSecrets

/// A secret as a line of text, for protocols that have no room for more.
enum ToolText {
    /// The secret without a newline at its end. Fails if it has more than one line, or a zero byte.
    static func line(_ secret: SecretBytes, of thing: Thing, for tool: String) throws(Failure) -> SecretBytes {
        do throws(FormRefusal) { return try secret.oneLine() } catch .noMemory { throw .noLockedMemory } catch {
            throw .helper(.notOneLine(thing, tool: tool))
        }
    }
}
