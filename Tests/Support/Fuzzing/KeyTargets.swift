import ThumbAccess
import ThumbSSHAgent
import ThumbSecrets
import ThumbSignIn

@testable import ThumbCrypto
@testable import ThumbSignInServer

private func isCallers(_ error: any Error) -> Bool { (error as? CryptoError)?.code.isCallers == true }

/// ECDSA signatures in DER, as each of the rooms reads them that take one from somebody else.
enum SignatureTarget {
    static let target = FuzzTarget(
        "signatures", longest: 160,
        sources: [
            "Sources/Rules/SignIn/SignatureForm.swift", "Sources/Parts/Crypto/Forms/ECDSASignature.swift",
            "Sources/Parts/Crypto/Forms/DER.swift", "Sources/Rules/SSHAgent/SSHForms.swift#SSHForms.signature",
            "Sources/Rules/SSHAgent/SSHForms.swift#DER.pair", "Sources/Rules/SSHAgent/SSHForms.swift#DER.number",
            "Sources/Rules/SSHAgent/SSHForms.swift#DER.contents",
        ],
        seeds: { seeds },
        parse: { input in
            let form = try accepted { () throws(SignInRefusal) -> SignatureForm in
                try SignatureForm(input)
            } or: {
                $0 == .signatureMalformed
            }
            for curve in Curve.allCases { try check(input, curve) }
            guard let form else { return nil }
            try must(form.der == input && input.count <= SignatureForm.longest, "a signature is another than its bytes")
            // The strictest of the three takes nothing that another refuses.
            try must(ECDSASignature.rfc4754(der: input, .p256) != nil, "a signature isn't read as two numbers of the field")
            try must(SSHForms.signature(input) != nil, "a signature has no form in SSH")
            return Array(input.dropFirst(4))
        })

    private static func check(_ input: [UInt8], _ curve: Curve) throws(Wrong) {
        if let plain = ECDSASignature.rfc4754(der: input, curve) {
            try must(plain.count == 2 * curve.fieldBytes, "a signature on \(curve) has \(plain.count) bytes")
            try must(ECDSASignature.der(rfc4754: plain, curve) == input, "a signature on \(curve) has two forms in DER")
        }
        if let der = ECDSASignature.der(rfc4754: input, curve) {
            try must(ECDSASignature.rfc4754(der: der, curve) == input, "a signature on \(curve) isn't read as it is written")
        }
    }

    private static var seeds: [[UInt8]] {
        var seeds: [[UInt8]] = Curve.allCases.compactMap { curve in
            ECDSASignature.der(rfc4754: [UInt8](repeating: 0x11, count: 2 * curve.fieldBytes), curve)
        }
        seeds += Curve.allCases.compactMap { curve in
            ECDSASignature.der(rfc4754: [UInt8](repeating: 0xee, count: 2 * curve.fieldBytes), curve)
        }
        seeds += Curve.allCases.map { [UInt8](repeating: 0x77, count: 2 * $0.fieldBytes) }
        return seeds + [[0x30, 6, 2, 1, 1, 2, 1, 1], [0x30, 8, 2, 2, 0, 0x80, 2, 2, 0, 0xff], [0x30, 6, 2, 1, 0, 2, 1, 0]]
    }
}

/// Public and private keys in DER and in X9.63's form. An input's first byte says as what the rest is read.
enum KeyTarget {
    private static let keys = "Sources/Parts/Crypto/Keys/"

    static let target = FuzzTarget(
        "keys", longest: 1400,
        sources: [
            "Sources/Parts/Crypto/Forms/DER.swift", "Sources/Parts/Crypto/Forms/SPKI.swift",
            keys + "RSAForms.swift#RSAPublicForm.init", keys + "RSAForms.swift#RSAPrivateForm.init",
            keys + "RSAForms.swift#RSAPrivateForm.publicKey", keys + "RSAForms.swift#RSAPrivateForm.isOneKey",
            keys + "RSAForms.swift#RSAPrivateForm.areOneKeys", keys + "P256Forms.swift", keys + "PublicKey.swift#PublicKey.init",
            keys + "PrivateKey.swift#PrivateKey.init", keys + "PrivateKey.swift#PrivateKey.areHalvesOfOne",
        ],
        seeds: { try seeds() },
        parse: { input in
            let form = Array(input.dropFirst())
            let key: PublicKey?
            switch input.first {
            case 0: key = try accepted({ try PublicKey(external: form, .elliptic) }, or: isCallers)
            case 1: key = try accepted({ try PublicKey(external: form, .rsa) }, or: isCallers)
            case 2: key = try accepted({ try PublicKey(spki: form) }, or: isCallers)
            case 3: key = try accepted({ try PublicKey(p256: form) }, or: isCallers)
            case 4: key = try accepted({ try PrivateKey(external: secret(form), .elliptic) }, or: isCallers)?.publicKey
            case 5: key = try accepted({ try PrivateKey(external: secret(form), .rsa) }, or: isCallers)?.publicKey
            default: key = nil
            }
            guard let key else { return nil }
            try check(key)
            if input.first == 0 { try must(key.external == form, "a point is another than its bytes") }
            // Behind the head of the modulus every byte may be any.
            return key.kind.family == .rsa ? Array(key.external.dropFirst(24)) : nil
        })

    private static func check(_ key: PublicKey) throws {
        try must(try PublicKey(spki: key.spki) == key, "a key isn't read as it is written")
        try must(try PublicKey(external: key.external, key.kind.family) == key, "a key isn't read from its own form")
        switch key.kind {
        case .elliptic(let curve):
            try must(key.external.count == curve.pointBytes, "a point on \(curve) has \(key.external.count) bytes")
            let p256 = try accepted({ try PublicKey(p256: key.spki) }, or: isCallers)
            try must((p256 == key) == (curve == .p256), "a key on \(curve) is taken for another")
        case .rsa(let bits): try must(KeyKind.rsaBits.contains(bits), "a key of \(bits) bits is taken")
        }
    }

    private static func seeds() throws -> [[UInt8]] {
        var seeds: [[UInt8]] = []
        let kinds: [KeyKind] = Curve.allCases.map { .elliptic($0) } + [.rsa(bits: 1024)]
        for kind in kinds {
            let key = try PrivateKey.generate(kind)
            let isRSA: UInt8 = kind.family == .rsa ? 1 : 0
            seeds.append([isRSA] + key.publicKey.external)
            seeds.append([isRSA] + key.publicKey.spki)
            seeds.append([2] + key.publicKey.spki)
            seeds.append([3] + key.publicKey.spki)
            seeds.append([3] + key.publicKey.external)
            seeds.append([4 + isRSA] + key.external.plain)
        }
        return seeds
    }
}

/// Public keys in PEM, and as a client of the sign-in server sends them.
enum PEMTarget {
    static let target = FuzzTarget(
        "pem", longest: 400,
        sources: [
            "Sources/Parts/Crypto/Forms/PEM.swift", "Sources/Parts/Crypto/Keys/P256Forms.swift",
            "Sources/Server/SignInServer/Flows/SentKey.swift", "Sources/Rules/Access/Texts/Base64.swift",
        ],
        words: ["-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----", "\r\n", "="], seeds: { try seeds() },
        parse: { input in
            let text = String(decoding: input, as: UTF8.self)
            let spki = try accepted { () throws(SignInRefusal) -> [UInt8] in
                try SentKey.subjectPublicKeyInfo(text)
            } or: {
                $0 == .keyMalformed || $0 == .keyUnsuitable || $0 == .keyInvalid
            }
            let key = try accepted({ try PublicKey(p256PEM: text) }, or: isCallers)
            if let key { try must(key.spki == spki && key.kind == .elliptic(.p256), "a key in PEM is sent as another") }
            // Nothing between the two lines is read as no bytes, which no key has and no PEM of ours.
            guard let der = PEM.decode(text, "PUBLIC KEY"), !der.isEmpty else { return nil }
            try must(PEM.decode(PEM.encode(der, "PUBLIC KEY"), "PUBLIC KEY") == der, "PEM isn't read as it is written")
            return Array(Base64.padded.encoded(der).utf8)
        })

    private static func seeds() throws -> [[UInt8]] {
        var seeds: [String] = []
        for curve in [Curve.p256, .p384] {
            let key = try PrivateKey.generate(.elliptic(curve)).publicKey
            seeds += [key.pem, key.pem.split(separator: "\n").joined(separator: "\r\n"), PEM.encode(key.external, "PUBLIC KEY")]
            seeds += [Base64URL.encoded(key.spki), Base64URL.encoded(key.external)]
        }
        return seeds.map { Array($0.utf8) }
    }
}

/// X.509 certificates.
enum CertificateTarget {
    static let target = FuzzTarget(
        "certificates", longest: 700, sources: ["Sources/Parts/Crypto/Forms/Certificate.swift"],
        seeds: {
            let der = Base64.padded.decoded(example) ?? []
            return [der, Array(der.dropLast()), der + [0], [0x30, 0]]
        },
        parse: { input in
            guard let certificate = try accepted({ try Certificate(der: input) }, or: isCallers) else { return nil }
            try must(certificate.der == input && input.count <= Certificate.byteLimit, "a certificate is another than its bytes")
            try must((1...3).contains(certificate.version), "a certificate has version \(certificate.version)")
            try must(try Certificate(der: certificate.der) == certificate, "a certificate isn't read the same twice")
            try must(
                certificate.commonName == nil || certificate.summary == certificate.commonName, "a summary isn't the common name")
            return certificate.serialNumber
        })

    /// Made for this with the openssl command: CN=Anna Example, two addresses, an identifier of its key, a serial number of five bytes.
    private static let example =
        "MIIBxjCCAWugAwIBAgIFSltsfY4wCgYIKoZIzj0EAwIwSjEVMBMGA1UEAwwMQW5uYSBFeGFtcGxlMRAwDgYDVQQKDAdFeGFtcGxl"
        + "MR8wHQYJKoZIhvcNAQkBFhBhbm5hQGV4YW1wbGUub3JnMB4XDTI2MTEyMzEyMzEzOVoXDTM2MTEyMDEyMzEzOVowSjEVMBMGA1UE"
        + "AwwMQW5uYSBFeGFtcGxlMRAwDgYDVQQKDAdFeGFtcGxlMR8wHQYJKoZIhvcNAQkBFhBhbm5hQGV4YW1wbGUub3JnMFkwEwYHKoZI"
        + "zj0CAQYIKoZIzj0DAQcDQgAEPkfMRbAL9epRpl0gzERcj1uV0zp2RDWnaLd3uOE0JH/O9/rkENIuRVFSNXDOvUwIRMFFSru7hxp9"
        + "ILjozegwMaM+MDwwHQYDVR0OBBYEFASZ3qm7TccqDHSIc2l+BkFif41iMBsGA1UdEQQUMBKBEGFubmFAZXhhbXBsZS5jb20wCgYI"
        + "KoZIzj0EAwIDSQAwRgIhAN4j5bONDvlWBttYT4wCDyw0YQq3AhT0/Iw1rgxP03b9AiEAykhgkBlbnnAECpmwkiTRRjZY+XI4KgXD"
        + "FC5jp0gnkfM="
}
