// Values of the other attributes: accessibility, key class, key type, token and group.
// The strings are Apple's: they stand in dictionaries that apps keep and exchange.

public import Foundation

/// Readable while unlocked; migrates in backups. Default for passwords and keys.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Readable from first unlock to reboot; migrates.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Readable always; migrates. Deprecated.
@available(*, deprecated, message: "Use an accessibility that needs the device unlocked")
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"
/// Unlocked + passcode exists; stays on device; add without passcode fails; unusable once passcode goes. Cannot sync.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// Readable while unlocked; stays on device. Cannot sync.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// From first unlock; stays on device. Cannot sync.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always; stays on device. Deprecated. Cannot sync.
@available(*, deprecated, message: "Use an accessibility that needs the device unlocked")
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Public half.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"
/// Private half.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"
/// Secret key; SecKeyCreateWithData answers -4.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"
/// RSA; 512..8192 bits, e=65537 on generate.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"
/// MacOS only legacy.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"
/// MacOS only legacy (unsigned decimal string).
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"
/// MacOS only legacy.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"
/// MacOS only legacy.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"
/// MacOS only legacy.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"
/// MacOS only legacy.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"
/// MacOS only legacy.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "56"
/// MacOS only; same string as EC.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"
/// NIST prime curve; older name, same string as next.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"
/// NIST prime curve: 192/224/256/384/521 bits.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// PBKDF PRF choice; macOS only.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// PBKDF PRF choice; macOS only.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// PBKDF PRF choice; macOS only.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// PBKDF PRF choice; macOS only.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// PBKDF PRF choice; macOS only.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// Value of kSecAttrTokenID: key made and kept by the Secure Enclave; P-256 only.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// Group of token-exposed items; every app may read it but must name it in the query; read-only (add -34018).
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Option: password.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"
/// Option: destination.
@safe nonisolated(unsafe) public let kSecImportExportKeychain: CFString = "keychain"
/// Option: ACL.
@safe nonisolated(unsafe) public let kSecImportExportAccess: CFString = "access"
/// Option: do not store.
@safe nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = "memory"
/// Result key.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"
/// Result key.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"
/// Result key.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"
/// Result key.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"
/// Result key.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"
/// Result key of shared web credentials; out of scope.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"
