public import ThumbAccess

// Private keys: made, kept, read, used.

/// Makes a key in the part that will hold it.
public struct MakeKey: Call {
    public static let wireKind = WordKind.makeKey
    public typealias Reply = KeyRecord

    public let key: NewKey

    public init(_ key: NewKey) { self.key = key }
    public func encode(to encoder: inout Encoder) { encoder.put(key) }
    public init(from decoder: inout Decoder) throws(Refusal) { key = try decoder.value() }
}

/// Puts a key into the keychain that the app has kept in its sealed form, with these attributes besides its own.
public struct KeepKey: Call {
    public static let wireKind = WordKind.keepKey
    public typealias Reply = KeyRecord

    public let detached: [UInt8]
    public let attributes: Attributes

    public init(_ detached: [UInt8], _ attributes: Attributes) { (self.detached, self.attributes) = (detached, attributes) }
    public func encode(to encoder: inout Encoder) { encoder.put(detached, attributes) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), try decoder.value()) }
}

/// Reads the public part of a key in its sealed form.
public struct ReadKey: Call {
    public static let wireKind = WordKind.readKey
    public typealias Reply = KeyRecord

    public let detached: [UInt8]

    public init(_ detached: [UInt8]) { self.detached = detached }
    public func encode(to encoder: inout Encoder) { encoder.put(detached) }
    public init(from decoder: inout Decoder) throws(Refusal) { detached = try decoder.value() }
}

/// Uses a private key once.
public struct UseKey: Call {
    public static let wireKind = WordKind.useKey
    public typealias Reply = KeyProduct
    public typealias Failure = KeyUseFailure

    public let use: KeyUse

    public init(_ use: KeyUse) { self.use = use }
    public func encode(to encoder: inout Encoder) { encoder.put(use.key, use.operation, use.asking) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        use = KeyUse(try decoder.value(), try decoder.value(), asking: try decoder.value())
    }
}

/// Signs a statement with a sign-in key.
public struct SignStatement: Call {
    public static let wireKind = WordKind.signStatement
    public typealias Reply = KeyProduct
    public typealias Failure = KeyUseFailure

    public let use: StatementUse

    public init(_ use: StatementUse) { self.use = use }
    public func encode(to encoder: inout Encoder) { encoder.put(use.key, use.words, use.challenge, use.asking) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        use = StatementUse(
            try decoder.value(), try decoder.value(), challenge: try decoder.value(), asking: try decoder.value())
    }
}

/// Allows the device something that protects less, or forbids it again.
public struct Allow: Call {
    public static let wireKind = WordKind.allow
    public typealias Reply = Done

    public let allowance: Allowance
    public let isAllowed: Bool

    public init(_ allowance: Allowance, _ isAllowed: Bool) { (self.allowance, self.isAllowed) = (allowance, isAllowed) }
    public func encode(to encoder: inout Encoder) { encoder.put(allowance, isAllowed) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), try decoder.value()) }
}

extension KeyRecord: Word {
    public static let wireKind = WordKind.key

    public func encode(to encoder: inout Encoder) { encoder.put(item, detached) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(item: try decoder.value(), detached: try decoder.value())
    }
}

extension KeyProduct: Word {
    public static let wireKind = WordKind.keyProduct

    public func encode(to encoder: inout Encoder) { encoder.put(bytes, custodian) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), by: try decoder.value()) }
}

// MARK: What stands in them

extension NewKey: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(kind, isEnclave, isPermanent, attributes, rule, asking) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            kind: try decoder.value(), isEnclave: try decoder.value(), isPermanent: try decoder.value(),
            attributes: try decoder.value(), rule: try decoder.value(), asking: try decoder.value())
    }
}

extension KeyKind: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .elliptic(let curve): encoder.put(UInt8(1), curve.rawValue)
        case .rsa(let bits): encoder.put(UInt8(2), UInt16(clamping: bits))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch (try decoder.value(UInt8.self), try decoder.value(UInt16.self)) {
        case (1, let bits):
            guard let curve = Curve(rawValue: bits) else { throw .malformed }
            self = .elliptic(curve)
        case (2, let bits):
            guard Self.rsaBits.contains(Int(bits)) else { throw .malformed }
            self = .rsa(bits: Int(bits))
        default: throw .malformed
        }
    }
}

extension KeyName: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .stored(let reference): encoder.put(UInt8(1), reference)
        case .detached(let sealed): encoder.put(UInt8(2), sealed)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .stored(try decoder.value())
        case 2: self = .detached(try decoder.value())
        default: throw .malformed
        }
    }
}

extension SignInWords: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(origin, account, purpose) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(origin: try decoder.value(), account: try decoder.value(), purpose: try decoder.value())
    }
}

extension KeyOperation: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .sign(let digest, let scheme): encoder.put(UInt8(1), digest, scheme)
        case .agree(let peer, let scheme): encoder.put(UInt8(2), peer, scheme)
        case .decrypt(let ciphertext, let scheme): encoder.put(UInt8(3), ciphertext, scheme)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .sign(digest: try decoder.value(), try decoder.value())
        case 2: self = .agree(peer: try decoder.value(), try decoder.value())
        case 3: self = .decrypt(try decoder.value(), try decoder.value())
        default: throw .malformed
        }
    }
}

extension SignatureScheme: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .ecdsa: encoder.put(UInt8(1))
        case .rsaPKCS1(let hash): encoder.put(UInt8(2), hash)
        case .rsaPKCS1Raw: encoder.put(UInt8(3))
        case .rsaPSS(let hash): encoder.put(UInt8(4), hash)
        case .rsaRaw: encoder.put(UInt8(5))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .ecdsa
        case 2: self = .rsaPKCS1(try decoder.value())
        case 3: self = .rsaPKCS1Raw
        case 4: self = .rsaPSS(try decoder.value())
        case 5: self = .rsaRaw
        default: throw .malformed
        }
    }
}

extension AgreementScheme: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .raw: encoder.put(UInt8(1))
        case .x963(let hash, let count, let sharedInfo): encoder.put(UInt8(2), hash, UInt32(clamping: count), sharedInfo)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .raw
        case 2:
            let hash = try decoder.value(HashFunction.self)
            let count = Int(try decoder.value(UInt32.self))
            guard (1...Self.mostBytes).contains(count) else { throw .malformed }
            self = .x963(hash, count: count, sharedInfo: try decoder.value())
        default: throw .malformed
        }
    }
}

extension EncryptionScheme: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .rsaRaw: encoder.put(UInt8(1))
        case .rsaPKCS1: encoder.put(UInt8(2))
        case .rsaOAEP(let hash): encoder.put(UInt8(3), hash)
        case .rsaOAEPGCM(let hash): encoder.put(UInt8(4), hash)
        case .ecies(let hash, let derivesNonce): encoder.put(UInt8(5), hash, derivesNonce)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .rsaRaw
        case 2: self = .rsaPKCS1
        case 3: self = .rsaOAEP(try decoder.value())
        case 4: self = .rsaOAEPGCM(try decoder.value())
        case 5: self = .ecies(try decoder.value(), derivesNonce: try decoder.value())
        default: throw .malformed
        }
    }
}
