// Values of the other attributes: accessibility, key class, key type, token and group.
// The strings are Apple's, because apps keep and exchange dictionaries that contain them.

public import Foundation

/// Readable while the device is unlocked; a backup takes it along. The default for passwords and keys.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Readable from the first unlock to the next restart; a backup takes it along.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Always readable; a backup takes it along.
@available(*, deprecated, message: "Use an accessibility that needs the device unlocked")
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"
/// Readable while the device is unlocked and a passcode is set; never leaves this device.
///
/// Without a passcode nothing can be added under it. When the passcode is removed, the item is lost for good.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// Readable while the device is unlocked; never leaves this device.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Readable from the first unlock to the next restart; never leaves this device.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always readable; never leaves this device.
@available(*, deprecated, message: "Use an accessibility that needs the device unlocked")
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// A public key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"
/// A secret key. `SecKeyCreateWithData` fails for it with `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"
/// RSA, from 1024 to 8192 bits.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"
/// DSA, of macOS's older keychain: no key here is of that type.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"
/// AES, of macOS's older keychain: no key here is of that type.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"
/// DES, of macOS's older keychain: no key here is of that type.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES, of macOS's older keychain: no key here is of that type.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"
/// RC4, of macOS's older keychain: no key here is of that type.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"
/// RC2, of macOS's older keychain: no key here is of that type.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"
/// CAST, of macOS's older keychain: no key here is of that type.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "56"
/// macOS's name of `kSecAttrKeyTypeECSECPrimeRandom`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"
/// The older name of `kSecAttrKeyTypeECSECPrimeRandom`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"
/// A key on one of NIST's prime curves: P-256, P-384 or P-521.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// Key derivation with HMAC-SHA-1, of macOS's older calls. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// Key derivation with HMAC-SHA-224, of macOS's older calls. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// Key derivation with HMAC-SHA-256, of macOS's older calls. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// Key derivation with HMAC-SHA-384, of macOS's older calls. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// Key derivation with HMAC-SHA-512, of macOS's older calls. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// As `kSecAttrTokenID`: a P-256 key that is made and held where it can't be copied.
///
/// A TPM holds it, or software if the owner allowed that (`thumbturn allow software-keys`).
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The group of items that tokens show. Every app may look into it and none may write there. It is always empty, because there are no
/// tokens here.
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// The passphrase of a file to import. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"
/// The place to import to. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecImportExportKeychain: CFString = "keychain"
/// The access list of imported items. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecImportExportAccess: CFString = "access"
/// Whether imported items are stored. Nothing here takes it.
@safe nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = "memory"
/// An imported item's label. Nothing here returns it.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"
/// An imported key's identifier. Nothing here returns it.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"
/// An imported certificate's trust. Nothing here returns it.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"
/// An imported identity's chain. Nothing here returns it.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"
/// An imported identity. Nothing here returns it.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"
/// A password that an app shares with a web site. Nothing here returns it.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"
