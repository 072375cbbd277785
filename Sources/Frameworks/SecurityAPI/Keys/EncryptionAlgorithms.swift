// How bytes are encrypted to a public key. The strings are Apple's. On these curves the cofactor is 1, so the cofactor names mean the same
// as the others, and each can decrypt what the other encrypted.

extension SecKeyAlgorithm {
    /// The bare RSA power; hides nothing that can be guessed.
    public static let rsaEncryptionRaw = SecKeyAlgorithm("algid:encrypt:RSA:raw")
    /// PKCS#1 v1.5, for at most the block less 11 bytes.
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm("algid:encrypt:RSA:PKCS1")
    /// OAEP with SHA-1 and no label, for at most the block less two hashes and 2 bytes.
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1")
    /// OAEP with SHA-224 and no label, for at most the block less two hashes and 2 bytes.
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224")
    /// OAEP with SHA-256 and no label, for at most the block less two hashes and 2 bytes.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256")
    /// OAEP with SHA-384 and no label, for at most the block less two hashes and 2 bytes.
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384")
    /// OAEP with SHA-512 and no label, for at most the block less two hashes and 2 bytes.
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512")
    /// An AES-GCM key of its own for each message, wrapped by OAEP with SHA-1; any length.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1:AESGCM")
    /// An AES-GCM key of its own for each message, wrapped by OAEP with SHA-224; any length.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224:AESGCM")
    /// An AES-GCM key of its own for each message, wrapped by OAEP with SHA-256; any length.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256:AESGCM")
    /// An AES-GCM key of its own for each message, wrapped by OAEP with SHA-384; any length.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384:AESGCM")
    /// An AES-GCM key of its own for each message, wrapped by OAEP with SHA-512; any length.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512:AESGCM")
    /// ECIES: X9.63 with SHA-1, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
    /// ECIES: X9.63 with SHA-224, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
    /// ECIES: X9.63 with SHA-256, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    /// ECIES: X9.63 with SHA-384, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
    /// ECIES: X9.63 with SHA-512, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
    /// ECIES, under its cofactor name: X9.63 with SHA-1, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
    /// ECIES, under its cofactor name: X9.63 with SHA-224, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
    /// ECIES, under its cofactor name: X9.63 with SHA-256, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    /// ECIES, under its cofactor name: X9.63 with SHA-384, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
    /// ECIES, under its cofactor name: X9.63 with SHA-512, AES-GCM, the nonce sixteen zeros.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
    /// ECIES: X9.63 with SHA-224, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
    /// ECIES: X9.63 with SHA-256, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
    /// ECIES: X9.63 with SHA-384, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
    /// ECIES: X9.63 with SHA-512, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
    /// ECIES, under its cofactor name: X9.63 with SHA-224, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
    /// ECIES, under its cofactor name: X9.63 with SHA-256, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    /// ECIES, under its cofactor name: X9.63 with SHA-384, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
    /// ECIES, under its cofactor name: X9.63 with SHA-512, AES-GCM, the nonce derived beside the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
}
