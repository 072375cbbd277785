import Testing
import ThumbCrypto
import ThumbSignIn
import thumbturn_test_programs

@Suite("Devices, as clients name them")
struct DeviceTests {
    @Test("A device's name that isn't a line is refused when it is registered and when it is renamed, and uses nothing up")
    func words() async throws {
        let (refused, taken, renamed, name) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let device = try TestDevice()
            let token = try house.newAccount(wire, "anna")
            let challenge = try house.challenge(wire, "anna", "register")
            let members = try device.members(house.origin, "anna", challenge, purpose: "register")
                .merging(["key": device.pem]) { $1 }
            func register(_ name: String, _ protection: String) throws -> Wire.Reply {
                let words = ["name": name, "protection": protection]
                return try wire.ask("POST", "/v1/devices", members.merging(words) { $1 }, token: token)
            }
            let names = ["", String(repeating: "a", count: 65), "a\nb", "\u{1b}[2J"]
            let refused = try names.map { try register($0, "tpm") }
            let said = try [String(repeating: "a", count: 257), "t\npm"].map { try register("laptop", $0) }
            let taken = try register("laptop", "tpm")
            let path = "/v1/devices/\(try device.id.text)"
            let renamed = try names.map { try wire.ask("PATCH", path, ["name": $0], token: token) }
            let list = try wire.ask("GET", "/v1/devices", token: token).json["devices"] as? [[String: Any]]
            return (refused + said, taken.status, renamed, list?.first?["name"] as? String)
        }
        #expect(refused.count == 6 && renamed.count == 4)
        #expect((refused + renamed).allSatisfy { $0.status == 400 && $0.error == "value" })
        #expect(taken == 201 && name == "laptop")
    }

    @Test(
        "Who can't sign for a device learns neither that another account has it nor that it is revoked",
        arguments: [true, false])
    func hidden(isKnown: Bool) async throws {
        let errors = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let (device, stranger) = (try TestDevice(), try TestDevice())
            let otto = AccountName("otto")!  // A name by its looks.
            let token = try house.newAccount(wire, otto.text)
            if isKnown {
                _ = try house.register(wire, device, otto.text, token: token)
            } else {
                // Past the server, which therefore hasn't seen the key.
                let (challenge, now) = (Digest32([UInt8](repeating: 7, count: 32))!, Moment(seconds: house.now))  // 32 bytes.
                let record = DeviceRecord(
                    id: try device.id, key: device.key.publicKey.spki, name: "laptop", unverifiedProtection: "", registered: now)
                _ = try house.settle(.giveChallenge(ChallengeRecord(given: challenge, to: otto, for: .register, at: now)))
                _ = try house.settle(.register(otto, record, challenge: challenge, session: nil))
            }
            func attempt(_ account: String) throws -> String? {
                let challenge = try house.challenge(wire, account)
                let members = try stranger.members(house.origin, account, challenge, device: try device.id.text)
                return try wire.ask("POST", "/v1/sign-ins", members).error
            }
            let before = [try attempt("anna"), try attempt(otto.text)]
            _ = try house.settle(.revoke(otto, try device.id))
            return before + [try attempt("anna"), try attempt(otto.text)]
        }
        #expect(errors == ["device-unknown", "signature", "device-unknown", "signature"])
    }
}
