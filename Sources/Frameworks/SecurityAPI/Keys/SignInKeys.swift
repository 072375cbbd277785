import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import ThumbSignIn

// Sign-in keys. Apple has no such names.

extension SecKeyAlgorithm {
    /// ECDSA over a sign-in statement (docs/developers/sign-in.md), with a key made under `SecAccessControlCreateFlags.signIn`, which signs
    /// with no other algorithm. Apple doesn't have this algorithm.
    ///
    /// The data is the statement: six lines, the last of which is the key's own `kThumbturnKeyDevice`. Anything else fails with
    /// `errSecParam`. The device composes the statement again and asks the owner each time, whatever was shown for a context. Its prompt
    /// names origin and account in its own words, and shows no reason. The signature is DER.
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
        // The signature isn't over this statement, because the device has composed another one. Nobody must get that signature.
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
        // A longer text is refused without copying it.
        guard data.count <= Statement.longest else { throw .parameter("that is no statement") }
        do throws(SignInRefusal) {
            return try Statement([UInt8](data))
        } catch {
            throw .parameter("that is no statement")
        }
    }
}
