import ThumbAccess
import ThumbClient
import ThumbSecrets

extension SecretName {
    /// The secret itself, once the owner has shown what it takes.
    func open(reason: String, context: UInt64? = nil) throws(Failure) -> SecretBytes {
        let found = try Daemon.release(about: thing, reason: reason) { () throws(ReleaseFailure) in
            try DeviceClient.shared.release(query(limit: 1, shape: .data, reason: reason, context: context))
        }
        guard let secret = found.first?.secret else { throw .secretWithoutData(thing) }
        return secret
    }

    /// The fields of this secret, which was opened.
    func fields(of secret: SecretBytes) throws(Failure) -> Fields {
        do throws(Fields.Problem) { return try Fields(secret) } catch { throw failure(error) }
    }

    func failure(_ problem: Fields.Problem) -> Failure { Self.failure(problem, of: thing) }

    static func failure(_ problem: Fields.Problem, of thing: Thing) -> Failure {
        switch problem {
        case .none: .secret(.noFields(thing))
        case .newer: .secret(.fieldsNewer(thing))
        case .line(let number): .secret(.fieldsUnreadable(thing, line: number))
        case .tooMany: .secret(.tooManyFields(limit: Fields.most))
        case .noMemory: .noLockedMemory
        }
    }
}

extension SecretReference {
    /// What the reference means of a secret that was opened: all of it, or the field.
    func part(of secret: SecretBytes, _ name: SecretName) throws(Failure) -> SecretBytes {
        guard let field else { return secret }
        let fields = try name.fields(of: secret)
        let value: SecretBytes?
        do throws(Fields.Problem) { value = try fields.value(of: field) } catch { throw name.failure(error) }
        guard let value else { throw .secret(.noField(field, of: name.thing, has: fields.names)) }
        return value
    }
}
