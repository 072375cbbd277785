internal import ThumbAccess
internal import ThumbCrypto
internal import ThumbSecrets

extension Command {
    static let keySign: Command = .init(
        name: "sign", summary: "sign a file, or standard input",
        discussion: [
            "Hashes what it reads, however long it is, and has the key sign the hash; the daemon sees no more than that. With "
                + "--digest what it reads is the hash itself, as bytes.",
            "The signature is DER, as 'openssl dgst -verify' reads it; base64 is the same as a line of text, and raw is r and s side by "
                + "side, as JSON web tokens have it.",
        ],
        operands: [.keyName, .keyInput], options: [.hash, .digest, .signatureFormat, .output]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let hash = SignedHash(invocation)
        let format = invocation.value(.signatureFormat) ?? "der"
        if format != "base64" { try KeyResult.refuseTerminal(invocation, "the signature") }
        let digest = try hash.digest(try KeyInput(invocation.operands.dropFirst().first))
        let product = try key.use(.sign(digest: digest, key.scheme(hash.function)), reason: "sign with the \(key.shown)")
        let der = product.bytes.plainBytes(in: 0..<product.bytes.count)
        let bytes = format == "raw" ? try key.raw(der) : der
        return try KeyResult(
            bytes, of: "the signature",
            json: [
                ("name", .text(key.name)), ("hash", .text(hash.name)),
                ("custodian", .optional(key.custodian.map(StoredKey.name))),
                ("signature", .secret(try KeyResult.locked(bytes), .base64)),
            ]
        ).outcome(invocation, asBase64: format == "base64")
    }

    static let keyVerify: Command = .init(
        name: "verify", summary: "tell whether a signature is a key's",
        discussion: [
            "Hashes what it reads as 'thumbturn key sign' does and compares. Asks nobody: it is done with the public half.",
            "Exit status: 0 if the signature is the key's, 1 if not.",
        ],
        operands: [
            .keyName, Operand(name: "SIGNATURE", help: "the file that has the signature"), .keyInput,
        ], options: [.hash, .digest, .signatureFormat]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let hash = SignedHash(invocation)
        let given = try KeyInput(invocation.operands[1]).all(atMost: SignedHash.signatureBytes)
        let digest = try hash.digest(try KeyInput(invocation.operands.dropFirst(2).first))
        let isValid = key.isSignature(given, invocation.value(.signatureFormat) ?? "der", of: digest, hash.function)
        return Outcome(
            [isValid ? "It is the signature of the \(key.shown)." : "It is not the signature of the \(key.shown)."],
            json: .object([("name", .text(key.name)), ("hash", .text(hash.name)), ("isValid", .flag(isValid))]),
            exit: isValid ? .done : .no)
    }
}

extension Command.Option {
    static let hash = Command.Option(
        name: "hash", help: "how it is hashed, sha256 by default", value: .choice("HASH", SignedHash.names))
    static let digest = Command.Option(name: "digest", help: "what is read is the hash itself")
    static let signatureFormat = Command.Option(
        name: "format", help: "how the signature is written, der by default",
        value: .choice("FORMAT", ["der", "base64", "raw"]))
}

/// The hash that is signed, as the command line says.
private struct SignedHash {
    static let names = ["sha256", "sha384", "sha512"]
    /// More than the longest signature as text, and room for newlines.
    static let signatureBytes = 4096

    let name: String
    private let isGiven: Bool

    init(_ invocation: Invocation) {
        name = invocation.value(.hash) ?? "sha256"
        isGiven = invocation.has(.digest)
    }

    var function: HashFunction {
        switch name {
        case "sha384": .sha384
        case "sha512": .sha512
        default: .sha256
        }
    }

    func digest(_ input: borrowing KeyInput) throws(Failure) -> [UInt8] {
        guard isGiven else { return try input.digest(function) }
        let digest = try input.all(atMost: HashFunction.sha512.byteCount)
        guard digest.count == function.byteCount else {
            throw Failure("digestLength", .input, "a \(name) digest has \(function.byteCount) bytes, not \(digest.count)")
        }
        return digest
    }
}

extension StoredKey {
    fileprivate func scheme(_ hash: HashFunction) -> SignatureScheme {
        switch publicKey.kind {
        case .elliptic: .ecdsa
        case .rsa: .rsaPKCS1(hash)
        }
    }

    /// r and s side by side; an RSA signature has but one form.
    fileprivate func raw(_ der: [UInt8]) throws(Failure) -> [UInt8] {
        guard case .elliptic(let curve) = publicKey.kind else { return der }
        guard let raw = ECDSASignature.rfc4754(der: der, curve) else { throw Failure(KeychainFailure.internalFailure, shown) }
        return raw
    }

    /// Whatever is wrong with a signature, it isn't one.
    fileprivate func isSignature(_ given: [UInt8], _ format: String, of digest: [UInt8], _ hash: HashFunction) -> Bool {
        var der = given
        switch (format, publicKey.kind) {
        case ("base64", _):
            guard let bytes = Base64.bytes(given) else { return false }
            der = bytes
        case ("raw", .elliptic(let curve)):
            guard let bytes = ECDSASignature.der(rfc4754: given, curve) else { return false }
            der = bytes
        default: break
        }
        return (try? publicKey.isSignature(der, of: digest, scheme(hash))) ?? false
    }
}
