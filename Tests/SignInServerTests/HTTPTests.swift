import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("HTTP")
struct HTTPTests {
    private let right = Array(#"{"account":"anna","purpose":"sign-in"}"#.utf8)

    @Test("A connection is kept for a hundred requests, refused ones among them")
    func kept() async throws {
        let statuses = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            return try (0..<100).map { turn in
                turn % 2 == 0
                    ? try wire.ask("POST", "/v1/challenges", body: right).status
                    : try wire.ask("POST", "/v1/challenges", body: Array("{".utf8)).status
            }
        }
        #expect(statuses.filter { $0 == 201 }.count == 50)
        #expect(statuses.filter { $0 == 400 }.count == 50)
    }

    @Test("Requests that come at once are answered in their order")
    func pipelining() async throws {
        let statuses = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let requests = [
                Wire.request("GET", "/health"), Wire.request("POST", "/v1/challenges", right), Wire.request("GET", "/nowhere"),
                Wire.request("POST", "/v1/challenges", Array("x".utf8)), Wire.request("GET", "/health"),
            ]
            wire.send(requests.flatMap { $0 })
            return try requests.map { _ in try wire.reply()?.status }
        }
        #expect(statuses == [200, 201, 404, 400, 200])
    }

    @Test("HTTP/1.0 is answered, and the connection closed")
    func old() async throws {
        let (reply, isClosed) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            wire.send("GET /health HTTP/1.0\r\n\r\n")
            return (try wire.reply(), try wire.isClosed())
        }
        #expect(reply?.status == 200)
        #expect(reply?.text == #"{"status":"ok"}"#)
        #expect(isClosed)
    }

    @Test("A body that is announced is asked for, and one that is too large isn't waited for when it is announced as huge")
    func expecting() async throws {
        let (first, second, isClosed) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let head = "POST /v1/challenges HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
            wire.send(head + "Content-Length: \(right.count)\r\n\r\n")
            // The helper passes over the 100 that says to go on.
            wire.send(right)
            let first = try wire.reply()
            wire.send(head + "Content-Length: 1000000000\r\n\r\n")
            return (first, try wire.reply(), try wire.isClosed())
        }
        #expect(first?.status == 201)
        #expect(second?.status == 413 && second?.error == "too-large")
        #expect(isClosed)
    }

    @Test("A body may be of 16 KiB, and of no byte more")
    func bodyLimit() async throws {
        let statuses = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            return try [16 * 1024, 16 * 1024 + 1].map { count in
                let body = right + [UInt8](repeating: 32, count: count - right.count)
                return try wire.ask("POST", "/v1/challenges", body: body).status
            }
        }
        #expect(statuses == [201, 413])
    }

    @Test("Of a body whose length nobody says two megabytes are read, for the answer's sake, and then the connection is cut")
    func endless() async throws {
        let errors = try await onThread {
            let house = try HouseServer()
            let head = "POST /v1/challenges HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
            let piece = Array("10000\r\n".utf8) + [UInt8](repeating: 97, count: 0x10000) + Array("\r\n".utf8)
            let most = Limits.swallowed / 0x10000
            return try [most, most + 1].map { count in
                let wire = try house.wire()
                wire.send(head + "Transfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<count { wire.send(piece) }
                wire.send("0\r\n\r\n")
                return try wire.reply()?.error
            }
        }
        #expect(errors == ["length", nil])
    }

    @Test("Target and headers may be as long as they may be, and no longer")
    func headLimits() async throws {
        let statuses = try await onThread {
            let house = try HouseServer()
            let targets = try [1024, 1025].map { count in
                try house.wire().ask("GET", "/health?" + String(repeating: "a", count: count - 8), body: nil).status
            }
            // Of a request's head, everything but the target counts.
            let around = Wire.request("GET", "/health", headers: ["X: "]).count - "/health".count
            let headers = try [8192, 8193].map { count in
                try house.wire().ask(
                    "GET", "/health", body: nil, headers: ["X: " + String(repeating: "a", count: count - around)]
                ).status
            }
            return targets + headers
        }
        #expect(statuses == [200, 414, 200, 431])
    }

    @Test(
        "A refusal of the method says which there are", arguments: [("/v1/session", "GET, DELETE"), ("/v1/devices", "GET, POST")])
    func allow(path: String, methods: String) async throws {
        let replies = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            return try ["PUT", "TRACE", "OPTIONS", "PATCH"].map { try wire.ask($0, path, body: nil) }
        }
        #expect(replies.allSatisfy { $0.status == 405 && $0.headers["allow"] == methods })
    }

    @Test("A missing token is told how tokens travel")
    func challenge() async throws {
        let reply = try await onThread { try HouseServer().wire().ask("GET", "/v1/session", body: nil) }
        #expect(reply.status == 401 && reply.headers["www-authenticate"] == "Bearer")
    }

    @Test("Who sends a request too slowly is told so after ten seconds, and who waits for nothing is let go without a word")
    func slow() async throws {
        // The clock of connections can't be set: it guards against those who would.
        let (replies, silent, alive) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let starts = [
                "GET /health HTTP/1.1\r\nHost: h\r\nX: a",
                "POST /v1/challenges HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 38\r\n\r\n{",
            ]
            let slow = try starts.map { start in
                let wire = try house.wire()
                wire.send(start)
                return wire
            }
            let (line, idle) = (try house.wire(), try house.wire())
            line.send("GET /hea")
            _ = try idle.ask("GET", "/health", body: nil)
            let replies = try slow.map { try $0.reply() }
            let silent = [try line.isClosed(), try idle.isClosed()]
            _ = wire
            return (replies, silent, try house.wire().ask("GET", "/health", body: nil).status)
        }
        #expect(replies.map { $0?.status } == [408, 408])
        #expect(replies.allSatisfy { $0?.error == "slow" })
        #expect(silent == [true, true])
        #expect(alive == 200)
    }

    @Test("Who asks and asks and fetches no answer is let go after ten seconds, too")
    func unfetched() async throws {
        let (before, after) = try await onThread {
            let house = try HouseServer()
            let (silent, asking) = (try house.wire(), try house.wire())
            // The answers are far more than the system keeps for the two ends of a connection.
            silent.send([[UInt8]](repeating: Wire.request("GET", "/openapi.yaml"), count: 2_000).joined())
            func connections() throws -> Int { try house.metric(asking, "thumbturn_connections") }
            let before = try connections()
            var after = before
            // The clock of connections can't be set here either.
            let end = ContinuousClock.now + .seconds(60)
            while after > 1, ContinuousClock.now < end {
                usleep(100_000)
                after = try connections()
            }
            return withExtendedLifetime(silent) { (before, after) }
        }
        #expect(before == 2 && after == 1)
    }

    /// Heads that somebody on the way could read as another request than the server does, with their refusals.
    private static let twofold: [(String, Int)] = {
        let body = #"{"account":"anna","purpose":"sign-in"}"#
        let post = "POST /v1/challenges HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        return [
            (post + "Content-Length: 38\r\nContent-Length: 3\r\n\r\n" + body, 400), (post + "\r\n", 411),
            (post + "Transfer-Encoding: chunked\r\n\r\n26\r\n\(body)\r\n0\r\n\r\n", 411),
            ("GET /v1/session HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n", 400),
        ]
    }()

    @Test("After a request that can be read in two ways the connection is closed, whatever follows", arguments: twofold)
    func twofoldHeads(head: String, status: Int) async throws {
        let (reply, isClosed) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            wire.send(Array(head.utf8) + Wire.request("GET", "/health"))
            return (try wire.reply(), try wire.isClosed())
        }
        #expect(reply?.status == status && reply?.headers["connection"] == "close")
        #expect(isClosed)
    }

    @Test("A request that comes byte by byte, in time, is answered")
    func byBytes() async throws {
        let status = try await onThread {
            let wire = try HouseServer().wire()
            for byte in Wire.request("POST", "/v1/challenges", right) { wire.send([byte]) }
            return try wire.reply()?.status
        }
        #expect(status == 201)
    }

    @Test("A client that goes away in the midst of waiting harms nobody")
    func leaving() async throws {
        let status = try await onThread {
            let house = try HouseServer { ($0.passwordPasses, $0.passwordMemory) = (3, 64 * 1024) }
            for _ in 0..<8 {
                try house.wire().send(Wire.request("POST", "/v1/sessions", Array(#"{"account":"anna","password":"a"}"#.utf8)))
            }
            let wire = try house.wire()
            return try wire.ask("POST", "/v1/sessions", ["account": "anna", "password": "a"]).status
        }
        // Those before it were looked at in their turn, or are gone: either way it gets its own.
        #expect(status == 401 || status == 429)
    }
}
