#if os(Linux)
import LocalAuthentication
import ThumbSignIn

extension SignIn {
    /// What disabling left behind.
    public enum Remains: Sendable, Hashable {
        /// Nothing, here or at the server.
        case nothing
        /// Key and token are gone from this device, but the server still lists the device, because of that error. Another device can revoke
        /// it. Nobody can sign in with it, because its key existed nowhere else.
        case atServer(device: String, SignInError)
    }

    /// Removes the device from the account: revokes it at the server, and removes its key and the token here.
    ///
    /// The owner is asked, because a token alone can't revoke anything. Give the account's password to avoid that, or if the key can't be
    /// used any more. Key and token are removed here in any case, and the result says what is left at the server. Only if the owner
    /// cancels, or with `lastWayIn`, does everything stay as it was. If nothing is enabled it does nothing.
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
            // The owner cancelled, or nobody could sign in to the account any more: everything stays as it was.
            case .cancelled, .lastWayIn: throw error
            // If the server doesn't know the device, or knows it as revoked, nothing is left there.
            case .needsPassword(.revoked), .needsPassword(.unknownAtServer): break
            default: remains = .atServer(device: record.device, error)
            }
        }
        try forgetAll()
        return remains
    }

    /// Removes everything kept about the account here.
    func forgetAll() throws(SignInError) {
        try removeKey()
        do throws(VaultError) {
            try vault.remove(name)
        } catch {
            throw SignInError(error)
        }
    }

    /// Revokes the earlier ones first, because the device's session ends with the device.
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
