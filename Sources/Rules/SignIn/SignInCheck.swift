/// The cryptography that a check needs.
public protocol SignInCrypto: Sendable {
    func sha256(_ bytes: [UInt8]) throws(SignInRefusal) -> Digest32
    /// Whether the signature over that hash was made with the key. An invalid key has made none.
    /// - Parameter key: A SubjectPublicKeyInfo in DER. `device` is its hash, by which parsed keys may be kept.
    func isSignature(
        _ signature: SignatureForm, ofSHA256 digest: Digest32, by key: [UInt8], of device: DeviceID
    ) throws(SignInRefusal) -> Bool
}

/// A statement and a signature that were sent here. They have the right form and are meant for this server and this route, but nothing is
/// proved yet.
///
/// The checks of a sign-in come in the order of docs/developers/sign-in.md: these first, then `proof`, then those of the challenge. The
/// ledger makes the last ones, because only it knows who came first.
public struct SignInClaim: Sendable, Hashable {
    public let statement: Statement
    public let signature: SignatureForm
    /// The statement as it was sent, which is also how it was signed.
    private let bytes: [UInt8]

    /// - Throws: `.statementMalformed`, `.signatureMalformed`, `.origin` or `.purpose`, in this order.
    public init(statement bytes: [UInt8], signature: [UInt8], at origin: Origin, for purpose: Purpose) throws(SignInRefusal) {
        statement = try Statement(bytes)
        self.signature = try SignatureForm(signature)
        self.bytes = bytes
        if statement.origin != origin { throw .origin }
        if statement.purpose != purpose { throw .purpose }
    }

    /// What the claim of a sign-in proves, if it is true.
    ///
    /// - Parameter device: What the ledger has for the statement's account and device.
    /// - Throws: `.deviceUnknown`, `.signature` or `.deviceRevoked`, in this order, so that only the holder of the key learns that it is
    ///   revoked.
    public func proof(by device: DeviceRecord?, _ crypto: some SignInCrypto) throws(SignInRefusal) -> SignInProof {
        guard let device, device.id == statement.device else { throw .deviceUnknown }
        let proof = try proof(by: device.key, crypto)
        if device.revoked != nil { throw .deviceRevoked }
        return proof
    }

    /// What the claim of a registration proves, if it is true.
    ///
    /// - Parameter key: The new key as a SubjectPublicKeyInfo in DER, known to be one.
    /// - Throws: `.statementAccount`, `.statementDevice` or `.signature`, in this order.
    public func proof(
        registering key: [UInt8], for account: AccountName, _ crypto: some SignInCrypto
    ) throws(SignInRefusal) -> SignInProof {
        if statement.account != account { throw .statementAccount }
        if statement.device.digest != (try crypto.sha256(key)) { throw .statementDevice }
        return try proof(by: key, crypto)
    }

    private func proof(by key: [UInt8], _ crypto: some SignInCrypto) throws(SignInRefusal) -> SignInProof {
        let digest = try crypto.sha256(bytes)
        guard try crypto.isSignature(signature, ofSHA256: digest, by: key, of: statement.device) else { throw .signature }
        return SignInProof(
            account: statement.account, device: statement.device, challenge: try crypto.sha256(statement.challenge.bytes))
    }
}

/// The device has signed this account's statement. What remains is the challenge, which the ledger uses up.
public struct SignInProof: Sendable, Hashable {
    public let account: AccountName
    public let device: DeviceID
    /// SHA-256 of the challenge, as the ledger knows it.
    public let challenge: Digest32

    init(account: AccountName, device: DeviceID, challenge: Digest32) {
        self.account = account
        self.device = device
        self.challenge = challenge
    }
}
