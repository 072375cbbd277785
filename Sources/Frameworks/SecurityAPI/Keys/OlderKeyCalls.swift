import Foundation
import ThumbAccess

// The calls that iOS had before algorithms had names. Each writes into the caller's buffer, and returns `errSecParam` if that is too small.

/// Signs a digest. Writes the signature and its length.
///
/// Returns `errSecParam` for a padding that the key doesn't have, a digest of the wrong length or a buffer that is too small, and otherwise
/// the bare code of `SecKeyCreateSignature`'s error, whatever its domain.
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

/// Verifies a digest's signature. Returns `errSSLCrypto` if the key didn't make it, and `errSecParam` for a padding that the key doesn't
/// have or a digest of the wrong length.
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

/// Encrypts to a public RSA key. Writes the ciphertext and its length.
///
/// Returns `errSecParam` for a padding that the key doesn't have, too much data or a buffer that is too small.
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

/// Decrypts with a private RSA key. Writes the plaintext and its length.
///
/// Returns `errSecParam` for a padding that the key doesn't have, for anything wrong with the ciphertext, and for a buffer that is too
/// small.
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

/// Writes the result of `body` and its length into a caller's buffer; writes nothing if that is too small.
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
