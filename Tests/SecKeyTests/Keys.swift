import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator
import thumbturn_test_support

typealias Fields = [CFString: Any]

/// What a call on a key failed with: whose number, and which.
struct Refusal: Error, Equatable, CustomStringConvertible {
    let domain: String
    let code: Int
    /// Not compared.
    var text = ""

    static func status(_ status: OSStatus) -> Refusal { Refusal(domain: "NSOSStatusErrorDomain", code: Int(status)) }
    static func owner(_ code: Int) -> Refusal { Refusal(domain: "com.apple.LocalAuthentication", code: code) }
    static func token(_ code: Int) -> Refusal { Refusal(domain: "CryptoTokenKit", code: code) }

    static func == (one: Refusal, other: Refusal) -> Bool { one.domain == other.domain && one.code == other.code }

    var description: String { "\(domain) \(code): \(text)" }
}

typealias ErrorRoom = UnsafeMutablePointer<Unmanaged<CFError>?>

/// Makes a call that has room for an error, and throws what it fails with.
func call<Value>(_ body: (ErrorRoom) -> Value?) throws -> Value {
    var error: Unmanaged<CFError>?
    let value = body(&error)
    guard let value else {
        let failure = try #require(error, "a call failed and didn't say why").takeRetainedValue()
        throw Refusal(domain: failure.domain, code: failure.code, text: failure.localizedDescription)
    }
    #expect(error == nil)
    return value
}

func newKey(_ fields: Fields) throws -> SecKey { try call { SecKeyCreateRandomKey(fields as CFDictionary, $0) } }

func newKey(_ type: CFString, _ bits: Int, _ fields: Fields = [:]) throws -> SecKey {
    try newKey([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits].merging(fields) { $1 })
}

func enclaveKey(
    _ flags: SecAccessControlCreateFlags? = nil, isPermanent: Bool? = nil, _ accessible: CFString = "aku", _ fields: Fields = [:]
) throws -> SecKey {
    var own: Fields = [:]
    if let flags {
        own[kSecAttrAccessControl] = try #require(SecAccessControlCreateWithFlags(nil, accessible, flags, nil))
    }
    if let isPermanent { own[kSecAttrIsPermanent] = isPermanent }
    return try newKey(
        kSecAttrKeyTypeECSECPrimeRandom, 256,
        [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: own].merging(fields) { $1 })
}

func readKey(_ data: Data, _ type: Any, _ half: Any, _ fields: Fields = [:]) throws -> SecKey {
    let attributes: Fields = [kSecAttrKeyType: type, kSecAttrKeyClass: half].merging(fields) { $1 }
    return try call { SecKeyCreateWithData(data as CFData, attributes as CFDictionary, $0) }
}

/// Keys that tests only read: an RSA key takes its time to be made.
enum Shared {
    static let curves: [Int: SecKey] = Dictionary(
        uniqueKeysWithValues: [256, 384, 521].map { ($0, made(kSecAttrKeyTypeECSECPrimeRandom, $0)) })
    static let rsa1024 = made(kSecAttrKeyTypeRSA, 1024)
    static let rsa2048 = made(kSecAttrKeyTypeRSA, 2048)

    private static func made(_ type: CFString, _ bits: Int) -> SecKey {
        guard let key = try? newKey(type, bits) else { fatalError("no \(bits)-bit key can be made") }
        return key
    }
}

extension SecKey {
    var publicHalf: SecKey { SecKeyCopyPublicKey(self)! }

    func exported() throws -> Data { try call { SecKeyCopyExternalRepresentation(self, $0) } as Data }

    var attributes: [String: Any] { SecKeyCopyAttributes(self) as? [String: Any] ?? [:] }

    func sign(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        try call { SecKeyCreateSignature(self, algorithm, data as CFData, $0) } as Data
    }

    /// Whether it is the key's; a reason other than "it isn't" is thrown.
    func verifies(_ signature: Data, of data: Data, _ algorithm: SecKeyAlgorithm) throws -> Bool {
        do {
            return try call { SecKeyVerifySignature(self, algorithm, data as CFData, signature as CFData, $0) ? true : nil }
        } catch let refusal as Refusal where refusal == .status(errSecVerifyFailed) {
            return false
        }
    }

    func encrypt(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        try call { SecKeyCreateEncryptedData(self, algorithm, data as CFData, $0) } as Data
    }

    func decrypt(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        try call { SecKeyCreateDecryptedData(self, algorithm, data as CFData, $0) } as Data
    }

    func agree(with peer: SecKey, _ algorithm: SecKeyAlgorithm, _ parameters: [String: Any] = [:]) throws -> Data {
        try call { SecKeyCopyKeyExchangeResult(self, algorithm, peer, parameters as CFDictionary, $0) } as Data
    }

    func can(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
        SecKeyIsAlgorithmSupported(self, operation, algorithm)
    }
}

let message = Data("a message of some length, that several blocks of a hash take".utf8)

/// Everything here goes through Apple's names to a simulated device, and so through the real service and store.
@Suite("Keys on a device", .oneDevice) enum OnDevice {}

/// Installs a simulated device for the length of `body`. An answer that no prompt asked for is a failure.
func withDevice(
    _ biometry: SimulatedDevice.Biometry = .touchID, enrolled: [String] = ["me"], passcode: String? = "1234",
    _ body: (SimulatedDevice) async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
    let device = SimulatedDevice(biometry: biometry, enrolled: enrolled, passcode: passcode).install()
    defer { device.uninstall() }
    try await body(device)
    #expect(device.unusedAnswers == 0, "answers were scripted that no prompt asked for", sourceLocation: sourceLocation)
}

/// What `SecItemCopyMatching` finds among keys; a status is thrown.
func find(_ fields: Fields) throws -> AnyObject? {
    var result: AnyObject?
    let all: Fields = [kSecClass: kSecClassKey].merging(fields) { $1 }
    let status = SecItemCopyMatching(all as CFDictionary, &result)
    guard status == errSecSuccess else { throw Refusal.status(status) }
    return result
}

func findKey(_ fields: Fields) throws -> SecKey {
    let found = try #require(try find(fields.merging([kSecReturnRef: true]) { $1 }))
    return try #require(found as? SecKey)
}

func add(_ fields: Fields) throws {
    let status = SecItemAdd(fields as CFDictionary, nil)
    guard status == errSecSuccess else { throw Refusal.status(status) }
}
