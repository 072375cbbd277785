import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSignIn

/// vectors.json, which `make-vectors` made with Python's `cryptography`: nothing of it comes from the code that it judges.
struct SignInVectors: Decodable {
    struct Device: Decodable {
        let device: String
        let key: String
    }

    struct SignIn: Decodable, CustomTestStringConvertible {
        let name: String
        let statement: String
        let signature: String
        let registered: String?
        let revoked: Bool
        let says: String

        var testDescription: String { name }
    }

    struct OriginText: Decodable, CustomTestStringConvertible {
        let origin: String
        let isOrigin: Bool

        var testDescription: String { origin }
    }

    struct SentKey: Decodable, CustomTestStringConvertible {
        let name: String
        let key: String
        let says: String

        var testDescription: String { name }
    }

    let origin: String
    let purpose: String
    let devices: [String: Device]
    let counts: [String: Int]
    let signIns: [SignIn]
    let origins: [OriginText]
    let keys: [SentKey]

    static let all: SignInVectors = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("vectors.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // A file that can't be read must fail every test of it, and there is no other way out of here.
        return try! decoder.decode(SignInVectors.self, from: Data(contentsOf: file))
    }()

    /// What a ledger has for a device of that name.
    func record(_ name: String, revoked: Bool = false) throws -> DeviceRecord {
        let device = try #require(devices[name])
        return DeviceRecord(
            id: try #require(DeviceID(text: device.device)), key: try #require(Base64URL.decoded(device.key)), name: name,
            unverifiedProtection: "", registered: Moment(seconds: 1), revoked: revoked ? Moment(seconds: 2) : nil)
    }

    /// A statement as it should be, with its signature.
    func good() throws -> (statement: [UInt8], signature: [UInt8]) {
        let vector = try #require(signIns.first { $0.name == "as it should be" })
        return (Array(vector.statement.utf8), try #require(Base64URL.decoded(vector.signature)))
    }
}

/// The server's cryptography, without its kept keys.
struct JudgeCrypto: SignInCrypto {
    func sha256(_ bytes: [UInt8]) throws(SignInRefusal) -> Digest32 {
        guard let hash = try? HashFunction.sha256.hash(bytes), let digest = Digest32(hash) else { throw .busy }
        return digest
    }

    func isSignature(
        _ signature: SignatureForm, ofSHA256 digest: Digest32, by key: [UInt8], of device: DeviceID
    ) throws(SignInRefusal) -> Bool {
        do {
            return try VerifyingKey(PublicKey(spki: key)).isSignature(signature.der, ofSHA256: digest.bytes)
        } catch { throw .busy }
    }
}

/// What `body` is refused with; nil if it isn't.
func refusal<Value>(_ body: () throws(SignInRefusal) -> Value) -> SignInRefusal? {
    do throws(SignInRefusal) {
        _ = try body()
        return nil
    } catch { return error }
}
