import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import ThumbSignIn

// Sign-in keys: the door to statements. Apple has no such names.

extension SecKeyAlgorithm {
    /// Thumbturn's own, not Apple's: ECDSA over a statement of docs/developers/sign-in.md, with a key made under
    /// `SecAccessControlCreateFlags.signIn`, which signs with nothing else.
    ///
    /// The data is the statement, six lines, its last the key's own `kThumbturnKeyDevice`; `errSecParam` for anything else. The device
    /// composes the statement anew, asks for the owner each time whatever a context has shown, and says origin and account in
    /// words of its own: no reason is shown. The signature is DER.
    public static let signInStatement = SecKeyAlgorithm("thumbturn:sign:ECDSA:sign-in-1:SHA256")
}

extension SecKey {
    /// The key's name at a sign-in server; nil for keys that can't have one.
    func deviceID() throws(KeyFailure) -> DeviceID? {
        guard kind == .elliptic(.p256) else { return nil }
        let digest = try crypto("naming a key") { try HashFunction.sha256.hash(publicHalf.spki) }
        return Digest32(digest).map(DeviceID.init)
    }

    func statementSignature(_ data: Data) throws(KeyFailure) -> [UInt8] {
        guard case .device(let held) = holding else { throw .parameter("only a key at the device signs in") }
        let statement = try self.statement(data)
        guard try statement.device == deviceID() else { throw .parameter("the statement names another device than this key") }
        let words = SignInWords(
            origin: ExactName(statement.origin.text), account: ExactName(statement.account.text),
            purpose: StatementPurpose(statement.purpose))
        let signature = try held.sign(words, challenge: statement.challenge.bytes)
        let bytes = signature.plainBytes(in: 0..<signature.count)
        // Not of this statement: then the device has composed another, and nobody gets that.
        guard try isStatementSignature(bytes, data) else { throw KeyFailure(.internalFailure) }
        return bytes
    }

    func isStatementSignature(_ signature: [UInt8], _ data: Data) throws(KeyFailure) -> Bool {
        _ = try statement(data)
        return try crypto("verifying a statement") {
            try publicHalf.isSignature(signature, of: HashFunction.sha256.hash([UInt8](data)), .ecdsa)
        }
    }

    private func statement(_ data: Data) throws(KeyFailure) -> Statement {
        // Longer ones needn't be copied to be refused.
        guard data.count <= Statement.longest else { throw .parameter("that is no statement") }
        do throws(SignInRefusal) {
            return try Statement([UInt8](data))
        } catch {
            throw .parameter("that is no statement")
        }
    }
}
