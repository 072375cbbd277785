#if os(Linux)
public import LocalAuthentication
import ThumbSignIn

extension SignIn {
    /// Proof for the server that the owner is there now. A session's token proves nothing, because it may have been copied.
    public enum Proof: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
        /// This device signs for exactly this act, and its owner is asked in the prompt's own words, such as *Delete your account at …*.
        case owner
        /// The account's password; nobody is asked.
        case password(String)

        /// Says which of the two this is, without the password.
        public var description: String {
            switch self {
            case .owner: "the owner"
            case .password: "the password"
            }
        }
        /// The same as `description`.
        public var debugDescription: String { description }
    }

    /// A session of the account, as the server lists it.
    public struct ListedSession: Sendable, Hashable {
        /// The session's name for `endSession`. It opens nothing.
        public let id: String
        /// The device that began it; nil if the password began it.
        public let device: String?
        /// When it first began.
        public let began: Date
        /// When it ends, unless it is renewed.
        public let expires: Date
        /// Whether this is the session that asked.
        public let isCurrent: Bool
    }

    /// A device of the account, as the server lists it.
    public struct ListedDevice: Sendable, Hashable {
        /// The device's name for `revokeDevice`. It opens nothing.
        public let id: String
        /// The name that its owner gave it.
        public let name: String
        /// When it was registered.
        public let registered: Date
        /// When it last signed in, if ever.
        public let lastUsed: Date?
        /// Whether it can't sign in any more.
        public let isRevoked: Bool
        /// Whether this is the present device.
        public let isCurrent: Bool
    }

    /// Gives the account a new password, even if it has none yet.
    ///
    /// All other sessions end, unless you keep them. This one goes on under a new token, so that a copy of the old token ends as well.
    nonisolated(nonsending) public func changePassword(
        to new: String, proof: Proof = .owner, keepingOtherSessions: Bool = false
    ) async throws(SignInError) {
        try await goOn(.changePassword, proof) { token, members async throws(RemoteServer.Failure) in
            try await server.changePassword(to: new, others: keepingOtherSessions ? .keep : .end, members, token: token)
        }
    }

    /// Removes the account's password, so that only its devices can sign in. To enable another device, set a password again with
    /// `changePassword`.
    ///
    /// Fails with `noDevice` if no device is registered. Sessions end as after `changePassword`. An owner who then loses all devices, or
    /// has other fingers enrolled on all of them, needs the operator of the server.
    nonisolated(nonsending) public func removePassword(
        proof: Proof = .owner, keepingOtherSessions: Bool = false
    ) async throws(SignInError) {
        try await goOn(.removePassword, proof) { token, members async throws(RemoteServer.Failure) in
            try await server.removePassword(others: keepingOtherSessions ? .keep : .end, members, token: token)
        }
    }

    /// The account's sessions, the newest first, at most a hundred. Asks nobody. Fails with `noSession` if there is no session to ask with.
    nonisolated(nonsending) public func sessions() async throws(SignInError) -> [ListedSession] {
        let listed = try await reading { token async throws(RemoteServer.Failure) in try await server.sessions(token: token) }
        let areNames = listed.allSatisfy { one in
            SessionID(text: one.session) != nil && one.device.map { DeviceID(text: $0) != nil } ?? true
        }
        guard areNames else { throw .badAnswer }
        return listed.map { one in
            ListedSession(
                id: one.session, device: one.device, began: Date(timeIntervalSince1970: TimeInterval(one.began)),
                expires: Date(timeIntervalSince1970: TimeInterval(one.expires)), isCurrent: one.current)
        }
    }

    /// The account's devices, the oldest first, including revoked ones. Asks nobody. Fails with `noSession` if there is no session to ask
    /// with.
    nonisolated(nonsending) public func devices() async throws(SignInError) -> [ListedDevice] {
        let own = try record()?.device
        let listed = try await reading { token async throws(RemoteServer.Failure) in try await server.devices(token: token) }
        guard listed.allSatisfy({ DeviceID(text: $0.device) != nil && DeviceWords.isName($0.name) }) else { throw .badAnswer }
        return listed.map { one in
            ListedDevice(
                id: one.device, name: one.name, registered: Date(timeIntervalSince1970: TimeInterval(one.registered)),
                lastUsed: one.last_used.map { Date(timeIntervalSince1970: TimeInterval($0)) }, isRevoked: one.revoked != nil,
                isCurrent: one.device == own)
        }
    }

    /// Revokes another device of the account, by its name in `devices`. A lost device can then sign in nowhere, and its sessions end. Fails
    /// with `unknownDevice` if the account has no device of that name. If it is this device, its key and token are removed too.
    nonisolated(nonsending) public func revokeDevice(_ id: String, proof: Proof = .owner) async throws(SignInError) {
        guard DeviceID(text: id) != nil else { throw .unknownDevice }
        try await act(.revokeDevice, proof) { token, members async throws(RemoteServer.Failure) in
            do throws(RemoteServer.Failure) {
                try await server.revoke(id, members, token: token)
            } catch {
                throw error.code == .notFound ? .other(.unknownDevice) : error
            }
        }
        if id == (try record()?.device) { try forgetAll() }
    }

    /// Ends one session of the account, by its name in `sessions`. It is no failure if that session has already ended.
    nonisolated(nonsending) public func endSession(_ id: String, proof: Proof = .owner) async throws(SignInError) {
        try await act(.endSessions, proof) { token, members async throws(RemoteServer.Failure) in
            do throws(RemoteServer.Failure) {
                try await server.endSession(id, members, token: token)
            } catch {
                if error.code != .notFound { throw error }
            }
        }
    }

    /// Ends all sessions of the account but this one, which goes on under a new token, so that copies of the old one end as
    /// well.
    nonisolated(nonsending) public func endOtherSessions(proof: Proof = .owner) async throws(SignInError) {
        try await goOn(.endSessions, proof) { token, members async throws(RemoteServer.Failure) in
            try await server.endOthers(members, token: token)
        }
    }

    /// Deletes the account at the server, with its devices and sessions, and then everything kept about it here.
    nonisolated(nonsending) public func deleteAccount(proof: Proof = .owner) async throws(SignInError) {
        try await act(.deleteAccount, proof) { token, members async throws(RemoteServer.Failure) in
            try await server.deleteAccount(members, token: token)
        }
        try forgetAll()
    }

    /// Makes a request with the present session. If the server has ended that session, it is forgotten here.
    nonisolated(nonsending) private func reading<Value>(
        _ ask: nonisolated(nonsending) (_ token: String) async throws(RemoteServer.Failure) -> Value
    ) async throws(SignInError) -> Value {
        guard let session = try session() else { throw .noSession }
        do throws(RemoteServer.Failure) {
            return try await ask(session.token)
        } catch {
            try forgetSession(session.token, error)
            throw error.error
        }
    }

    // MARK: Proving it

    /// Does something with the present session, or with one that is begun for it. A session begun with the password then ends; one begun by
    /// the owner is kept.
    nonisolated(nonsending) func act(
        _ purpose: Purpose, _ proof: Proof,
        _ body:
            nonisolated(nonsending) (_ token: String, _ members: RemoteServer.Proof) async throws(RemoteServer.Failure) -> Void
    ) async throws(SignInError) {
        try await acting(purpose, proof) { token, members, _ async throws(RemoteServer.Failure) in
            try await body(token, members)
            return nil
        }
    }

    /// The same for an act after which the session goes on under another token, which is kept.
    nonisolated(nonsending) private func goOn(
        _ purpose: Purpose, _ proof: Proof,
        _ body:
            nonisolated(nonsending) (_ token: String, _ members: RemoteServer.Proof) async throws(RemoteServer.Failure)
            -> RemoteServer.Session
    ) async throws(SignInError) {
        try await acting(purpose, proof) { token, members, kind async throws(RemoteServer.Failure) in
            try server.checked(try await body(token, members), accountName, kind)
        }
    }

    nonisolated(nonsending) private func acting(
        _ purpose: Purpose, _ proof: Proof,
        _ body:
            nonisolated(nonsending) (String, RemoteServer.Proof, _ kind: String) async throws(RemoteServer.Failure)
            -> RemoteServer.Session?
    ) async throws(SignInError) {
        var made: RemoteServer.Proof?
        if let session = try session() {
            let members = try await members(of: proof, for: purpose)
            made = members
            if try await isDone(session.token, members, body) { return }
        }
        switch proof {
        case .owner:
            let session = try await signIn()
            let members: RemoteServer.Proof
            if let made { members = made } else { members = try await self.members(of: proof, for: purpose) }
            guard try await isDone(session.token, members, body) else { throw .noSession }
        case .password(let password):
            let own = try await asking { () async throws(RemoteServer.Failure) in
                try await server.session(of: accountName, password: password)
            }
            var last = own.token
            var failure: RemoteServer.Failure?
            do throws(RemoteServer.Failure) {
                if let next = try await body(own.token, ["password": password], "password") { last = next.token }
            } catch {
                failure = error
            }
            // The session has served its purpose. If it can't be ended just now, it ends by itself.
            try? await server.end(last)
            if let failure { throw failure.error }
        }
    }

    nonisolated(nonsending) private func members(
        of proof: Proof, for purpose: Purpose
    ) async throws(SignInError) -> RemoteServer.Proof {
        switch proof {
        case .password(let password): return ["password": password]
        case .owner:
            guard let record = try record(), record.isRegistered else { throw .notEnabled }
            let (statement, signature) = try await signed(purpose, record)
            return ["statement": statement.text, "signature": Base64URL.encoded(signature)]
        }
    }

    /// Does it with a session that is kept. Returns false if the server has ended that session: then it has used nothing up.
    nonisolated(nonsending) private func isDone(
        _ token: String, _ members: RemoteServer.Proof,
        _ body:
            nonisolated(nonsending) (String, RemoteServer.Proof, _ kind: String) async throws(RemoteServer.Failure)
            -> RemoteServer.Session?
    ) async throws(SignInError) -> Bool {
        let next: RemoteServer.Session?
        do throws(RemoteServer.Failure) {
            next = try await body(token, members, "device")
        } catch {
            guard error.code == .session else { throw lost(error) }
            try forgetSession(token, error)
            return false
        }
        if let next { try await keep(next, inPlaceOf: token) }
        return true
    }

    /// What the server says about this device's key is remembered, as after a sign-in.
    private func lost(_ failure: RemoteServer.Failure) -> SignInError {
        do throws(SignInError) {
            guard let record = try record() else { return failure.error }
            switch failure.code {
            case .deviceRevoked: try lose(record, .revoked)
            case .deviceUnknown: try lose(record, .unknownAtServer)
            default: return failure.error
            }
        } catch {
            return error
        }
    }
}
#endif
