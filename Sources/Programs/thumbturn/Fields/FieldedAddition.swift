import ThumbAccess
import ThumbSecrets

extension SecretAddition {
    /// Keeps these fields. In a secret that is replaced the others stay as they are.
    func perform(fields: [(name: String, value: SecretBytes)]) throws(Failure) -> KeptSecret {
        // The owner is asked once, to read the others and to write them again.
        let releasing = Releasing([name], reason: reason)
        let isThere = try name.isThere()
        let old = replaces && isThere ? try name.fields(of: releasing.secrets()[0]) : nil
        let secret: SecretBytes
        do throws(Fields.Problem) {
            if let old { secret = try old.replacing(fields) } else { secret = try Fields.contents(fields) }
        } catch {
            throw name.failure(error)
        }
        guard secret.count <= QueryLimit.secretBytes else { throw .secretTooLarge(limit: QueryLimit.secretBytes) }
        return try perform(secret, context: releasing.context)
    }
}
