import ThumbAccess
import ThumbSecrets

extension SecretAddition {
    /// Keeps these fields. In a secret that is replaced the others stay as they are.
    func perform(fields: [(name: String, value: SecretBytes)]) throws(Failure) -> AdditionReport {
        guard replaces, let kept = try WantedSecret(name).keptIfThere() else {
            return try perform(contents { () throws(Fields.Problem) in try Fields.contents(fields) })
        }
        // The owner is asked once, to read the others and to write them again.
        let releasing = Releasing([kept], reason: reason)
        let old = try name.fields(of: releasing.secrets()[0])
        return try perform(contents { () throws(Fields.Problem) in try old.replacing(fields) }, context: releasing.context)
    }

    private func contents(_ make: () throws(Fields.Problem) -> SecretBytes) throws(Failure) -> SecretBytes {
        let secret: SecretBytes
        do throws(Fields.Problem) { secret = try make() } catch { throw name.failure(error) }
        guard secret.count <= QueryLimit.secretBytes else { throw .secretTooLarge(limit: QueryLimit.secretBytes) }
        return secret
    }
}
