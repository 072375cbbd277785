import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSignIn

/// A device that needs no finger.
struct TestDevice: Sendable {
    let key: PrivateKey

    init(_ curve: Curve = .p256) throws { key = try PrivateKey.generate(.elliptic(curve)) }

    var id: DeviceID { get throws { DeviceID(Digest32(try HashFunction.sha256.hash(key.publicKey.spki))!) } }  // 32 bytes.
    var pem: String { key.publicKey.pem }

    func signature(_ statement: [UInt8]) throws -> [UInt8] {
        try key.signature(digest: try HashFunction.sha256.hash(statement), .ecdsa)
    }

    /// What is sent to sign in.
    func members(
        _ origin: String, _ account: String, _ challenge: String, purpose: String = "sign-in", device: String? = nil
    ) throws -> [String: String] {
        let statement = """
            thumbturn sign-in 1
            origin \(origin)
            account \(account)
            purpose \(purpose)
            challenge \(challenge)
            device \(try device ?? id.text)

            """
        return ["statement": statement, "signature": Base64URL.encoded(try signature(Array(statement.utf8)))]
    }
}

/// A server as its clients know it.
protocol Bank: Sendable {
    var port: UInt16 { get }
    var origin: String { get }
}

extension Bank {
    func wire(from own: UInt8 = 1) throws -> Wire { try Wire(to: self, from: own) }

    func challenge(_ wire: Wire, _ account: String, _ purpose: String = "sign-in") throws -> String {
        try wire.ask("POST", "/v1/challenges", ["account": account, "purpose": purpose]).string("challenge")
    }

    /// The token of a session that the password began, on an account that is made for it.
    func newAccount(_ wire: Wire, _ account: String, password: String = "correct horse") throws -> String {
        _ = try wire.ask("POST", "/v1/accounts", ["account": account, "password": password])
        return try wire.ask("POST", "/v1/sessions", ["account": account, "password": password]).string("token")
    }

    func register(_ wire: Wire, _ device: TestDevice, _ account: String, token: String, name: String = "laptop") throws
        -> Wire.Reply
    {
        let challenge = try challenge(wire, account, "register")
        var members = try device.members(origin, account, challenge, purpose: "register")
        members["key"] = device.pem
        members["name"] = name
        return try wire.ask("POST", "/v1/devices", members, token: token)
    }

    func signIn(_ wire: Wire, _ device: TestDevice, _ account: String) throws -> Wire.Reply {
        try wire.ask("POST", "/v1/sign-ins", device.members(origin, account, try challenge(wire, account)))
    }
}
