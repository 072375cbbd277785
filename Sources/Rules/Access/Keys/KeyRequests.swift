public import ThumbSecrets

/// Which key is meant: one in the keychain, or one whose sealed form only its maker has.
public enum KeyName: Sendable, Hashable {
    /// The persistent reference of an item of the class key.
    case stored([UInt8])
    /// The sealed form that the daemon gave out for a key that isn't in the keychain. Nobody else can open it.
    case detached([UInt8])
}

/// A key to be made in the part that will hold it.
public struct NewKey: Sendable, Hashable {
    public var kind: KeyKind
    /// Whether it must never leave its custodian. Otherwise it is an item like any other, which its rule may release.
    public var isEnclave: Bool
    /// Whether it goes into the keychain. Otherwise its sealed form is handed out.
    public var isPermanent: Bool
    public var attributes: Attributes
    public var rule: AccessRule
    public var asking: AskingTerms

    public init(
        kind: KeyKind, isEnclave: Bool, isPermanent: Bool, attributes: Attributes, rule: AccessRule,
        asking: AskingTerms = AskingTerms()
    ) {
        self.kind = kind
        self.isEnclave = isEnclave
        self.isPermanent = isPermanent
        self.attributes = attributes
        self.rule = rule
        self.asking = asking
    }
}

/// What a caller learns about a key: everything but its private half.
public struct KeyRecord: Sendable {
    public var item: FoundItem
    /// The sealed form, if the key isn't in the keychain.
    public var detached: [UInt8]?

    public init(item: FoundItem, detached: [UInt8]? = nil) {
        self.item = item
        self.detached = detached
    }
}

/// One use of a private key.
public struct KeyUse: Sendable, Hashable {
    public var key: KeyName
    public var operation: KeyOperation
    public var asking: AskingTerms

    public init(_ key: KeyName, _ operation: KeyOperation, asking: AskingTerms = AskingTerms()) {
        self.key = key
        self.operation = operation
        self.asking = asking
    }
}

/// The result of a use: the signature, the derived bytes or the plaintext, and who held the key.
public struct KeyProduct: Sendable {
    public var bytes: SecretBytes
    public var custodian: Custodian

    public init(_ bytes: SecretBytes, by custodian: Custodian) {
        self.bytes = bytes
        self.custodian = custodian
    }
}

/// Why a key wasn't used.
public typealias KeyUseFailure = ReleaseFailure

/// What the owner may let the device do although it protects less than its callers think.
public enum Allowance: UInt8, Sendable, Hashable, CaseIterable {
    /// Keys that belong in a TPM are held in software if there is none.
    case softwareKeys = 1
    /// Items are bound to the names of the enrolled fingers if their templates can't be read. Another finger under the same name
    /// then opens them.
    case weakEnrolment = 2
    /// A login by finger opens what the passcode protects until the first unlock. This machine's own word is then enough for that.
    case openByFinger = 3

    /// Its name on the command line.
    public var name: String {
        switch self {
        case .softwareKeys: "software-keys"
        case .weakEnrolment: "weak-enrolment"
        case .openByFinger: "open-by-finger"
        }
    }
}

extension AttributeName {
    /// The public half of a key item, so that it is available without opening the item. Apps don't see this attribute.
    public static let publicKey = named("pubk")
    /// Who holds an enclave key. Only the daemon writes this attribute, and apps don't see it.
    public static let custodian = named("cust")
}

extension Attributes {
    /// Who holds the enclave key with these attributes; nil for every other item.
    public var custodian: Custodian? {
        guard case .number(let number)? = self[.custodian] else { return nil }
        return UInt8(exactly: number).flatMap(Custodian.init(rawValue:))
    }
}

extension KeyKind {
    /// Apple's numbers for the families, which it writes as text.
    public static let ellipticType: Int64 = 73
    public static let rsaType: Int64 = 42

    public var typeNumber: Int64 {
        switch self {
        case .elliptic: Self.ellipticType
        case .rsa: Self.rsaType
        }
    }

    /// The kind that an item's attributes describe; nil if they describe none that is known here.
    public init?(_ attributes: Attributes) {
        guard case .number(let type) = attributes[.type], case .number(let size) = attributes[.keySize],
            let bits = Int(exactly: size)
        else { return nil }
        switch type {
        case Self.ellipticType:
            guard let curve = UInt16(exactly: bits).flatMap(Curve.init(rawValue:)) else { return nil }
            self = .elliptic(curve)
        case Self.rsaType where Self.rsaBits.contains(bits): self = .rsa(bits: bits)
        default: return nil
        }
    }
}
