import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_programs

/// What an owner can do to the account, as it is asked for.
enum Act: String, CaseIterable, Sendable {
    case changePassword = "change-password"
    case removePassword = "remove-password"
    case endSessions = "end-sessions"
    case endSession = "end-session"
    case revokeDevice = "revoke-device"
    case deleteAccount = "delete-account"

    /// What a statement says that it is for.
    var purpose: String { self == .endSession ? "end-sessions" : rawValue }
}

/// A server, and an account there with a device, which somebody attacks: anna, whose token has been copied. Otto has an account and a
/// device of his own.
struct AccountStage {
    static let password = "correct horse"
    let house: HouseServer
    let wire: Wire
    let anna: TestDevice
    let otto: TestDevice
    /// Anna's session that her device began; the thief has a copy of it.
    let token: String
    /// Another of hers, which the password began.
    let other: String
    let ottos: String

    init() throws {
        house = try HouseServer()
        wire = try house.wire()
        (anna, otto) = (try TestDevice(), try TestDevice())
        other = try house.newAccount(wire, "anna")
        _ = try house.register(wire, anna, "anna", token: other)
        token = try house.signIn(wire, anna, "anna").string("token")
        ottos = try house.newAccount(wire, "otto", password: "otto's own")
        _ = try house.register(wire, otto, "otto", token: ottos)
    }

    /// A statement of anna's device for that purpose, with its signature, unless something else is said.
    func statement(
        _ purpose: String, by device: TestDevice? = nil, account: String = "anna", origin: String? = nil,
        challenge: String? = nil
    ) throws -> [String: String] {
        let given: String
        if let challenge { given = challenge } else { given = try house.challenge(wire, account, purpose) }
        return try (device ?? anna).members(origin ?? house.origin, account, given, purpose: purpose)
    }

    /// Asks for the act with these members beside its own.
    func ask(
        _ act: Act, _ proof: [String: String], token: String? = nil, more: [String: String] = [:], target: String? = nil
    ) throws -> Wire.Reply {
        var members = proof.merging(more) { $1 }
        let (method, path): (String, String)
        switch act {
        case .changePassword:
            (method, path) = ("PUT", "/v1/password")
            members["new_password"] = members["new_password"] ?? "the thief's"
        case .removePassword: (method, path) = ("POST", "/v1/password/removal")
        case .endSessions: (method, path) = ("POST", "/v1/sessions/removal")
        case .endSession:
            (method, path) = ("POST", "/v1/sessions/removal")
            members["session"] = try target ?? name(of: other)
        case .revokeDevice: (method, path) = ("POST", "/v1/devices/\(try target ?? anna.id.text)/revocation")
        case .deleteAccount: (method, path) = ("POST", "/v1/account/removal")
        }
        return try wire.ask(method, path, members, token: token ?? self.token)
    }

    /// What a session is called in its own account's list.
    func name(of token: String) throws -> String {
        let list = try wire.ask("GET", "/v1/sessions", body: nil, token: token).json["sessions"] as? [[String: Any]]
        return try #require(list?.first { $0["current"] as? Bool == true }?["session"] as? String)
    }

    func status(_ token: String) throws -> Int { try wire.ask("GET", "/v1/session", body: nil, token: token).status }

    func signIn(_ password: String = Self.password) throws -> Wire.Reply {
        try wire.ask("POST", "/v1/sessions", ["account": "anna", "password": password])
    }

    /// Whether anna has all that she had: both sessions, her device, her password.
    func isUnharmed() throws -> Bool {
        // Misses that an attack left have her wait, no more.
        house.wait(900)
        return try status(token) == 200 && status(other) == 200 && house.signIn(wire, anna, "anna").status == 201
            && signIn().status == 201
    }
}
