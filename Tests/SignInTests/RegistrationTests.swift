import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSignIn

@Suite("A registration's claim")
struct RegistrationTests {
    private let origin = Origin("https://bank.example")!
    private let account = AccountName("anna@bank.example")!
    private let key: PrivateKey
    private let spki: [UInt8]

    init() throws {
        key = try PrivateKey.generate(.elliptic(.p256))
        spki = key.publicKey.spki
    }

    private func request(_ purpose: Purpose = .register) throws -> StatementRequest {
        StatementRequest(
            origin: origin, account: account, purpose: purpose,
            challenge: try #require(Challenge([UInt8](repeating: 9, count: 32))))
    }

    private func answer(
        _ request: StatementRequest, of signer: PrivateKey? = nil, naming named: [UInt8]? = nil, session: AccountName? = nil
    ) throws -> SignInRefusal? {
        let device = DeviceID(try JudgeCrypto().sha256(named ?? spki))
        let bytes = request.statement(of: device).bytes
        let signature = try (signer ?? key).signature(digest: HashFunction.sha256.hash(bytes), .ecdsa)
        return refusal { () throws(SignInRefusal) in
            let claim = try SignInClaim(statement: bytes, signature: signature, at: origin, for: .register)
            let proof = try claim.proof(registering: spki, for: session ?? account, JudgeCrypto())
            #expect(proof.account == account && proof.device == device)
        }
    }

    @Test("A new key that signed for itself proves it")
    func good() throws {
        #expect(try answer(request()) == nil)
    }

    @Test("A statement for signing in registers nothing")
    func purpose() throws {
        #expect(try answer(request(.signIn)) == .purpose)
    }

    @Test("A statement for another account than the session's registers nothing")
    func otherAccount() throws {
        let other = try #require(AccountName("boris@bank.example"))
        #expect(try answer(request(), session: other) == .statementAccount)
    }

    @Test("A statement that names another device than the key registers nothing")
    func otherDevice() throws {
        let other = try PrivateKey.generate(.elliptic(.p256))
        #expect(try answer(request(), naming: other.publicKey.spki) == .statementDevice)
    }

    @Test("Nobody registers a key that isn't theirs")
    func otherKey() throws {
        let other = try PrivateKey.generate(.elliptic(.p256))
        #expect(try answer(request(), of: other) == .signature)
    }

    @Test("What stands first in the order is the answer")
    func order() throws {
        let (other, boris) = (try PrivateKey.generate(.elliptic(.p256)), try #require(AccountName("boris@bank.example")))
        #expect(try answer(request(), of: other, naming: other.publicKey.spki, session: boris) == .statementAccount)
        #expect(try answer(request(), of: key, naming: other.publicKey.spki) == .statementDevice)
        var elsewhere = try request(.signIn)
        elsewhere.origin = try #require(Origin("https://evil.example"))
        #expect(try answer(elsewhere, of: other, session: boris) == .origin)
    }

    @Test("The device adds its own line to what it is asked to sign, and nothing else")
    func ownLine() throws {
        let request = try request()
        let device = DeviceID(try JudgeCrypto().sha256(spki))
        #expect(
            request.statement(of: device)
                == Statement(
                    origin: request.origin, account: request.account, purpose: request.purpose, challenge: request.challenge,
                    device: device))
    }
}
