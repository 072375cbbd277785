public import Foundation
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets

/// Makes a new pair and returns its private half.
///
/// It needs `kSecAttrKeyType` (one of its constants) and `kSecAttrKeySizeInBits`. The key is in this program's memory, and a permanent one is
/// in the keychain too. With `kSecAttrTokenIDSecureEnclave` the device makes it, and it never leaves that. Returns nil, with a reason in
/// `error`: `errSecParam` for a missing or unknown type or size; `errSecUnimplemented` for an Enclave key if nothing can hold it; for a
/// permanent key what `SecItemAdd` would return.
@discardableResult
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> SecKey? {
    unsafe reporting(error) { () throws(KeyFailure) in try KeyPair(parameters).privateKey }
}

/// Makes a new pair and writes each half for which there is a pointer. Returns the error of `SecKeyCreateRandomKey`.
@available(*, deprecated, message: "Use SecKeyCreateRandomKey and SecKeyCopyPublicKey")
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?, _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    do throws(KeyFailure) {
        let pair = try KeyPair(parameters)
        if let publicKey = unsafe publicKey { unsafe publicKey.pointee = pair.publicKey }
        if let privateKey = unsafe privateKey { unsafe privateKey.pointee = pair.privateKey }
        return errSecSuccess
    } catch {
        return error.status
    }
}

/// Reads a key from its external form: X9.63 for a curve, PKCS#1 for RSA, and for public keys also SPKI. The key isn't stored.
///
/// It needs `kSecAttrKeyType` and `kSecAttrKeyClass`. Returns nil, with `errSecParam` in `error`, if one is missing or unknown, if the data
/// isn't such a key, or if its halves don't match; with `errSecUnimplemented` for a symmetric key. With `kSecAttrTokenID` the data is
/// ignored: the value that an Enclave key's attributes have under `toid` finds that key again, and without it a new key is made.
@discardableResult
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe reporting(error) { () throws(KeyFailure) in
        if try keychain({ () throws(KeychainFailure) in try KeyPairReading.isEnclave(attributes) }) {
            return try SecKey.enclaveKey(attributes)
        }
        return try keychain { () throws(KeychainFailure) in try SecKey(keyData as Data, attributes) }
    }
}

extension SecKey {
    fileprivate convenience init(_ data: Data, _ attributes: NSDictionary) throws(KeychainFailure) {
        guard let family = try Self.text(attributes["type"]).flatMap(KeyFamily.init(type:)),
            let half = try Self.text(attributes["kcls"])
        else { throw .parameter }
        switch half {
        case "0": self.init(try Self.read { try PublicKey(external: [UInt8](data), family) })
        case "1":
            let bytes = try lockedCopy(of: data)
            self.init(try Self.read { try PrivateKey(external: bytes, family) })
        case "2": throw .unsupported
        default: throw .parameter
        }
    }

    private static func read<Key>(_ body: () throws -> Key) throws(KeychainFailure) -> Key {
        do {
            return try body()
        } catch let error as CryptoError where error.code.isCallers {
            throw .parameter
        } catch is SecretError {
            throw .outOfMemory
        } catch {
            throw .internalFailure
        }
    }

    /// A type or a class, given as a string or a number.
    private static func text(_ value: Any?) throws(KeychainFailure) -> String? {
        guard let value else { return nil }
        if let text = value as? String { return text }
        guard let number = integer(value) else { throw .parameter }
        return String(number)
    }

    /// The Enclave key that the attributes name, or a new one that isn't kept.
    fileprivate static func enclaveKey(_ attributes: NSDictionary) throws(KeyFailure) -> SecKey {
        let own = (attributes["private"] as? NSDictionary)?[tokenObjectName.letters]
        guard let object = attributes[tokenObjectName.letters] ?? own else {
            let parameters = attributes.merging([:])
            parameters["perm"] = false
            return try KeyPair(parameters).privateKey
        }
        return try keychain { () throws(KeychainFailure) in
            guard let data = object as? Data else { throw .parameter }
            var uses: [(key: String, value: Any)] = []
            for (key, value) in attributes {
                if let key = key as? String, key.hasPrefix("u_") { uses.append((key, value)) }
            }
            let asking = KeyAsking(try AskingReading(uses))
            guard let key = try find(DeviceKey.name(ofTokenObject: [UInt8](data)), asking) else { throw .parameter }
            return key
        }
    }

    private static func find(_ name: KeyName, _ asking: KeyAsking) throws(KeychainFailure) -> SecKey? {
        switch name {
        case .detached(let sealed): return SecKey(try AppDevice.client.readKey(detached: sealed), asking)
        case .stored(let reference):
            let query = Query(itemClass: .key, persistentRef: reference, shape: .attributes)
            return try AppDevice.client.find(query).first.flatMap { SecKey(enclave: $0, asking) }
        }
    }
}
