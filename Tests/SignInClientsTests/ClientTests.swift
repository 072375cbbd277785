import Foundation
import Testing

/// The clients of docs/developers/sign-in.md, the very files that it shows, against the real server. They share no code with it.
@Suite("Independent clients")
struct ClientTests {
    enum Client: String, CaseIterable, CustomTestStringConvertible {
        case python = "client.py"
        case shell = "client.sh"

        var testDescription: String { self == .python ? "Python and cryptography" : "curl and openssl" }

        func signIn(to server: Server, account: String = Server.account, password: String = Server.password) async throws
            -> Outcome
        {
            let file = checkout.appending(path: "Examples/sign-in/\(rawValue)").path
            let program = self == .python ? try pythonProgram("python") : "/bin/sh"
            return try await run(program, [file, server.origin, account], input: password + "\n", in: server.folder)
        }
    }

    @Test("A client registers a key with the password and signs in with it", arguments: Client.allCases)
    func signsIn(_ client: Client) async throws {
        let server = try await Server()
        defer { server.end() }
        let outcome = try await client.signIn(to: server)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let session = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.output)")
        #expect(session["account"] as? String == Server.account)
        #expect(session["kind"] as? String == "device")
        #expect((session["device"] as? String)?.utf8.count == 43)
        #expect(try await server.answers("POST", "/v1/sign-ins", 201) == 1)
        #expect(try await server.answers("POST", "/v1/devices", 201) == 1)
    }

    @Test("A client with a wrong password registers nothing and says that it failed", arguments: Client.allCases)
    func wrongPassword(_ client: Client) async throws {
        let server = try await Server()
        defer { server.end() }
        let outcome = try await client.signIn(to: server, password: Server.password + "x")
        #expect(outcome.status != 0)
        #expect(outcome.output.isEmpty)
        #expect(try await server.answers("POST", "/v1/sessions", 401) == 1)
        #expect(try await server.answers("POST", "/v1/devices", 201) == 0)
        #expect(try await server.answers("POST", "/v1/sign-ins", 201) == 0)
    }

    @Test("The page shows both files, and none of them is long", arguments: Client.allCases)
    func shown(_ client: Client) throws {
        let page = try String(contentsOf: checkout.appending(path: "docs/developers/sign-in.md"), encoding: .utf8)
        #expect(page.contains("](../../Examples/sign-in/\(client.rawValue))"))
        let file = try String(contentsOf: checkout.appending(path: "Examples/sign-in/\(client.rawValue)"), encoding: .utf8)
        #expect(file.split(separator: "\n").count < 50)
    }
}
