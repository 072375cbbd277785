import ThumbAccess

/// What an algorithm's name means.
enum KeyAlgorithm: Sendable, Hashable {
    /// - Parameter isSideBySide: whether the signature is r and s side by side, rather than in the scheme's own form.
    case signature(of: SignatureInput, SignatureScheme, isSideBySide: Bool)
    case encryption(EncryptionScheme)
    /// nil: the shared coordinate itself.
    case agreement(HashFunction?)
    /// A statement for a sign-in server.
    case statement
}

/// What a signature is made over.
enum SignatureInput: Sendable, Hashable {
    case message(HashFunction)
    case digest(HashFunction)
    /// The given bytes, unchanged.
    case bytes
}

extension SecKeyAlgorithm {
    /// The meaning of the name; nil for an unknown one.
    var meaning: KeyAlgorithm? { self == .signInStatement ? .statement : Self.meanings[self] }

    /// Every algorithm of Apple's.
    static let meanings: [SecKeyAlgorithm: KeyAlgorithm] = {
        var all = signatures
        all["algid:encrypt:RSA:raw"] = .encryption(.rsaRaw)
        all["algid:encrypt:RSA:PKCS1"] = .encryption(.rsaPKCS1)
        for hash in HashFunction.allCases {
            all["algid:encrypt:RSA:OAEP:\(hash.name)"] = .encryption(.rsaOAEP(hash))
            all["algid:encrypt:RSA:OAEP:\(hash.name):AESGCM"] = .encryption(.rsaOAEPGCM(hash))
        }
        for family in ["ECDH", "ECDHC"] {
            all["algid:keyexchange:\(family)"] = .agreement(nil)
            for hash in HashFunction.allCases {
                all["algid:keyexchange:\(family):KDFX963:\(hash.name)"] = .agreement(hash)
                let ecies = "algid:encrypt:ECIES:\(family):KDFX963:\(hash.name):AESGCM"
                all[ecies] = .encryption(.ecies(hash, derivesNonce: false))
                // Apple has no derived nonce with SHA-1.
                if hash != .sha1 { all[ecies + "-KDFIV"] = .encryption(.ecies(hash, derivesNonce: true)) }
            }
        }
        return Dictionary(uniqueKeysWithValues: all.map { (SecKeyAlgorithm($0), $1) })
    }()

    private static let signatures: [String: KeyAlgorithm] = {
        func rsa(_ input: SignatureInput, _ scheme: SignatureScheme) -> KeyAlgorithm {
            .signature(of: input, scheme, isSideBySide: false)
        }
        var all: [String: KeyAlgorithm] = [
            "algid:sign:RSA:raw": rsa(.bytes, .rsaRaw), "algid:sign:RSA:digest-PKCS1v15": rsa(.bytes, .rsaPKCS1Raw),
            // The oldest name for r and s side by side.
            "algid:sign:ECDSA:RFC4754": .signature(of: .bytes, .ecdsa, isSideBySide: true),
        ]
        for (form, isSideBySide) in [("X962", false), ("RFC4754", true)] {
            all["algid:sign:ECDSA:digest-\(form)"] = .signature(of: .bytes, .ecdsa, isSideBySide: isSideBySide)
        }
        for hash in HashFunction.allCases {
            for (kind, input) in [("digest", SignatureInput.digest(hash)), ("message", .message(hash))] {
                all["algid:sign:RSA:\(kind)-PKCS1v15:\(hash.name)"] = rsa(input, .rsaPKCS1(hash))
                // The salt is as long as the hash, and the name says so. SHA-224 is an exception: its hash has 28 bytes, but the name says
                // 24.
                let salt = hash == .sha224 ? 24 : hash.byteCount
                all["algid:sign:RSA:\(kind)-PSS:\(hash.name):\(hash.name):\(salt)"] = rsa(input, .rsaPSS(hash))
                for (form, isSideBySide) in [("X962", false), ("RFC4754", true)] {
                    all["algid:sign:ECDSA:\(kind)-\(form):\(hash.name)"] =
                        .signature(of: input, .ecdsa, isSideBySide: isSideBySide)
                }
            }
        }
        return all
    }()
}

extension HashFunction {
    fileprivate var name: String {
        switch self {
        case .sha1: "SHA1"
        case .sha224: "SHA224"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        }
    }
}

extension SecKey {
    /// The meaning of `algorithm` if this key supports it for that operation. Otherwise fails with `errSecParam` and the algorithm's name.
    func meaning(of algorithm: SecKeyAlgorithm, for operation: SecKeyOperationType) throws(KeyFailure) -> KeyAlgorithm {
        guard let meaning = algorithm.meaning, supports(meaning, for: operation) else {
            throw .parameter("this key can't \(operation.verb) with \(algorithm.rawValue)")
        }
        return meaning
    }

    private func supports(_ algorithm: KeyAlgorithm, for operation: SecKeyOperationType) -> Bool {
        switch (operation, algorithm) {
        case (.sign, .statement): isForSigningIn
        case (.verify, .statement): !isPrivate && kind == .elliptic(.p256)
        // The device refuses everything else for a sign-in key; this says so earlier.
        case _ where isForSigningIn: false
        case (.sign, .signature(_, let scheme, _)): isPrivate && kind.supports(scheme)
        // An RSA private key knows its public half, and Apple's can verify with that. An elliptic one doesn't.
        case (.verify, .signature(_, let scheme, _)): (!isPrivate || kind.family == .rsa) && kind.supports(scheme)
        case (.encrypt, .encryption(let scheme)): !isPrivate && kind.supports(scheme)
        // Apple's public RSA key computes the bare power for both of these.
        case (.decrypt, .encryption(.rsaRaw)), (.decrypt, .encryption(.rsaPKCS1)): kind.family == .rsa
        case (.decrypt, .encryption(let scheme)): isPrivate && kind.supports(scheme)
        case (.keyExchange, .agreement): isPrivate && kind.supports(AgreementScheme.raw)
        default: false
        }
    }
}

extension SecKeyOperationType {
    fileprivate var verb: String {
        switch self {
        case .sign: "sign"
        case .verify: "verify"
        case .encrypt: "encrypt"
        case .decrypt: "decrypt"
        case .keyExchange: "agree"
        }
    }
}
