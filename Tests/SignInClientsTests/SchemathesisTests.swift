import Foundation
import Testing
import thumbturn_test_programs

/// schemathesis asks the real server whatever its description allows and forbids, and judges each answer by that description.
@Suite("The server's description")
struct SchemathesisTests {
    /// - Parameter description: A file in place of what the server serves.
    private func judge(_ server: Server, _ arguments: [String], description: URL? = nil) async throws -> Outcome {
        let folder = checkout.appending(path: "Tests/SignInClientsTests")
        let seed = Seed.chosen(for: "schemathesis", usually: 1)
        let place = description.map { ["run", $0.path, "--url", server.origin] } ?? ["run", server.origin + "/openapi.yaml"]
        return try await run(
            try pythonProgram("schemathesis"),
            ["--no-color", "--config-file", folder.appending(path: "schemathesis.toml").path] + place
                + ["--checks", "all", "--seed", "\(seed)", "--generation-database", "none"] + arguments,
            environment: [
                "SCHEMATHESIS_HOOKS": folder.appending(path: "schemathesis_hooks.py").path, "PYTHONDONTWRITEBYTECODE": "1",
                "THUMBTURN_ORIGIN": server.origin, "THUMBTURN_ACCOUNT": Server.account, "THUMBTURN_PASSWORD": Server.password,
            ], in: server.folder)
    }

    @Test("No request finds an answer that the description doesn't have")
    func all() async throws {
        let server = try await Server(["--sign-up", "--client-rate", "0"])
        defer { server.end() }
        let outcome = try await judge(server, ["--max-examples", "20"])
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.contains("Operations:       18 selected / 18 total"))
        #expect(outcome.output.contains("Tested: 18"))
        // That each route was really reached: the server has done what each is for, and refused for what it can be refused for.
        let done = [
            ("POST", "/v1/accounts", 201), ("POST", "/v1/sessions", 201), ("POST", "/v1/challenges", 201),
            ("POST", "/v1/sign-ins", 201),
            ("GET", "/v1/session", 200), ("POST", "/v1/session/renewal", 201), ("DELETE", "/v1/session", 204),
            ("GET", "/v1/devices", 200),
            ("POST", "/v1/devices", 201), ("PATCH", "/v1/devices/DEVICE", 200), ("POST", "/v1/devices/DEVICE/revocation", 204),
            ("GET", "/v1/sessions", 200), ("POST", "/v1/sessions/removal", 200), ("POST", "/v1/sessions/removal", 204),
            ("PUT", "/v1/password", 200), ("POST", "/v1/password/removal", 200), ("POST", "/v1/account/removal", 204),
            ("GET", "/health", 200), ("GET", "/metrics", 200),
        ]
        for (method, route, status) in done { #expect(try await server.answers(method, route, status) > 0, "\(method) \(route)") }
        let refused: Set = [
            "malformed", "members", "value", "statement-malformed", "key-malformed", "credentials",
            "session",
            "challenge-unknown", "device-unknown", "signature", "origin", "purpose", "challenge-used", "statement-device",
            "statement-account", "not-found", "method", "media-type",
        ]
        let unseen = refused.subtracting(try await server.refusals()).sorted()
        #expect(unseen.isEmpty, "\(unseen)")
        #expect(try await server.get("/health").contains("ok"))
    }

    @Test(
        "A description that promises something else is found out",
        arguments: [
            // A longer account than is taken; a member that isn't there; a status that isn't there.
            ("maxLength: 128\n", "maxLength: 129\n"), ("required: [challenge, expires]", "required: [challenge, expires, words]"),
            ("        '201':\n          description: 32 bytes", "        '202':\n          description: 32 bytes"),
        ])
    func lies(true said: String, false lie: String) async throws {
        let server = try await Server(["--client-rate", "0"])
        defer { server.end() }
        let page = try await server.get("/openapi.yaml")
        try #require(page.contains(said))
        let file = server.folder.appending(path: "openapi.yaml")
        try Data(page.replacingOccurrences(of: said, with: lie).utf8).write(to: file)
        let outcome = try await judge(
            server, ["--include-operation-id", "giveChallenge", "--max-examples", "5"], description: file)
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("POST /v1/challenges"))
    }
}
