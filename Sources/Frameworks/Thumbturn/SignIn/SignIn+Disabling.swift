#if os(Linux)
import LocalAuthentication
import ThumbSignIn

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
    /// The owner is asked, because a token alone revokes nothing; the account's password, where it is given, spares that, and is what helps
    /// where the key is of no use any more. What is here is removed in any case, and the answer says what is left at the server; only where
    /// the owner cancels, or with `lastWayIn`, does everything stay as it was. Does nothing where nothing is enabled.
    @discardableResult
    nonisolated(nonsending) public func disable(password: String? = nil) async throws(SignInError) -> Remains {
        guard let record = try record() else {
            try removeKey()
            return .nothing
        }
        var remains = Remains.nothing
        do throws(SignInError) {
            try await revokeAll(record, password.map { .password($0) } ?? .owner)
        } catch {
            switch error {
            // Nobody could sign in to the account any more, or it isn't wanted: all stays as it was.
            case .cancelled, .lastWayIn: throw error
            // A device that the server doesn't know, or knows as revoked, isn't left there.
            case .needsPassword(.revoked), .needsPassword(.unknownAtServer): break
            default: remains = .atServer(device: record.device, error)
            }
        }
        try forgetAll()
        return remains
    }

    /// Removes all that lies here of the account.
    func forgetAll() throws(SignInError) {
        try removeKey()
        do throws(VaultError) {
            try vault.remove(name)
        } catch {
            throw SignInError(error)
        }
    }

    /// The ones before it first: with the device its session ends.
    nonisolated(nonsending) private func revokeAll(_ record: SignInRecord, _ proof: Proof) async throws(SignInError) {
        for device in record.former + [record.device] {
            try await act(.revokeDevice, proof) { token, members async throws(RemoteServer.Failure) in
                do throws(RemoteServer.Failure) {
                    try await server.revoke(device, members, token: token)
                } catch {
                    if error.code != .notFound { throw error }
                }
            }
        }
    }
}
#endif
