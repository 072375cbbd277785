import ThumbAccess
import ThumbSecrets

extension SecretAddition {
    /// Keeps these fields. In a secret that is replaced the others stay as they are.
    func perform(fields: [(name: String, value: SecretBytes)]) throws(Failure) -> AdditionReport {
        for _ in 0..<Self.tries {
            guard replaces, let kept = try WantedSecret(name).keptIfThere() else {
                return try perform(contents { () throws(Fields.Problem) in try Fields.contents(fields) })
            }
            // The owner is asked once, to read the others and to write them again.
            let releasing = Releasing([kept], reason: reason)
            let old = try name.fields(of: releasing.secrets()[0])
            let new = try contents { () throws(Fields.Problem) in try old.replacing(fields) }
            do throws(Failure) {
                return try perform(new, context: releasing.context, since: kept.attributes[.modified])
            } catch .keychain(.itemNotFound, about: _) {
                // Another command has changed it since: what that wrote mustn't be lost.
            }
        }
        throw .secret(.changedMeanwhile(name.thing))
    }

    /// How often it is read again because another command was faster.
    private static let tries = 10

    private func contents(_ make: () throws(Fields.Problem) -> SecretBytes) throws(Failure) -> SecretBytes {
        let secret: SecretBytes
        do throws(Fields.Problem) { secret = try make() } catch { throw name.failure(error) }
        guard secret.count <= QueryLimit.secretBytes else { throw .secretTooLarge(limit: QueryLimit.secretBytes) }
        return secret
    }
}
