public import ThumbAccess
public import ThumbSecrets

// What a device and the TPM's keeper say to each other. The keeper does what a one-process device does with its own TPM, so the words are
// the calls of that part. docs/STORE.md describes material and seals.

/// Makes a key.
public struct MakeTPMKey: BareWord {
    public static let wireKind = WordKind.makeTPMKey
    public init() {}
}

/// Signs a digest.
public struct SignWithTPM: Word {
    public static let wireKind = WordKind.signWithTPM

    public let digest: [UInt8]
    public let material: SecretBytes

    public init(_ digest: [UInt8], _ material: SecretBytes) { (self.digest, self.material) = (digest, material) }
    public func encode(to encoder: inout Encoder) { encoder.put(digest, material) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), try decoder.value()) }
}

/// Asks for the secret that a key and a peer's public key share.
public struct AgreeWithTPM: Word {
    public static let wireKind = WordKind.agreeWithTPM

    public let peer: [UInt8]
    public let material: SecretBytes

    public init(_ peer: [UInt8], _ material: SecretBytes) { (self.peer, self.material) = (peer, material) }
    public func encode(to encoder: inout Encoder) { encoder.put(peer, material) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), try decoder.value()) }
}

/// Seals a secret under an authorization.
public struct SealInTPM: Word {
    public static let wireKind = WordKind.sealInTPM

    public let secret: SecretBytes
    public let authorization: SecretBytes
    public let guarding: SealGuard

    public init(_ secret: SecretBytes, under authorization: SecretBytes, guardedBy guarding: SealGuard) {
        (self.secret, self.authorization, self.guarding) = (secret, authorization, guarding)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(secret, authorization, guarding) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.value(), under: try decoder.value(), guardedBy: try decoder.value())
    }
}

/// Opens a seal.
public struct UnsealInTPM: Word {
    public static let wireKind = WordKind.unsealInTPM

    public let seal: [UInt8]
    public let authorization: SecretBytes
    public let guarding: SealGuard

    public init(_ seal: [UInt8], under authorization: SecretBytes, guardedBy guarding: SealGuard) {
        (self.seal, self.authorization, self.guarding) = (seal, authorization, guarding)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(seal, authorization, guarding) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.value(), under: try decoder.value(), guardedBy: try decoder.value())
    }
}

/// Asks for the value of a counter.
public struct ReadTPMCounter: Word {
    public static let wireKind = WordKind.readTPMCounter

    public let name: [UInt8]
    public let authorization: SecretBytes

    public init(_ name: [UInt8], under authorization: SecretBytes) { (self.name, self.authorization) = (name, authorization) }
    public func encode(to encoder: inout Encoder) { encoder.put(name, authorization) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), under: try decoder.value()) }
}

/// Raises a counter by one. Makes the counter if it doesn't exist.
public struct RaiseTPMCounter: Word {
    public static let wireKind = WordKind.raiseTPMCounter

    public let name: [UInt8]
    public let authorization: SecretBytes

    public init(_ name: [UInt8], under authorization: SecretBytes) { (self.name, self.authorization) = (name, authorization) }
    public func encode(to encoder: inout Encoder) { encoder.put(name, authorization) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), under: try decoder.value()) }
}

/// A new key's material.
public struct TPMKeyMade: Word {
    public static let wireKind = WordKind.tpmKey

    public let material: SecretBytes

    public init(_ material: SecretBytes) { self.material = material }
    public func encode(to encoder: inout Encoder) { encoder.put(material) }
    public init(from decoder: inout Decoder) throws(Refusal) { material = try decoder.value() }
}

/// A signature, in DER, that the keeper has verified.
public struct TPMSignature: Word {
    public static let wireKind = WordKind.tpmSignature

    public let der: [UInt8]

    public init(_ der: [UInt8]) { self.der = der }
    public func encode(to encoder: inout Encoder) { encoder.put(der) }
    public init(from decoder: inout Decoder) throws(Refusal) { der = try decoder.value() }
}

/// The x coordinate that a key and a peer's share.
public struct TPMAgreement: Word {
    public static let wireKind = WordKind.tpmAgreement

    public let shared: SecretBytes

    public init(_ shared: SecretBytes) { self.shared = shared }
    public func encode(to encoder: inout Encoder) { encoder.put(shared) }
    public init(from decoder: inout Decoder) throws(Refusal) { shared = try decoder.value() }
}

/// A seal.
public struct TPMSealed: Word {
    public static let wireKind = WordKind.tpmSeal

    public let seal: [UInt8]

    public init(_ seal: [UInt8]) { self.seal = seal }
    public func encode(to encoder: inout Encoder) { encoder.put(seal) }
    public init(from decoder: inout Decoder) throws(Refusal) { seal = try decoder.value() }
}

/// The sealed secret; nil if the authorization was wrong.
public struct TPMUnsealed: Word {
    public static let wireKind = WordKind.tpmUnsealed

    public let secret: SecretBytes?

    public init(_ secret: SecretBytes?) { self.secret = secret }
    public func encode(to encoder: inout Encoder) { encoder.put(secret) }
    public init(from decoder: inout Decoder) throws(Refusal) { secret = try decoder.value() }
}

/// The value of a counter; nil if there is none.
public struct TPMCount: Word, Equatable {
    public static let wireKind = WordKind.tpmCount

    public let value: UInt64?

    public init(_ value: UInt64?) { self.value = value }
    public func encode(to encoder: inout Encoder) { encoder.put(value) }
    public init(from decoder: inout Decoder) throws(Refusal) { value = try decoder.value() }
}

/// Why the TPM or its keeper failed.
public struct TPMFailed: Word, Equatable {
    public static let wireKind = WordKind.tpmFailed

    public let failure: KeychainFailure
    /// The TPM stack's own error number, for the log; 0 if the keeper itself refused.
    public let number: UInt32

    public init(_ failure: KeychainFailure, number: UInt32) { (self.failure, self.number) = (failure, number) }
    public func encode(to encoder: inout Encoder) { encoder.put(failure, number) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), number: try decoder.value()) }
}
