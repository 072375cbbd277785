// How two keys agree. The strings are Apple's. On these curves the cofactor is 1, so the cofactor names mean the same as the others.

extension SecKeyAlgorithm {
    /// ECDH: the shared x coordinate itself, leading zeros kept.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("algid:keyexchange:ECDH")
    /// ECDH: what X9.63 with SHA-1 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA1")
    /// ECDH: what X9.63 with SHA-224 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA224")
    /// ECDH: what X9.63 with SHA-256 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA256")
    /// ECDH: what X9.63 with SHA-384 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA384")
    /// ECDH: what X9.63 with SHA-512 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA512")
    /// ECDH under its cofactor name: the shared x coordinate itself, leading zeros kept.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("algid:keyexchange:ECDHC")
    /// ECDH under its cofactor name: what X9.63 with SHA-1 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA1")
    /// ECDH under its cofactor name: what X9.63 with SHA-224 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA224")
    /// ECDH under its cofactor name: what X9.63 with SHA-256 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA256")
    /// ECDH under its cofactor name: what X9.63 with SHA-384 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA384")
    /// ECDH under its cofactor name: what X9.63 with SHA-512 derives; the parameters say how many bytes.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA512")
}
