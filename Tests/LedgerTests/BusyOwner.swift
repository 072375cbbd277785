import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSignIn

/// One who registers devices, signs in with them and revokes them as fast as the server answers, and who remembers every answer.
struct BusyOwner: Sendable {
    let account: AccountName
    /// A password session, fresh in this life of the server.
    var token = ""
    private(set) var answers = 0
    private(set) var complaints: [String] = []
    private var devices: [Device] = []
    private var signIns: [SignIn] = []
    private var serial = 0

    private struct Device: Sendable {
        let key: PrivateKey
        let id: String
        /// What was answered; nil where the server was gone before it answered.
        var isThere: Bool?
        var isRevoked: Bool? = false
    }

    private struct SignIn: Sendable {
        let device: String
        let members: [String: String]
        /// The session's, where it was answered.
        let token: String?
    }

    init(_ number: Int) { account = AccountName("owner-\(number)")! }  // A name by its looks.

    // At work

    /// Asks until the server is gone.
    mutating func work(_ line: ServerLine, _ dice: inout some RandomNumberGenerator, _ answered: () -> Void) throws {
        do {
            while true {
                let usable = devices.indices.filter { devices[$0].isThere == true && devices[$0].isRevoked == false }
                switch Int.random(in: 0..<10, using: &dice) {
                case 0..<2 where usable.count < 20: try register(line)
                case 2 where usable.count > 2: try revoke(usable.randomElement(using: &dice)!, line)  // There are three.
                default:
                    if let one = usable.randomElement(using: &dice) { try signIn(one, line) } else { try register(line) }
                }
                answers += 1
                answered()
            }
        } catch is ServerLine.Gone {}
    }

    private func members(_ device: Device, _ purpose: String, _ line: ServerLine) throws -> [String: String] {
        let answer = try line.ask("POST", "/v1/challenges", ["account": account.text, "purpose": purpose])
        let statement = """
            thumbturn sign-in 1
            origin \(ServerUnderTest.origin)
            account \(account.text)
            purpose \(purpose)
            challenge \(answer.text("challenge"))
            device \(device.id)

            """
        let signature = try device.key.signature(digest: HashFunction.sha256.hash(Array(statement.utf8)), .ecdsa)
        return ["statement": statement, "signature": Base64URL.encoded(signature)]
    }

    private mutating func register(_ line: ServerLine) throws {
        let key = try PrivateKey.generate(.elliptic(.p256))
        let device = Device(key: key, id: Base64URL.encoded(try HashFunction.sha256.hash(key.publicKey.spki)))
        var members = try members(device, "register", line)
        serial += 1
        (members["key"], members["name"]) = (key.publicKey.pem, "device \(serial)")
        devices.append(device)
        expect(try line.ask("POST", "/v1/devices", members, token: token).status, 201, "a registration")
        devices[devices.count - 1].isThere = true
    }

    private mutating func revoke(_ one: Int, _ line: ServerLine) throws {
        devices[one].isRevoked = nil
        let path = "/v1/devices/\(devices[one].id)/revocation"
        let answer = try line.ask("POST", path, members(devices[one], "revoke-device", line), token: token)
        expect(answer.status, 204, "a revocation")
        devices[one].isRevoked = true
    }

    private mutating func signIn(_ one: Int, _ line: ServerLine) throws {
        let members = try members(devices[one], "sign-in", line)
        let place = signIns.count
        signIns.append(SignIn(device: devices[one].id, members: members, token: nil))
        let answer = try line.ask("POST", "/v1/sign-ins", members)
        expect(answer.status, 201, "a sign-in")
        signIns[place] = SignIn(device: devices[one].id, members: members, token: answer.text("token"))
    }

    private mutating func expect(_ status: Int, _ expected: Int, _ what: String) {
        if status != expected { complaints.append("\(account.text): \(what) is answered with \(status)") }
    }

    // Afterwards

    /// Compares with what the server's next life has. What was under way when the last one ended is from now on as it is found.
    mutating func compare(_ line: ServerLine) throws {
        let answer = try line.ask("GET", "/v1/devices", token: token)
        expect(answer.status, 200, "a list of devices")
        let found = Dictionary(
            uniqueKeysWithValues: answer.devices.map { ($0["device"] as? String ?? "", $0["revoked"] is NSNumber) })
        // A list leaves out what was revoked before the newest, and nothing else.
        let leavesOut = found.values.count { $0 } == SignInLimit.revokedDevices
        for place in devices.indices {
            let device = devices[place]
            var isRevoked = found[device.id]
            if isRevoked == nil, leavesOut, device.isThere == true, device.isRevoked != false { isRevoked = true }
            if device.isThere == true && isRevoked == nil { complaints.append("a registration is lost") }
            if device.isRevoked == true && isRevoked == false { complaints.append("a revocation is lost") }
            if device.isRevoked == false && isRevoked == true { complaints.append("a device is revoked that nobody revoked") }
            devices[place].isThere = isRevoked != nil
            devices[place].isRevoked = isRevoked ?? false
        }
        if !Set(found.keys).isSubset(of: devices.map(\.id)) { complaints.append("there is a device that nobody registered") }
        for signIn in signIns { try compare(signIn, isRevoked: found[signIn.device] ?? true, line) }
        signIns = []
    }

    private mutating func compare(_ signIn: SignIn, isRevoked: Bool, _ line: ServerLine) throws {
        if let token = signIn.token {
            // A session is as long as its device.
            expect(
                try line.ask("GET", "/v1/session", token: token).status, isRevoked ? 401 : 200, "an answered sign-in's session")
        }
        let used = isRevoked ? 403 : 409
        let replayed = try line.ask("POST", "/v1/sign-ins", signIn.members).status
        // Whether one that wasn't answered was done, shows now; it is good once either way.
        if signIn.token != nil || replayed != 201 { expect(replayed, used, "a replayed sign-in") }
        expect(try line.ask("POST", "/v1/sign-ins", signIn.members).status, used, "a sign-in replayed twice")
    }
}
