public import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSignIn

/// The attributes of a key, under the keychain's names. Never nil here, and never asks the owner.
///
/// Class and type are strings here, though they are numbers in the results of `SecItemCopyMatching`. A software key has its external form
/// under `kSecValueData`. A Secure Enclave key has its token, its access control, the value by which `SecKeyCreateWithData` finds it, and
/// its holder under `kThumbturnKeyCustodian`. A sign-in key has its name at servers under `kThumbturnKeyDevice`.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    let result = NSMutableDictionary()
    func put(_ name: CFString, _ value: Any) { result.setObject(value, forKey: name) }
    put(kSecClass, kSecClassKey)
    put(kSecAttrKeyClass, key.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic)
    put(kSecAttrKeyType, key.kind.family == .elliptic ? kSecAttrKeyTypeECSECPrimeRandom : kSecAttrKeyTypeRSA)
    put(kSecAttrKeySizeInBits, NSNumber(value: key.kind.bits))
    put(kSecAttrEffectiveKeySize, NSNumber(value: key.kind.bits))
    // The attributes are of use even without the hash.
    if let label = try? key.label() { put(kSecAttrApplicationLabel, label.asData) }
    for (name, isSet) in KeyUsage.flags(key.kind, isPrivate: key.isPrivate) {
        let isSet = key.enclaveKey != nil && name.letters == "extr" ? false : isSet
        put(NSString(string: name.letters), NSNumber(value: isSet))
    }
    switch key.holding {
    case .publicHalf: put(kSecValueData, key.publicHalf.external.asData)
    case .own(let own): put(kSecValueData, own.external.copiedForApp)
    case .device(let held):
        put(kSecAttrAccessControl, SecAccessControl(rule: held.rule))
        put(kSecAttrTokenID, kSecAttrTokenIDSecureEnclave)
        put(NSString(string: tokenObjectName.letters), held.tokenObject.asData)
        put(kThumbturnKeyCustodian, NSString(string: held.custodian.name))
        if held.rule.isForSigningIn, let device = try? key.deviceID() {
            put(kThumbturnKeyDevice, NSString(string: device.text))
        }
    }
    return result
}

/// Apple's name for the value that finds a token's key. It has no constant.
let tokenObjectName = AttributeName(code: 0x74_6f_69_64)  // "toid"

extension Custodian {
    fileprivate var name: String {
        switch self {
        case .software: "software"
        case .tpm: "TPM"
        }
    }
}
