import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    /// What a server, or whoever stands in its place, may not answer.
    @Suite("Answers that aren't a sign-in server's")
    @MainActor final class BadAnswerTests: SignInStage {
        private func enabling(_ reply: StubServer.Reply, at route: String = "POST /v1/sessions") async throws {
            stub.answerInstead = { $0.route == route ? reply : nil }
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
        }

        private static let token = String(repeating: "A", count: 43)
        private static var session: [String: Any] {
            ["token": token, "account": "anna", "kind": "password", "expires": Int64(Date().timeIntervalSince1970) + 60]
        }

        private static func changed(_ name: String, _ value: Any?) -> StubServer.Reply {
            var members = session
            members[name] = value
            return StubServer.json(201, members)
        }

        nonisolated private static let wrong: [@Sendable @MainActor () -> StubServer.Reply] = [
            { StubServer.Reply(status: 201) }, { StubServer.Reply(status: 201, body: Data("[]".utf8)) },
            { StubServer.Reply(status: 201, body: Data("{".utf8)) }, { StubServer.json(200, session) },
            { StubServer.Reply(status: 500) }, { StubServer.json(401, ["error": "no-such-code"]) }, { StubServer.json(401, [:]) },
            { changed("token", nil) }, { changed("token", 7) }, { changed("token", "short") },
            { changed("token", token + "\r\n") },
            { changed("account", "otto") }, { changed("kind", "device") }, { changed("expires", "soon") },
            {
                var reply = StubServer.json(201, session)
                reply.type = "text/html"
                return reply
            },
            {
                var reply = StubServer.json(201, session)
                reply.body += Data(repeating: 0x20, count: 64 << 10)
                return reply
            },
        ]

        @Test("An answer that isn't as it must be is none", arguments: wrong.indices)
        func answers(index: Int) async throws {
            await #expect(throws: SignInError.badAnswer) { try await enabling(Self.wrong[index]()) }
            #expect(try signIn.state() == .signedOut)
        }

        @Test("A list with a device's name or number that no server keeps is none")
        func devices() async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            try await signIn.signIn()
            for (id, name, isRight) in [
                (Self.token, "laptop", true), (Self.token, "laptop\u{1b}[2J", false), (Self.token, "a\nb", false),
                (Self.token, String(repeating: "a", count: 65), false), ("../account", "laptop", false),
            ] {
                let listed: [String: Any] = ["device": id, "name": name, "registered": 1]
                stub.answerInstead = { $0.route == "GET /v1/devices" ? StubServer.json(200, ["devices": [listed]]) : nil }
                if isRight {
                    #expect(try await signIn.devices().map(\.name) == [name])
                } else {
                    await #expect(throws: SignInError.badAnswer) { try await signIn.devices() }
                }
            }
        }

        @Test("A session that isn't named as sessions are, or begun by no device, is none: its name would go to the terminal")
        func sessions() async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            try await signIn.signIn()
            // The moment 1, and sixteen ones.
            let name = "AAAAAAAAAAEBAQEBAQEBAQEBAQEBAQEB"
            let cases: [(String, String?, Bool)] = [
                (name, nil, true), (name, Self.token, true), (name + "\u{1b}[2J", nil, false), ("", nil, false),
                (name, "a\nb", false), (name, "", false),
            ]
            for (session, began, isRight) in cases {
                var listed: [String: Any] = ["session": session, "kind": "device", "began": 1, "expires": 2, "current": false]
                listed["device"] = began
                let answer = listed
                stub.answerInstead = { $0.route == "GET /v1/sessions" ? StubServer.json(200, ["sessions": [answer]]) : nil }
                if isRight {
                    #expect(try await signIn.sessions().map(\.id) == [name])
                } else {
                    await #expect(throws: SignInError.badAnswer, "\(listed)") { try await signIn.sessions() }
                }
            }
        }

        @Test("A redirection is not followed: the password goes nowhere else", arguments: [301, 302, 303, 307, 308])
        func redirections(status: Int) async throws {
            let other = try StubServer()
            defer { other.stop() }
            var reply = StubServer.Reply(status: status)
            reply.extra["Location"] = other.origin + "/v1/sessions"
            await #expect(throws: SignInError.badAnswer) { try await enabling(reply) }
            #expect(other.requests.isEmpty && stub.requests.count == 1)
        }

        @Test("A challenge or a device that isn't one, or another's, registers nothing here")
        func registering() async throws {
            for challenge in ["", "short", Self.token + "A", String(repeating: "A", count: 42) + "B"] {
                let reply = StubServer.json(201, ["challenge": challenge])
                await #expect(throws: SignInError.badAnswer) { try await enabling(reply, at: "POST /v1/challenges") }
            }
            #expect(device.prompts.isEmpty)
            let other = StubServer.json(201, ["device": Self.token])
            await #expect(throws: SignInError.badAnswer) { try await enabling(other, at: "POST /v1/devices") }
            #expect(try signIn.state() == .signedOut)
        }

        @Test("A session of another account, of another kind or without a token isn't taken for the one that was signed for")
        func signingIn() async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            func answering(_ members: [String: Any]) {
                let reply = StubServer.json(201, members)
                stub.answerInstead = { $0.route == "POST /v1/sign-ins" ? reply : nil }
            }
            var right = Self.session
            right["kind"] = "device"
            for (name, value) in [("account", "otto"), ("kind", "password"), ("token", "short")] {
                var members = right
                members[name] = value
                answering(members)
                await #expect(throws: SignInError.badAnswer, "\(name)") { try await signIn.signIn() }
                #expect(try signIn.state() == .enabled && signIn.session() == nil, "\(name)")
            }
            // So the other members are those of a session.
            answering(right)
            #expect(try await signIn.signIn().token == Self.token)
        }

        @Test("A session that goes on as another's, of another kind or without a token isn't taken, and the one before stays")
        func goingOn() async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            let session = try await signIn.signIn()
            var right = Self.session
            right["kind"] = "device"
            func answering(_ route: String, _ members: [String: Any]) {
                let reply = StubServer.json(route == "PUT /v1/password" ? 200 : 201, members)
                stub.answerInstead = { $0.route == route ? reply : nil }
            }
            for (name, value) in [("account", "otto"), ("kind", "password"), ("token", "short")] {
                var members = right
                members[name] = value
                answering("POST /v1/session/renewal", members)
                await #expect(throws: SignInError.badAnswer, "\(name)") { try await signIn.renew() }
                answering("PUT /v1/password", members)
                await #expect(throws: SignInError.badAnswer, "\(name)") { try await signIn.changePassword(to: "crocuses") }
                #expect(try signIn.session() == session, "\(name)")
            }
            // So the other members are those of a session.
            answering("POST /v1/session/renewal", right)
            #expect(try await signIn.renew().token == Self.token)
        }

        @Test("An answer that doesn't say how long it is, is read as far as a good one may be long, and no further")
        func unknownLength() async throws {
            var reply = StubServer.json(201, Self.session)
            reply.isLengthTold = false
            // It is a session, and what comes next is refused to its token.
            await #expect(throws: SignInError.refused("not-fresh")) { try await enabling(reply) }
            reply.body += Data(repeating: 0x20, count: 64 << 10)
            await #expect(throws: SignInError.badAnswer) { try await enabling(reply) }
        }

        @Test(
            "A refusal means what it says",
            arguments: [
                (401, "credentials", .wrongPassword), (401, "session", .noSession), (403, "account-locked", .accountLocked),
                (408, "slow", .unreachable), (409, "too-many-devices", .tooManyDevices), (409, "no-device", .noDevice),
                (409, "last-device", .lastWayIn), (410, "challenge-expired", .tooLate),
                (422, "password-short", .passwordTooShort), (422, "password-common", .passwordTooCommon),
                (429, "slow-down", .slowDown(seconds: 1)),
                (503, "busy", .unreachable), (403, "origin", .refused("origin")), (403, "closed", .refused("closed")),
            ] as [(Int, String, SignInError)])
        func refusals(status: Int, code: String, error: SignInError) async throws {
            await #expect(throws: error) { try await enabling(StubServer.Reply.refused(status, code)) }
        }

        @Test(
            "How long a server wants to be left alone is a second at least and a day at most, whatever it says",
            arguments: [("7", 7), ("0", 1), ("-5", 1), ("86401", 86_400), ("99999999999", 86_400), ("soon", 1)])
        func patience(said: String, seconds: Int) async throws {
            var reply = StubServer.Reply.refused(429, "slow-down")
            reply.extra["Retry-After"] = said
            await #expect(throws: SignInError.slowDown(seconds: seconds)) { try await enabling(reply) }
        }

        @Test("Nobody there, or a proxy that says so: unreachable, and everything stays as it was", arguments: [502, 503, 504])
        func unreachable(status: Int) async throws {
            await #expect(throws: SignInError.unreachable) {
                try await enabling(StubServer.Reply(status: status, type: "text/html"))
            }
            stub.answerInstead = { _ in nil }
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            stub.stop()
            await #expect(throws: SignInError.unreachable) { try await signIn.signIn() }
            #expect(try signIn.state() == .enabled)
        }

        @Test("A task that is cancelled ends, whenever that is", arguments: 0..<20)
        func cancelledAnywhere(turns: Int) async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            let task = Task { try await signIn.signIn() }
            for _ in 0..<turns { await Task.yield() }
            task.cancel()
            do {
                // Done before it heard of it, at the latest turns.
                #expect(try await task.value == signIn.session())
            } catch let error as SignInError {
                #expect(error == .cancelled)
            }
            try await signIn.signIn()
        }

        @Test("A cancelled task takes the prompt away, and nothing is signed")
        func cancelled() async throws {
            device.answer(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            device.answer(.nothing)
            let task = Task { try await signIn.signIn() }
            try await until("the prompt stands") { device.isAsking }
            task.cancel()
            await #expect(throws: SignInError.cancelled) { try await task.value }
            #expect(!device.isAsking && stub.signIns.isEmpty)
        }
    }
}
