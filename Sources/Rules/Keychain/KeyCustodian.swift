public import ThumbAccess
public import ThumbSecrets

/// A private key in the form in which its custodian wants it kept, and its public part.
public struct MadeKey: Sendable {
    /// What the custodian needs to use the key again. It is kept as an item's secret, sealed under the class that the key's rule demands.
    /// For a software key it is the private key in its exported form; for a TPM's key it is the wrapped key and its authorization.
    public var material: SecretBytes
    /// X9.63 for a curve, PKCS#1 for RSA.
    public var publicKey: [UInt8]
    /// SHA-1 of the public key, by which Apple's keychain finds keys.
    public var label: [UInt8]

    public init(material: SecretBytes, publicKey: [UInt8], label: [UInt8]) {
        self.material = material
        self.publicKey = publicKey
        self.label = label
    }
}

/// A private key that its rule has released for one operation.
public struct HeldKey: Sendable {
    public var kind: KeyKind
    public var material: SecretBytes
    public var publicKey: [UInt8]

    public init(kind: KeyKind, material: SecretBytes, publicKey: [UInt8]) {
        self.kind = kind
        self.material = material
        self.publicKey = publicKey
    }
}

/// Makes private keys and uses them. A custodian decides nothing: when it is asked, the key's rule is already satisfied.
///
/// Each call answers once, at once or later on the caller's own executor, because a chip takes its time. It fails with
/// `.parameter` for input that the operation can't take, `.unsupported` for what such keys don't do, and `.custodianAbsent`,
/// `.custodianLost`, `.custodianLocked` or `.custodianForeign` if the custodian itself is in trouble.
public protocol KeyCustodian: AnyObject {
    var custodian: Custodian { get }
    func make(_ kind: KeyKind, _ answer: @escaping (Result<MadeKey, KeychainFailure>) -> Void)
    func use(
        _ key: HeldKey, _ operation: KeyOperation, _ answer: @escaping (Result<SecretBytes, KeychainFailure>) -> Void)
}
