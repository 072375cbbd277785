#if os(Linux)
import LocalAuthentication
import ThumbSignIn

/// The device's key for one account at one server.
struct SignInKey: Sendable {
    let device: DeviceID
    /// The key as a SubjectPublicKeyInfo, which servers accept.
    let der: Data
    let custodian: EnclaveKey.Custodian

    private let name: String
    private let accessGroup: String?

    static func make(
        _ name: String, guardedBy: Vault.Guard, _ accessGroup: String?
    ) throws(EnclaveKeyError) -> SignInKey {
        let rule = try EnclaveKey.rule(guardedBy, .signIn)
        return try SignInKey(EnclaveKey.make(name, rule, accessGroup), name, accessGroup)
    }

    static func find(_ name: String, _ accessGroup: String?) throws(EnclaveKeyError) -> SignInKey? {
        var query = EnclaveKey.query(name, accessGroup)
        query[kSecReturnRef as String] = true
        guard let key = try EnclaveKey.first(query) else { return nil }
        return try SignInKey(key, name, accessGroup)
    }

    /// Signs a statement; the owner is asked, on a thread of its own.
    nonisolated(nonsending) func sign(_ statement: Statement) async throws(EnclaveKeyError) -> Data {
        let (name, accessGroup) = (name, accessGroup)
        return try await Asking(nil).run { (context) throws(EnclaveKeyError) in
            try Self.sign(statement, name, accessGroup, context)
        }
    }

    /// Why it can't be used any more; nil if it can. Asks nobody.
    func loss() throws(EnclaveKeyError) -> SignIn.Loss? {
        // The signature of this attempt is never used. If the key can be used, the answer is that nobody may be asked.
        guard let origin = Origin("https://localhost"), let account = AccountName("nobody"),
            let challenge = Challenge([UInt8](repeating: 0, count: Challenge.byteCount))
        else { return nil }
        let statement = Statement(origin: origin, account: account, purpose: .signIn, challenge: challenge, device: device)
        let context = LAContext()
        context.interactionNotAllowed = true
        do throws(EnclaveKeyError) {
            _ = try Self.sign(statement, name, accessGroup, context)
        } catch .unusable {
            return .enrolmentChanged
        } catch .notFound {
            return .keyGone
        } catch {}
        return nil
    }

    private static func sign(
        _ statement: Statement, _ name: String, _ accessGroup: String?, _ context: LAContext
    ) throws(EnclaveKeyError) -> Data {
        var query = EnclaveKey.query(name, accessGroup)
        query[kSecReturnRef as String] = true
        query[kSecUseAuthenticationContext as String] = context
        guard let key = try EnclaveKey.first(query) else { throw .notFound }
        let text = Data(statement.bytes) as CFData
        return try unsafe keyCall { unsafe SecKeyCreateSignature(key, .signInStatement, text, $0) } as Data
    }

    private init(_ key: SecKey, _ name: String, _ accessGroup: String?) throws(EnclaveKeyError) {
        let attributes = SecKeyCopyAttributes(key) as? [String: Any] ?? [:]
        let known = try EnclaveKey(key, name, accessGroup)
        guard let text = attributes[kThumbturnKeyDevice as String] as? String, let device = DeviceID(text: text) else {
            throw .unusable
        }
        self.device = device
        der = known.publicKey.der
        custodian = known.custodian
        self.name = name
        self.accessGroup = accessGroup
    }
}
#endif
