import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSignIn

@Suite("Vectors of signing in")
struct VectorFileTests {
    private static let vectors = SignInVectors.all

    @Test("The file is whole, and has each refusal that a sign-in or a key can meet before the ledger is asked")
    func whole() {
        let vectors = Self.vectors
        #expect(vectors.signIns.count == 121 && vectors.origins.count == 134 && vectors.keys.count == 44)
        #expect(
            vectors.counts == [
                "sign_ins": vectors.signIns.count, "origins": vectors.origins.count, "keys": vectors.keys.count,
            ])
        #expect(
            Set(vectors.signIns.map(\.says)) == [
                "ok", "statement-malformed", "signature-malformed", "origin", "purpose", "device-unknown", "signature",
                "device-revoked",
            ])
        #expect(Set(vectors.keys.map(\.says)) == ["ok", "key-malformed", "key-unsuitable", "key-invalid"])
    }

    @Test("Each sign-in is answered as the page says", arguments: vectors.signIns)
    func signIn(_ vector: SignInVectors.SignIn) throws {
        let origin = try #require(Origin(Self.vectors.origin))
        let purpose = try #require(Purpose(rawValue: Self.vectors.purpose))
        let signature = try #require(Base64URL.decoded(vector.signature))
        let device = try vector.registered.map { try Self.vectors.record($0, revoked: vector.revoked) }
        let statement = Array(vector.statement.utf8)
        var proved: SignInProof?
        let answer = refusal { () throws(SignInRefusal) in
            let claim = try SignInClaim(statement: statement, signature: signature, at: origin, for: purpose)
            proved = try claim.proof(by: device, JudgeCrypto())
        }
        #expect((answer?.rawValue ?? "ok") == vector.says)
        #expect((proved != nil) == (vector.says == "ok"))
        if let proved {
            let read = try Statement(statement)
            #expect(proved.account == read.account && proved.device == read.device)
            #expect(proved.challenge.bytes == (try HashFunction.sha256.hash(read.challenge.bytes)))
        }
    }

    @Test("What is no statement isn't one, and what is reads and writes the same", arguments: vectors.signIns)
    func statement(_ vector: SignInVectors.SignIn) throws {
        let bytes = Array(vector.statement.utf8)
        guard vector.says != "statement-malformed" else {
            #expect(refusal { () throws(SignInRefusal) in try Statement(bytes) } == .statementMalformed)
            return
        }
        #expect(try Statement(bytes).text == vector.statement)
    }

    @Test("Each text is an origin or none, as the page says", arguments: vectors.origins)
    func origin(_ vector: SignInVectors.OriginText) {
        let origin = Origin(vector.origin)
        #expect((origin != nil) == vector.isOrigin)
        if let origin { #expect(origin.text == vector.origin) }
    }

    @Test("Each key is read, or refused for what is wrong with it", arguments: vectors.keys)
    func key(_ vector: SignInVectors.SentKey) throws {
        let read = Result {
            if vector.key.hasPrefix("-") || vector.key.contains("\n") { return try PublicKey(p256PEM: vector.key) }
            return try PublicKey(p256: try #require(Base64URL.decoded(vector.key)))
        }
        switch vector.says {
        case "ok": #expect(try read.get().spki == Self.vectors.record("anna").key)
        case "key-malformed": #expect(code(read) == .invalidInput)
        case "key-unsuitable": #expect(code(read) == .unsupported)
        default: #expect(code(read) == .invalidKey)
        }
    }

    private func code(_ result: Result<PublicKey, any Error>) -> CryptoError.Code? {
        guard case .failure(let error) = result else { return nil }
        return (error as? CryptoError)?.code
    }
}
