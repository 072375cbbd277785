import CThumbLinux
import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("Crowds", .serialized)
struct CrowdTests {
    @Test("A request whose time was read before that of one that came first is counted like any other")
    func backwards() throws {
        let rate = Rate(perSecond: 1)
        let clients = try Self.clients(Limits.clients / 16 + 1)
        for _ in 0..<2 { #expect(rate.refused(clients[0], milliseconds: 5001) == nil) }
        // The thread that looked at the clock first is the second at the lock.
        #expect(rate.refused(clients[0], milliseconds: 5000) == 1)
        for client in clients.dropFirst().dropLast() { #expect(rate.refused(client, milliseconds: 5001) == nil) }
        // One too many for its place, where what is over is looked for now.
        #expect(rate.refused(clients[clients.count - 1], milliseconds: 5000) == nil)
    }

    /// So many clients. Requests are counted in sixteen places, and these clients are all in one.
    private static func clients(_ count: Int) throws -> [Client] {
        var (clients, number): ([Client], Int) = ([], 0)
        while clients.count < count {
            let text = "2001:db8:\(String(number >> 16, radix: 16)):\(String(number & 0xFFFF, radix: 16))::1"
            let client = try #require(Client(text: text[...]))
            if client.hashValue & 15 == 0 { clients.append(client) }
            number += 1
        }
        return clients
    }

    @Test("Of ten thousand connections 4,096 stay, and the server lives on")
    func connections() async throws {
        var files = rlimit()
        getrlimit(numericCast(thumb_RLIMIT_NOFILE), &files)
        files.rlim_cur = max(files.rlim_cur, min(files.rlim_max, 20_000))
        setrlimit(numericCast(thumb_RLIMIT_NOFILE), &files)
        try #require(files.rlim_cur >= 16_000, "the machine gives no process as many descriptors")
        let (open, alive, isServed) = try await onThread {
            let house = try HouseServer { $0.patience = 3600 }
            // Forty clients of 250 connections each; the first connection asks how many there are.
            var wires = [try house.wire()]
            for client in 0..<40 { for _ in 0..<250 { wires.append(try house.wire(from: UInt8(2 + client))) } }
            let open = try Self.settled(wires[0], wires.count)
            let alive = try wires[..<100].map { try $0.ask("GET", "/health", body: nil).status }
            wires.removeLast(wires.count - 1)
            var looks = 0
            while looks < 100_000, try Self.counts(wires[0]).open > 1 { looks += 1 }
            return (open, alive, try house.wire(from: 100).ask("GET", "/health", body: nil).status == 200)
        }
        #expect(open == 4096)
        #expect(alive == Array(repeating: 200, count: 100))
        #expect(isServed)
    }

    @Test("Of three hundred connections of one client 256 stay, and another client is served")
    func connectionsOfOne() async throws {
        let (open, isServed) = try await onThread {
            let house = try HouseServer { $0.patience = 3600 }
            let asking = try house.wire()
            let crowd = try (0..<300).map { _ in try house.wire(from: 99) }
            let open = try Self.settled(asking, 1 + crowd.count)
            return (open, try house.wire(from: 100).ask("GET", "/health", body: nil).status == 200)
        }
        #expect(open == 1 + 256)
        #expect(isServed)
    }

    /// How many connections are open and how many were refused, at one moment.
    private static func counts(_ wire: Wire) throws -> (open: Int, refused: Int) {
        let lines = try wire.ask("GET", "/metrics", body: nil).text.split(separator: "\n")
        func number(_ name: String) throws -> Int {
            try #require(lines.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Int($0) })
        }
        return try (number("thumbturn_connections"), number("thumbturn_connections_refused_total"))
    }

    /// How many connections are open, when so many have come in all and each has been let in or refused.
    private static func settled(_ wire: Wire, _ all: Int) throws -> Int {
        for _ in 0..<100_000 {
            let (open, refused) = try counts(wire)
            if open + refused == all { return open }
        }
        return -1
    }

    @Test("A client may make twice its rate at once, then it is told to wait; another client isn't")
    func rate() async throws {
        let (own, reply, other) = try await onThread {
            let house = try HouseServer { $0.clientRate = 5 }
            let wire = try house.wire(from: 2)
            var replies: [Wire.Reply] = []
            while replies.last?.status != 429, replies.count < 1000 {
                replies.append(try wire.ask("GET", "/openapi.yaml", body: nil))
            }
            return (replies.count, replies.last, try house.wire(from: 3).ask("GET", "/health", body: nil).status)
        }
        // On a busy machine some are made good while it asks.
        #expect((11...100).contains(own))
        #expect(reply?.error == "slow-down" && reply?.headers["retry-after"] == "1")
        #expect(other == 200)
    }

    @Test("A client whose headers can't be read is counted too, and a proxy isn't for what its clients sent")
    func unreadable() async throws {
        let doubled = ["Authorization: Bearer a", "Authorization: Bearer b"]
        let (own, behindProxy, after) = try await onThread {
            // Such a connection ends with its answer.
            func ask(_ house: HouseServer) throws -> Int {
                try house.wire(from: 2).ask("GET", "/openapi.yaml", body: nil, headers: doubled).status
            }
            let house = try HouseServer { $0.clientRate = 5 }
            var own: [Int] = []
            while own.last != 429, own.count < 1000 { own.append(try ask(house)) }
            let proxied = try HouseServer { ($0.clientRate, $0.isBehindProxy) = (1, true) }
            let behindProxy = try (0..<20).map { _ in try ask(proxied) }
            return (own, behindProxy, try proxied.wire(from: 2).ask("GET", "/health", body: nil).status)
        }
        #expect(own.first == 400 && (11...100).contains(own.count))
        #expect(Set(behindProxy) == [400] && after == 200)
    }

    @Test("Of one client's passwords its share waits, and another client's is looked at", arguments: [true, false])
    func passwords(isOneAccount: Bool) async throws {
        // Of one account's the first has its turn, and waits for it no more.
        let expected = Limits.waitingPasswords - Limits.waitingPasswordsOfClient - (isOneAccount ? 1 : 0)
        let (refused, status) = try await onThread {
            let house = try HouseServer { $0.isBehindProxy = true }
            let gate = DispatchSemaphore(value: 0)
            house.server.serving.stretchers.hold(until: gate)
            // Once more for a test that fails on its way, so that its server can end.
            defer { for _ in 0..<Limits.stretchers { gate.signal() } }
            func send(_ account: String, from client: String) throws -> Wire {
                let wire = try house.wire()
                let body = Array(#"{"account":"\#(account)","password":"wrong"}"#.utf8)
                wire.send(Wire.request("POST", "/v1/sessions", body, headers: ["X-Forwarded-For: \(client)"]))
                return wire
            }
            let asking = try house.wire()
            /// How many were refused: looks so often, or until there are so many.
            func refused(_ expected: Int, looks: Int) throws -> Int {
                var refused = 0
                for _ in 0..<looks where refused < expected {
                    refused = try house.metric(asking, "thumbturn_refusals_total{code=\"busy\"}")
                }
                return refused
            }
            let crowd = try (0..<Limits.waitingPasswords).map { number in
                try send(isOneAccount ? "anna" : "anna-\(number)", from: "192.0.2.1")
            }
            let count = try refused(expected, looks: 2000)
            let other = try send("otto", from: "192.0.2.2")
            _ = try refused(count + 1, looks: 200)
            for _ in 0..<Limits.stretchers { gate.signal() }
            return try withExtendedLifetime(crowd) { (count, try other.reply()?.status) }
        }
        #expect(refused == expected)
        // A name that nobody has, and a password that was stretched.
        #expect(status == 401)
        thumbturn_test_daemon.Tally.attack("one client keeps another from signing in by password", succeeded: status != 401)
    }

    @Test("What a client's rate is counted by", arguments: [true, false])
    func proxy(isBehindProxy: Bool) async throws {
        let statuses = try await onThread {
            let house = try HouseServer {
                $0.clientRate = 1
                $0.isBehindProxy = isBehindProxy
            }
            let wire = try house.wire()
            func ask(_ forwarded: String) throws -> Int {
                try wire.ask("GET", "/openapi.yaml", body: nil, headers: ["X-Forwarded-For: \(forwarded)"]).status
            }
            // The same client twenty times, however it lies about those before it; then others.
            let one = try (0..<20).map { try ask("10.0.0.\($0), 192.0.2.1") }
            // On a busy machine one is made good meanwhile: whoever counts as that client is refused among the next few.
            func other(_ forwarded: String) throws -> Int {
                let replies = try (0..<5).map { _ in try ask(forwarded) }
                return isBehindProxy ? replies[0] : replies.contains(429) ? 429 : 200
            }
            return [
                one.count { $0 == 429 } > 10 ? 429 : 200, try other("192.0.2.1, 192.0.2.2"), try other("192.0.2.1, 2001:db8::1"),
            ]
        }
        #expect(statuses == (isBehindProxy ? [429, 200, 200] : [429, 429, 429]))
    }

    @Test("Behind a proxy all clients' connections come from one address, and more are let in than one client may have")
    func manyBehindProxy() async throws {
        let statuses = try await onThread {
            let bank = try ServerProgram(["--behind-proxy", "--client-rate", "0"])
            var wires: [Wire] = []
            let answered = try (0..<Limits.connectionsOfClient + 16).map { _ in
                let wire = try bank.wire()
                wires.append(wire)
                return try wire.ask("GET", "/health", body: nil).status
            }
            // All stay open until the last one is answered.
            return withExtendedLifetime(wires) { answered }
        }
        #expect(statuses.allSatisfy { $0 == 200 })
    }

    @Test("A connection beyond those that a client may have is closed, and holds nothing of the server's")
    func beyond() async throws {
        let (status, isClosed) = try await onThread {
            let house = try HouseServer { $0.patience = 3600 }
            let wires = try (0..<Limits.connectionsOfClient).map { _ in try house.wire(from: 9) }
            // They are looked at in their order: when the last one is answered, all are let in.
            let status = try wires[wires.count - 1].ask("GET", "/health", body: nil).status
            let isClosed = try house.wire(from: 9).isClosed()
            return withExtendedLifetime(wires) { (status, isClosed) }
        }
        #expect(status == 200 && isClosed)
    }

    @Test("Of more clients than are counted some are forgotten, and the others aren't")
    func forgotten() throws {
        let rate = Rate(perSecond: 1)
        let most = Limits.clients / 16
        let clients = try Self.clients(most + 64)
        // Each makes the two requests that it may make at once.
        for client in clients { for _ in 0..<2 { _ = rate.refused(client, milliseconds: 5000) } }
        // One that was forgotten is let in again, and another one is forgotten for it.
        let remembered = clients.count { rate.refused($0, milliseconds: 5000) != nil }
        #expect(remembered <= most && remembered > most / 2)
    }

    @Test("However long a client has rested, it may make twice its rate at once, and no more")
    func rested() throws {
        let rate = Rate(perSecond: 2)
        let client = try #require(Client(text: "192.0.2.1"))
        #expect(rate.refused(client, milliseconds: 5000) == nil)
        let answers = (0..<5).map { _ in rate.refused(client, milliseconds: 3_600_000) }
        #expect(answers == [nil, nil, nil, nil, 1])
    }

    @Test("A bucket fills with time, and two addresses of one /64 are one client")
    func bucket() throws {
        let rate = Rate(perSecond: 2)
        let client = try #require(Client(text: "2001:db8::1"))
        let neighbour = try #require(Client(text: "2001:db8::2"))
        let stranger = try #require(Client(text: "2001:db8:0:1::1"))
        for _ in 0..<4 { #expect(rate.refused(client, milliseconds: 5000) == nil) }
        #expect(rate.refused(neighbour, milliseconds: 5000) == 1)
        #expect(rate.refused(stranger, milliseconds: 5000) == nil)
        #expect(rate.refused(client, milliseconds: 5499) == 1)
        #expect(rate.refused(client, milliseconds: 5999) == nil)
        #expect(Client(text: "::ffff:192.0.2.1") == Client(text: "192.0.2.1"))
        #expect(Client(text: "somewhere") == nil)
    }
}
