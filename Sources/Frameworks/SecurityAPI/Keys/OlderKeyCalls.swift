import Foundation
import ThumbAccess

// The calls that iOS had before there were names for algorithms. Each writes into room that the caller gives, and returns
// `errSecParam` if there is too little of it.

/// Signs a digest; writes the signature, and how long it is.
///
/// Returns `errSecParam` for a padding that isn't the key's, a digest of the wrong length or too little room, and else the bare
/// code of what `SecKeyCreateSignature` fails with, whatever its domain.
@available(*, deprecated, message: "Use SecKeyCreateSignature")
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    let data = unsafe Data(bytes: dataToSign, count: dataToSignLen)
    return unsafe write(to: sig, sigLen) { () throws(KeyFailure) in
        guard let algorithm = padding.signatureAlgorithm(of: key) else { throw KeyFailure(.parameter) }
        return try key.signature(algorithm, data).asData
    }
}

/// Checks a digest's signature; returns `errSSLCrypto` if it isn't the key's, `errSecParam` for a padding that isn't the key's or
/// a digest of the wrong length.
@available(*, deprecated, message: "Use SecKeyVerifySignature")
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    let data = unsafe Data(bytes: signedData, count: signedDataLen)
    let signature = unsafe [UInt8](UnsafeBufferPointer(start: sig, count: sigLen))
    do throws(KeyFailure) {
        guard let algorithm = padding.signatureAlgorithm(of: key) else { throw KeyFailure(.parameter) }
        return try key.isSignature(signature, of: data, algorithm) ? errSecSuccess : errSSLCrypto
    } catch {
        return error.status
    }
}

/// Encrypts to a public RSA key; writes the ciphertext, and how long it is.
///
/// Returns `errSecParam` for a padding that isn't the key's, more than it takes or too little room.
@available(*, deprecated, message: "Use SecKeyCreateEncryptedData")
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    let data = unsafe Data(bytes: plainText, count: plainTextLen)
    return unsafe write(to: cipherText, cipherTextLen) { () throws(KeyFailure) in
        guard let algorithm = padding.encryptionAlgorithm else { throw KeyFailure(.parameter) }
        return try key.encrypt(data, algorithm).asData
    }
}

/// Decrypts with a private RSA key; writes the plaintext, and how long it is.
///
/// Returns `errSecParam` for a padding that isn't the key's, for whatever is wrong with the ciphertext and for too little room.
@available(*, deprecated, message: "Use SecKeyCreateDecryptedData")
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    let ciphertext = unsafe [UInt8](UnsafeBufferPointer(start: cipherText, count: cipherTextLen))
    return unsafe write(to: plainText, plainTextLen) { () throws(KeyFailure) in
        guard let algorithm = padding.encryptionAlgorithm else { throw KeyFailure(.parameter) }
        return try key.decrypt(ciphertext, algorithm).copiedForApp
    }
}

/// Writes what `body` makes into a caller's room, and its length; nothing if there is too little.
private func write(
    to room: UnsafeMutablePointer<UInt8>, _ length: UnsafeMutablePointer<Int>, _ body: () throws(KeyFailure) -> NSData
) -> OSStatus {
    do throws(KeyFailure) {
        let made = try body()
        guard unsafe made.length <= length.pointee else { return errSecParam }
        unsafe made.getBytes(room, length: made.length)
        unsafe length.pointee = made.length
        return errSecSuccess
    } catch {
        return error.status
    }
}
