import ThumbAccess
import ThumbCommands
import ThumbCrypto
import ThumbSecrets

/// `thumbturn key encrypt`
enum KeyEncrypt {
    static let command = Command(
        "encrypt", "encrypt a file, or standard input, to a key",
        discussion: [
            "Encrypts with the public half, so nobody is asked; only the key opens it again. The form is Apple's ECIES "
                + "(eciesEncryptionCofactorVariableIVX963SHA256AESGCM), which SecKeyCreateDecryptedData opens too.",
            "The input has at most \(QueryLimit.secretBytes) bytes. Encrypt a longer one with a passphrase, and the passphrase with this.",
        ],
        operands: [Keys.known, Keys.input], options: [base64, Output.option],
        examples: [
            Example(
                "Encrypt a file that only this device opens", "thumbturn key encrypt release notes --output notes.sealed"),
            Example("Encrypt a line for a message", "echo 'see you' | thumbturn key encrypt release --base64"),
        ]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        let plaintext = try KeyInput(invocation.operands.dropFirst().first).secret()
        guard let ciphertext = try? key.publicKey.encrypt(plaintext, key.encryption) else { throw .notEncrypted(key.thing) }
        return try KeyResult(
            ciphertext, of: "the ciphertext",
            json: [("name", .text(key.name)), ("ciphertext", .secret(try KeyResult.locked(ciphertext), .base64))]
        ).outcome(invocation, asBase64: invocation.has(base64))
    }

    static let base64 = Option("base64", "the ciphertext is base64 text")
}

/// `thumbturn key decrypt`
enum KeyDecrypt {
    static let command = Command(
        "decrypt", "decrypt what was encrypted to a key",
        discussion: [
            "Decrypts data that `thumbturn key encrypt` or Apple's SecKeyCreateEncryptedData made. Asks you as the key's "
                + "protection says. Writes the contents to standard output exactly as they were.",
            "With --json the object has the contents as `secret` if they are text, and as `secretBase64` if they aren't.",
        ],
        operands: [Keys.known, Keys.input], options: [KeyEncrypt.base64, Output.option],
        examples: [
            Example("Read a file that was encrypted", "thumbturn key decrypt release notes.sealed --output notes")
        ]
    ) { invocation throws(Failure) in
        let key = try StoredKey.named(invocation)
        try Output.check(invocation)
        var ciphertext = try KeyInput(invocation.operands.dropFirst().first).all(atMost: longestCiphertext)
        if invocation.has(KeyEncrypt.base64) {
            guard let bytes = Base64.bytes(ciphertext) else { throw .notDecrypted(key.thing) }
            ciphertext = bytes
        }
        let plaintext = try key.opened(ciphertext)
        let isText = UTF8Scalars.areValid(plaintext)
        return try KeyResult(
            secret: plaintext, of: "what was encrypted",
            json: [
                ("name", .text(key.name)),
                (isText ? "secret" : "secretBase64", .secret(plaintext, isText ? .jsonText : .base64)),
            ]
        ).outcome(invocation, isText: UTF8Scalars.areShowable(plaintext))
    }

    /// The longest plaintext with everything that is added to it, as base64 text.
    private static let longestCiphertext = (QueryLimit.secretBytes + 1024) / 3 * 4 + (64 << 10)
}

extension StoredKey {
    fileprivate var encryption: EncryptionScheme {
        switch publicKey.kind {
        case .elliptic: .ecies(.sha256, derivesNonce: true)
        case .rsa: .rsaOAEPGCM(.sha256)
        }
    }

    /// The daemon only makes the agreement. The rest is done here, so that the daemon needn't see the plaintext.
    fileprivate func opened(_ ciphertext: [UInt8]) throws(Failure) -> SecretBytes {
        let reason = "decrypt with the \(shown)"
        if case .rsa = publicKey.kind { return try use(.decrypt(ciphertext, encryption), reason: reason).bytes }
        do {
            return try ECIES.open(ciphertext, encryption, publicKey) { peer throws in
                try use(.agree(peer: peer.external, .raw), reason: reason).bytes
            }
        } catch let failure as Failure {
            throw failure
        } catch is SecretError {
            throw .noLockedMemory
        } catch {
            throw Failure.notDecrypted(thing)
        }
    }
}
