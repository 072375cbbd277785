import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_programs

@Suite("From a password to a finger")
struct StoryTests {
    @Test("Password once, register, sign in, list, rename, renew, sign out, revoke: on one connection of the real program")
    func story() async throws {
        let replies = try await onThread {
            let bank = try ServerProgram()
            let wire = try bank.wire()
            let device = try TestDevice()
            let id = try device.id.text
            var replies: [Wire.Reply] = []
            func keep(_ reply: Wire.Reply) -> Wire.Reply {
                replies.append(reply)
                return reply
            }
            _ = keep(try wire.ask("POST", "/v1/accounts", ["account": "anna", "password": "correct horse"]))
            let password = keep(try wire.ask("POST", "/v1/sessions", ["account": "anna", "password": "correct horse"])).string(
                "token")
            _ = keep(try bank.register(wire, device, "anna", token: password, name: "Annas \"Laptop\" 😀"))
            let session = keep(try bank.signIn(wire, device, "anna")).string("token")
            _ = keep(try wire.ask("GET", "/v1/session", token: session))
            _ = keep(try wire.ask("PATCH", "/v1/devices/\(id)", ["name": "new"], token: session))
            _ = keep(try wire.ask("GET", "/v1/devices", token: session))
            let renewed = keep(try wire.ask("POST", "/v1/session/renewal", token: session)).string("token")
            _ = keep(try wire.ask("GET", "/v1/session", token: session))
            _ = keep(try wire.ask("DELETE", "/v1/session", token: renewed))
            _ = keep(try wire.ask("GET", "/v1/session", token: renewed))
            let again = keep(try bank.signIn(wire, device, "anna")).string("token")
            let proof = ["password": "correct horse"]
            _ = keep(try wire.ask("POST", "/v1/devices/\(id)/revocation", proof, token: password))
            _ = keep(try wire.ask("GET", "/v1/session", token: again))
            _ = keep(try bank.signIn(wire, device, "anna"))
            _ = keep(try wire.ask("POST", "/v1/devices/\(try TestDevice().id.text)/revocation", proof, token: password))
            _ = keep(try wire.ask("GET", "/v1/session", token: password))
            return replies
        }
        #expect(
            replies.map(\.status) == [201, 201, 201, 201, 200, 200, 200, 201, 401, 204, 401, 201, 204, 401, 403, 404, 200])
        #expect(replies[4].string("kind") == "device")
        #expect(replies[4].string("account") == "anna")
        #expect(replies[4].string("device") == replies[2].string("device"))
        #expect(replies[4].json["fresh_until"] == nil)
        #expect(replies[5].string("name") == "new")
        let listed = try #require(replies[6].json["devices"] as? [[String: Any]])
        #expect(listed.count == 1)
        #expect(listed[0]["protection_verified"] as? Bool == false)
        #expect(listed[0]["last_used"] != nil)
        #expect(replies.last?.json["fresh_until"] != nil)
        #expect(replies.allSatisfy { $0.headers["cache-control"] == "no-store" })
    }

    @Test("A key is registered in each of its three forms, and is the same device in all")
    func keyForms() async throws {
        let (replies, id) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let device = try TestDevice()
            let token = try house.newAccount(wire, "anna")
            let key = device.key.publicKey
            let windows = device.pem.replacingOccurrences(of: "\n", with: "\r\n")
            let forms = [device.pem, windows, Base64URL.encoded(key.spki), Base64URL.encoded(key.external)]
            return (
                try forms.map { form in
                    let challenge = try house.challenge(wire, "anna", "register")
                    var members = try device.members(house.origin, "anna", challenge, purpose: "register")
                    members.merge(["key": form, "name": "laptop", "protection": "tpm"]) { $1 }
                    return try wire.ask("POST", "/v1/devices", members, token: token)
                }, try device.id.text
            )
        }
        #expect(replies.map(\.status) == [201, 201, 201, 201])
        #expect(replies.allSatisfy { $0.string("device") == id })
    }

    @Test("Thirty-two devices are registered, and the next is refused")
    func devices() async throws {
        let statuses = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let token = try house.newAccount(wire, "anna")
            return try (0..<33).map { _ in try house.register(wire, TestDevice(), "anna", token: token) }.map {
                ($0.status, $0.error)
            }
        }
        #expect(statuses.dropLast().allSatisfy { $0.0 == 201 })
        #expect(statuses.last?.0 == 409 && statuses.last?.1 == "too-many-devices")
    }
}
