#if os(Linux)
import LocalAuthentication
import ThumbSignIn

extension SignIn {
    /// Makes a key on this device and registers it at the server. This takes the account's password once.
    ///
    /// The owner is asked, because the key must prove itself. `deviceName` is shown in the account's list of devices (1 to 64 characters,
    /// one line). `guardedBy` is what the owner must show to sign in from then on. Under `.currentBiometry` the key is gone once the
    /// enrolment changes; `.nothing` is refused. If the device was enabled before, its key is used again if possible, and otherwise it is
    /// replaced, and revoked at the server.
    ///
    /// Nothing is lost if it fails: call it again and it goes on, even if the server's answer didn't arrive.
    nonisolated(nonsending) public func enable(
        password: String, deviceName: String, guardedBy: Vault.Guard = .currentBiometry
    ) async throws(SignInError) {
        guard DeviceWords.isName(deviceName) else {
            throw .badName
        }
        guard guardedBy != .nothing else { throw .failed(errSecParam) }
        let session = try await asking { () async throws(RemoteServer.Failure) in
            try await server.session(of: accountName, password: password)
        }
        let result: Result<Void, SignInError>
        do throws(SignInError) {
            result = .success(try await register(deviceName, guardedBy, session.token, password))
        } catch {
            result = .failure(error)
        }
        // The session has served its purpose. If it can't be ended just now, it ends by itself.
        try? await server.end(session.token)
        try result.get()
    }

    nonisolated(nonsending) private func register(
        _ deviceName: String, _ guardedBy: Vault.Guard, _ token: String, _ password: String, mayReplace: Bool = true
    ) async throws(SignInError) {
        var (key, record) = try keyToRegister(guardedBy)
        do throws(SignInError) {
            try await register(key, deviceName, guardedBy, token)
        } catch {
            // The fingers changed in the meantime, or the key was revoked. Try another key, once.
            guard mayReplace, error.wantsAnotherKey else { throw error }
            try removeKey()
            return try await register(deviceName, guardedBy, token, password, mayReplace: false)
        }
        (record.isRegistered, record.loss) = (true, nil)
        try keep(record)
        for device in record.former {
            do throws(RemoteServer.Failure) {
                try await server.revoke(device, ["password": password], token: token)
            } catch {
                guard error.code == .notFound else { continue }
            }
            record.former.removeAll { $0 == device }
        }
        try keep(record)
    }

    nonisolated(nonsending) private func register(
        _ key: SignInKey, _ deviceName: String, _ guardedBy: Vault.Guard, _ token: String
    ) async throws(SignInError) {
        let statement = try await statement(.register, key)
        let signature: Data
        do throws(EnclaveKeyError) {
            signature = try await key.sign(statement)
        } catch {
            throw SignInError(error)
        }
        try await asking { () async throws(RemoteServer.Failure) in
            try await server.register(
                key.der, name: deviceName, protection: protection(key, guardedBy), statement, signature, token: token)
        }
    }

    /// The present key if it can be used, otherwise a new one; and the record for it, which is stored before anybody is told about the key.
    private func keyToRegister(_ guardedBy: Vault.Guard) throws(SignInError) -> (SignInKey, SignInRecord) {
        let wish = "\(guardedBy)"
        let known = try record()
        if let known, known.guardedBy == wish, let key = try key(of: known),
            try kept({ () throws(EnclaveKeyError) in try key.loss() }) == nil
        {
            return (key, known)
        }
        try removeKey()
        let key = try kept { () throws(EnclaveKeyError) in try SignInKey.make(keyName, guardedBy: guardedBy, accessGroup) }
        var record = SignInRecord(device: key.device.text, guardedBy: wish)
        if let known { record.former = Array((known.former + [known.device]).suffix(SignInRecord.mostFormer)) }
        try keep(record)
        return (key, record)
    }

    /// What the device says about the key's protection. The server can't verify this, and doesn't try.
    private func protection(_ key: SignInKey, _ guardedBy: Vault.Guard) -> String {
        let place = key.custodian == .hardware ? "TPM" : "software"
        return switch guardedBy {
        case .nothing, .presence: "\(place), finger, face or passcode"
        case .passcode: "\(place), passcode"
        case .biometry: "\(place), any enrolled finger or face"
        case .currentBiometry: "\(place), the finger or face enrolled then"
        }
    }
}

extension SignInError {
    fileprivate var wantsAnotherKey: Bool {
        switch self {
        case .needsPassword: true
        case .refused(let code): code == SignInRefusal.deviceTaken.rawValue
        default: false
        }
    }
}
#endif
