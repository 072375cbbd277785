// Attributes of keys and certificates.
// The strings are Apple's, because apps keep and exchange dictionaries that contain them.

public import Foundation

/// Certificates: the subject, as data.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj"
/// Certificates: the issuer, as data; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr"
/// Certificates: the serial number, as data; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr"
/// Certificates: the subject key identifier, as data.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid"
/// Certificates: the SHA-1 of the public key, the same as its key's application label.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh"
/// Certificates: the type, a number.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp"
/// Certificates: the encoding, a number.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc"
/// Keys: public, private or symmetric; a number in results.
@safe nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"
/// Keys: the SHA-1 of the public key; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl"
/// Keys: whether a new key is stored; false by default.
@safe nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm"
/// Keys: whether the key leaves the keychain only wrapped.
@safe nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = "sens"
/// Keys: whether the key may leave the keychain.
@safe nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = "extr"
/// Keys: a tag of the app's choice; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag"
/// Keys: the algorithm; a number in results.
@safe nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"
/// Key derivation: the function; a query that has it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecAttrPRF: CFString = "prf"
/// Key derivation: the salt, as data.
@safe nonisolated(unsafe) public let kSecAttrSalt: CFString = "salt"
/// Key derivation: how many rounds; a query that has it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecAttrRounds: CFString = "rounds"
/// Keys: the size in bits.
@safe nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// Keys: the effective size in bits.
@safe nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz"
/// Keys: whether the key can encrypt.
@safe nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = "encr"
/// Keys: whether the key can decrypt.
@safe nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = "decr"
/// Keys: whether the key can derive another key.
@safe nonisolated(unsafe) public let kSecAttrCanDerive: CFString = "drve"
/// Keys: whether the key can sign.
@safe nonisolated(unsafe) public let kSecAttrCanSign: CFString = "sign"
/// Keys: whether the key can verify a signature.
@safe nonisolated(unsafe) public let kSecAttrCanVerify: CFString = "vrfy"
/// Keys: whether the key can wrap another key.
@safe nonisolated(unsafe) public let kSecAttrCanWrap: CFString = "wrap"
/// Keys: whether the key can unwrap another key.
@safe nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = "unwp"
/// The token that holds the item.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"
