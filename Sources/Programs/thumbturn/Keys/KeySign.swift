import ThumbAccess
import ThumbCommands
import ThumbCrypto
import ThumbSecrets

/// `thumbturn key sign`
enum KeySign {
    static let command = Command(
        "sign", "sign a file, or standard input",
        discussion: [
            "Hashes the input, however long it is, and has the key sign the hash; the daemon sees no more than that. With --digest the input "
                + "is the hash itself, as bytes. If you are asked, the prompt names the file.",
            "By default the signature is DER, as `openssl dgst -verify` reads it. base64 is the same as a line of text; raw is r and s side by "
                + "side, as JSON web tokens have it.",
        ],
        operands: [Keys.known, Keys.input],
        options: [SignedHash.option, SignedHash.digestOption, SignatureOption.option, Output.option],
        examples: [
            Example("Sign a file", "thumbturn key sign release app.tar --output app.sig"),
            Example(
                "Sign a hash that another program made", "openssl dgst -sha384 -binary -out app.hash app.tar",
                "thumbturn key sign release app.hash --hash sha384 --digest"),
        ]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let hash = SignedHash(invocation)
        let format = invocation.value(SignatureOption.option) ?? "der"
        try Output.check(invocation)
        if format != "base64" { try KeyResult.refuseTerminal(invocation, "the signature") }
        let input = try KeyInput(invocation.operands.dropFirst().first)
        let digest = try hash.digest(input)
        let product = try key.use(.sign(digest: digest, key.scheme(hash.function)), reason: hash.reason(key, input))
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
}

/// `thumbturn key verify`
enum KeyVerify {
    static let command = Command(
        "verify", "show whether a key made a signature",
        discussion: ["Hashes the input as `thumbturn key sign` does, and checks. Nobody is asked: the public half is enough."],
        operands: [Keys.known, Operand(.file("SIGNATURE"), "the file that has the signature"), Keys.input],
        options: [SignedHash.option, SignedHash.digestOption, SignatureOption.option],
        exits: [ExitStatus(0, "the key made the signature"), ExitStatus(1, "it did not")],
        examples: [Example("Check a file against its signature", "thumbturn key verify release app.sig app.tar")]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let hash = SignedHash(invocation)
        if invocation.operands[1] == "-", invocation.operands.dropFirst(2).first ?? "-" == "-" { throw .inputTwice }
        let given = try KeyInput(invocation.operands[1]).all(atMost: SignedHash.signatureBytes)
        let digest = try hash.digest(try KeyInput(invocation.operands.dropFirst(2).first))
        let isValid = key.isSignature(given, invocation.value(SignatureOption.option) ?? "der", of: digest, hash.function)
        return Outcome(
            .signature(of: key.thing, isGenuine: isValid),
            json: .object([("name", .text(key.name)), ("hash", .text(hash.name)), ("isValid", .flag(isValid))]),
            exit: isValid ? .done : .no)
    }
}

/// How a signature is written.
private enum SignatureOption {
    static let option = Option(
        "format", "how the signature is written, der by default", .choice("FORMAT", ["der", "base64", "raw"]))
}

/// The hash to sign, from the command line.
private struct SignedHash {
    static let option = Option(
        "hash", "how the input is hashed, sha256 by default", .choice("HASH", ["sha256", "sha384", "sha512"]))
    static let digestOption = Option("digest", "the input is the hash itself")
    /// More than the longest signature takes as text, with room for newlines.
    static let signatureBytes = 4096

    let name: String
    private let isGiven: Bool

    init(_ invocation: Invocation) {
        name = invocation.value(Self.option) ?? "sha256"
        isGiven = invocation.has(Self.digestOption)
    }

    var function: HashFunction {
        switch name {
        case "sha384": .sha384
        case "sha512": .sha512
        default: .sha256
        }
    }

    /// What the owner is asked. The file's name comes last, so that nothing in it can pass for the rest of the sentence, and is short enough
    /// for a prompt to show all of it.
    func reason(_ key: StoredKey, _ input: borrowing KeyInput) -> String {
        let place = input.path.map { SafePath($0, limit: 100).description } ?? "standard input"
        return "sign \(isGiven ? "a digest " : "")with the \(key.shown): \(place)"
    }

    func digest(_ input: borrowing KeyInput) throws(Failure) -> [UInt8] {
        guard isGiven else { return try input.digest(function) }
        let digest = try input.all(atMost: HashFunction.sha512.byteCount)
        guard digest.count == function.byteCount else {
            throw .digestLength(hash: name, wanted: function.byteCount, found: digest.count)
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

    /// r and s side by side. An RSA signature has only one form.
    fileprivate func raw(_ der: [UInt8]) throws(Failure) -> [UInt8] {
        guard case .elliptic(let curve) = publicKey.kind else { return der }
        guard let raw = ECDSASignature.rfc4754(der: der, curve) else { throw .keychain(.internalFailure, about: thing) }
        return raw
    }

    /// Anything that is wrong with a signature makes it invalid.
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
