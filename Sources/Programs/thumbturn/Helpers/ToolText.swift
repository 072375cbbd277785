import ThumbAccess
import ThumbCredentialForms
import ThumbSecrets

/// What tools send, and secrets as their protocols have room for.
enum ToolText {
    /// What a tool sent, or a failure in this program's words.
    static func understood<Value>(
        from tool: String, _ read: () throws(FormRefusal) -> Value
    ) throws(Failure) -> Value {
        do throws(FormRefusal) { return try read() } catch { throw .helper(.notUnderstood(error, from: tool)) }
    }

    /// The secret without a newline at its end. Fails if it has more than one line, or a zero byte.
    static func line(_ secret: SecretBytes, of thing: Thing, for tool: String) throws(Failure) -> SecretBytes {
        do throws(FormRefusal) { return try secret.oneLine() } catch .noMemory { throw .noLockedMemory } catch {
            throw .helper(.notOneLine(thing, tool: tool))
        }
    }

    /// The secret as a string in JSON, whole. Fails if it isn't UTF-8.
    static func json(_ secret: SecretBytes, of thing: Thing, for tool: String) throws(Failure) -> JSON {
        guard UTF8Scalars.areValid(secret) else { throw .helper(.notText(thing, tool: tool)) }
        return .secret(secret, .jsonText)
    }
}

/// A secret with fields that a tool needs, opened after one question.
struct ToolFields {
    private let fields: Fields
    private let thing: Thing
    private let tool: String

    /// - Parameter needed: the fields of which a secret that has none is told.
    init(_ secret: SecretBytes, of thing: Thing, for tool: String, needed: [String]) throws(Failure) {
        do throws(Fields.Problem) { fields = try Fields(secret) } catch .none {
            throw .helper(.fieldsNeeded(thing, needed, tool: tool))
        } catch {
            throw SecretName.failure(error, of: thing)
        }
        (self.thing, self.tool) = (thing, tool)
    }

    /// A field as a string in JSON; nil if there is none.
    func json(_ name: String) throws(Failure) -> JSON? {
        let value: SecretBytes?
        do throws(Fields.Problem) { value = try fields.value(of: name) } catch { throw .noLockedMemory }
        guard let value else { return nil }
        return try ToolText.json(ToolText.line(value, of: thing, for: tool), of: thing, for: tool)
    }

    /// A field that may have several lines, as a string in JSON; nil if there is none.
    func wholeJSON(_ name: String) throws(Failure) -> JSON? {
        let value: SecretBytes?
        do throws(Fields.Problem) { value = try fields.value(of: name) } catch { throw .noLockedMemory }
        guard let value else { return nil }
        return try ToolText.json(value, of: thing, for: tool)
    }

    /// The same for one that must be there.
    func needsWhole(_ name: String) throws(Failure) -> JSON {
        guard let value = try wholeJSON(name) else { throw .secret(.noField(name, of: thing, has: fields.names)) }
        return value
    }

    /// A field of one line that must be there.
    func needed(_ name: String) throws(Failure) -> JSON {
        guard let value = try json(name) else { throw .secret(.noField(name, of: thing, has: fields.names)) }
        return value
    }
}
