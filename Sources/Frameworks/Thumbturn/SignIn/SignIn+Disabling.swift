#if os(Linux)
internal import LocalAuthentication
internal import ThumbSignIn

extension SignIn {
    /// What disabling left.
    public enum Remains: Sendable, Hashable {
        /// Nothing, here or at the server.
        case nothing
        /// Key and token are gone from this device; the server still lists the device, because of that error. It can be revoked
        /// from another one. Nobody can sign in with it: its key was in no other place.
        case atServer(device: String, SignInError)
    }

    /// Takes the device out of the account: revokes it at the server, and removes its key and the token here.
    ///
    /// Without a session the owner is asked once more, to sign in for it. What is here is removed in any case, and the answer says
    /// what is left at the server; only where the owner cancels does everything stay as it was. Does nothing where nothing is enabled.
    @discardableResult
    nonisolated(nonsending) public func disable() async throws(SignInError) -> Remains {
        guard let record = try record() else {
            try removeKey()
            return .nothing
        }
        var remains = Remains.nothing
        do throws(SignInError) {
            try await revoke(record)
        } catch .cancelled {
            throw .cancelled
        } catch {
            // A device that the server doesn't know, or knows as revoked, isn't left there.
            if error != .needsPassword(.revoked), error != .needsPassword(.unknownAtServer) {
                remains = .atServer(device: record.device, error)
            }
        }
        try removeKey()
        do throws(VaultError) {
            try vault.remove(name)
        } catch {
            throw SignInError(error)
        }
        return remains
    }

    nonisolated(nonsending) private func revoke(_ record: SignInRecord) async throws(SignInError) {
        if let session = session(in: record) {
            do throws(SignInServer.Failure) {
                return try await revokeAll(record, session.token)
            } catch {
                guard error.code == .session else { throw error.error }
            }
        }
        // Never registered as far as is known here; the server's answer may have been lost all the same.
        let session = try await signIn()
        try await asking { () async throws(SignInServer.Failure) in try await revokeAll(record, session.token) }
    }

    /// The ones before it first: with the device its session ends.
    nonisolated(nonsending) private func revokeAll(
        _ record: SignInRecord, _ token: String
    ) async throws(SignInServer.Failure) {
        for device in record.former + [record.device] {
            do throws(SignInServer.Failure) {
                try await server.revoke(device, token: token)
            } catch {
                if error.code != .notFound { throw error }
            }
        }
    }
}
#endif
