import Foundation
import Testing
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_programs

@testable import ThumbSignInServer

extension Stretchers {
    /// Holds all threads until the gate lets each go. Whatever comes meanwhile has to wait.
    func hold(until gate: DispatchSemaphore) {
        let begun = DispatchSemaphore(value: 0)
        for _ in 0..<Limits.stretchers {
            _ = run(of: Client(.unknown)) {
                begun.signal()
                gate.wait()
            }
        }
        for _ in 0..<Limits.stretchers { begun.wait() }
    }
}

@Suite("What time changes")
struct TimeTests {
    @Test("A challenge is good for 60 seconds, then it is expired, and ten minutes later nobody knows it")
    func challenge() async throws {
        let replies = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let device = try TestDevice()
            _ = try house.register(wire, device, "anna", token: try house.newAccount(wire, "anna"))
            return try [59, 60, 660, 661].map { seconds in
                let members = try device.members(house.origin, "anna", try house.challenge(wire, "anna"))
                house.wait(Int64(seconds))
                // A batch forgets at its end; the next question is in the next one.
                house.server.tick()
                _ = try wire.ask("GET", "/health", body: nil)
                return try wire.ask("POST", "/v1/sign-ins", members)
            }
        }
        #expect(replies.map(\.status) == [201, 410, 410, 401])
        #expect(replies[2].error == "challenge-expired")
        #expect(replies[3].error == "challenge-unknown")
    }

    @Test("A password session registers for five minutes, and renewing it doesn't make it fresh again")
    func freshness() async throws {
        let replies = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let token = try house.newAccount(wire, "anna")
            house.wait(299)
            let first = try house.register(wire, TestDevice(), "anna", token: token)
            house.wait(1)
            let second = try house.register(wire, TestDevice(), "anna", token: token)
            let renewed = try wire.ask("POST", "/v1/session/renewal", token: token).string("token")
            return [first, second, try house.register(wire, TestDevice(), "anna", token: renewed)]
        }
        #expect(replies.map(\.status) == [201, 403, 403])
        #expect(replies.dropFirst().allSatisfy { $0.error == "not-fresh" })
    }

    @Test("A session lasts a day, and renewed again and again thirty")
    func sessions() async throws {
        let day: Int64 = 86_400
        let (ended, lengths, last) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            let token = try house.newAccount(wire, "anna")
            house.wait(day - 1)
            let alive = try wire.ask("GET", "/v1/session", token: token).status
            house.wait(1)
            let dead = try wire.ask("GET", "/v1/session", token: token).status
            var reply = try wire.ask("POST", "/v1/sessions", ["account": "anna", "password": "correct horse"])
            var lengths: [Int64] = []
            for _ in 0..<35 where reply.status == 201 {
                lengths.append(reply.number("expires") - house.now)
                house.wait(day - 1)
                reply = try wire.ask("POST", "/v1/session/renewal", token: reply.string("token"))
            }
            return ([alive, dead], lengths, reply.status)
        }
        #expect(ended == [200, 401])
        #expect(lengths.count == 31)
        #expect(lengths.dropLast().allSatisfy { $0 == day })
        #expect(lengths.last.map { $0 < day } == true)
        #expect(last == 401)
    }

    @Test(
        "Wrong passwords cost ever more time, a right one before it is over isn't looked at, and one after it clears them",
        arguments: [true, false])
    func lockout(isThere: Bool) async throws {
        let (waits, early, end, after) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            if isThere { _ = try house.newAccount(wire, "anna") }
            func attempt(_ password: String) throws -> Wire.Reply {
                try wire.ask("POST", "/v1/sessions", ["account": "anna", "password": password])
            }
            var waits: [Int] = []
            for _ in 0..<14 {
                _ = try attempt("wrong")
                let next = try attempt("wrong")
                // Where the next isn't told to wait it was a miss as well.
                let seconds = next.status == 429 ? Int(next.headers["retry-after"] ?? "") ?? -1 : 0
                waits.append(seconds)
                house.wait(Int64(max(0, seconds)))
            }
            _ = try attempt("wrong")
            let early = try attempt("correct horse")
            house.wait(900)
            let end = try attempt("correct horse")
            return (waits, early, end, try attempt("wrong").status)
        }
        // The first two rounds are two misses each, of which the fourth costs something.
        #expect(waits == [0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
        #expect(early.status == 429 && early.error == "slow-down" && early.headers["retry-after"] == "900")
        #expect(end.status == (isThere ? 201 : 401))
        #expect(after == (isThere ? 401 : 429))
    }

    @Test("An account that isn't there costs what one costs that is: one question, one stretched password, one write, one answer")
    func uniform() async throws {
        let (replies, work) = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            _ = try house.newAccount(wire, "anna")
            var replies: [Wire.Reply] = []
            var work: [[Int]] = []
            for account in ["anna", "nobody"] {
                func counts() throws -> [Int] {
                    try ["thumbturn_passwords_stretched_total", "thumbturn_batch_deeds_sum"].map { try house.metric(wire, $0) }
                }
                let before = try counts()
                replies.append(try wire.ask("POST", "/v1/sessions", ["account": account, "password": "wrong"]))
                work.append(zip(try counts(), before).map { $0 - $1 })
            }
            return (replies, work)
        }
        #expect(replies[0].status == 401)
        #expect(replies[0].body == replies[1].body)
        // Each answer has an id and a moment of its own.
        let own = ["date", "x-request-id"]
        #expect(replies[0].headers.filter { !own.contains($0.key) } == replies[1].headers.filter { !own.contains($0.key) })
        #expect(work[0][0] == 1)
        #expect(work[1][0] == 1)
        // The second that forgets what is over may fall between.
        #expect(abs(work[0][1] - work[1][1]) <= 1 && work[1][1] >= 2)
    }

    @Test("Challenges are given for accounts that aren't there, too")
    func challenges() async throws {
        let replies = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            _ = try house.newAccount(wire, "anna")
            return try ["anna", "nobody"].map { try wire.ask("POST", "/v1/challenges", ["account": $0, "purpose": "sign-in"]) }
        }
        #expect(replies.map(\.status) == [201, 201])
        #expect(replies[0].number("expires") == replies[1].number("expires"))
        #expect(replies.allSatisfy { Challenge(text: $0.string("challenge")) != nil })
    }

    @Test("Every byte of a challenge and of a token is drawn")
    func drawn() async throws {
        let texts = try await onThread {
            let house = try HouseServer()
            let wire = try house.wire()
            _ = try house.newAccount(wire, "anna")
            let members = ["account": "anna", "password": "correct horse"]
            let challenges = try (0..<32).map { _ in try house.challenge(wire, "anna") }
            let tokens = try (0..<32).map { _ in try wire.ask("POST", "/v1/sessions", members).string("token") }
            return [challenges, tokens]
        }
        for kind in texts {
            let drawn = try kind.map { try #require(Base64URL.decoded($0)) }
            try #require(drawn.allSatisfy { $0.count == 32 })
            // Drawn 32 times, nearly all of a byte's values differ; one that isn't drawn is the same in all.
            for place in 0..<32 { #expect(Set(drawn.map { $0[place] }).count > 8, "byte \(place)") }
        }
    }

    @Test("Attempts at one account side by side are looked at one after another")
    func turns() async throws {
        let house = try await onThread {
            let house = try HouseServer()
            _ = try house.newAccount(try house.wire(), "anna")
            return house
        }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    try await onThread {
                        try house.wire().ask("POST", "/v1/sessions", ["account": "anna", "password": "wrong"]).status
                    }
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        // Three are free, the fourth is a miss as well; all others come too early.
        #expect(statuses.count { $0 == 401 } == 4)
        #expect(statuses.count { $0 == 429 } == 8)
    }

    /// Enough clients to take all that may wait with their shares, and one more.
    private static let clients = (0...Limits.waitingPasswords / Limits.waitingPasswordsOfClient).map {
        Client(text: "192.0.2.\($0)")!  // Addresses by their looks.
    }

    @Test("As many as may wait for their turn do, of all accounts together, and who has had it leaves the place to another")
    func places() {
        let (turns, begun) = (Turns(), Locked(0))
        let (anna, otto) = (AccountName("anna")!, AccountName("otto")!)  // Names by their looks.
        let begin: @Sendable () -> Void = { begun.withLock { $0 += 1 } }
        // One after another, more than may wait at once.
        let rounds = 2 * Limits.waitingPasswords
        for _ in 0..<rounds {
            #expect(turns.enter(anna, of: Self.clients[0], begin) == .now)
            #expect(turns.enter(anna, of: Self.clients[0], begin) == .later)
            for _ in 0..<2 { turns.leave(anna) }
        }
        let count = begun.withLock { $0 }
        #expect(count == rounds)
        let late = Self.clients[Self.clients.count - 1]
        #expect(turns.enter(anna, of: late, begin) == .now && turns.enter(otto, of: late, begin) == .now)
        for client in Self.clients.dropLast() {
            for _ in 0..<Limits.waitingPasswordsOfClient { #expect(turns.enter(anna, of: client, begin) == .later) }
        }
        #expect(turns.enter(anna, of: late, begin) == .never && turns.enter(otto, of: late, begin) == .never)
        turns.leave(anna)
        #expect(turns.enter(otto, of: late, begin) == .later && turns.enter(anna, of: late, begin) == .never)
    }

    @Test("A client has its share of those that wait for a turn, at whatever accounts; another client has room, and is next")
    func turnsOfClients() {
        let (turns, begun) = (Turns(), Locked<[String]>([]))
        let names = ["anna", "otto"].map { AccountName($0)! }  // Names by their looks.
        func enter(_ account: AccountName, _ client: Int, _ name: String) -> Turns.Entry {
            turns.enter(account, of: Self.clients[client]) { begun.withLock { $0.append(name) } }
        }
        for name in names { #expect(enter(name, 0, "") == .now) }
        let entries = (0..<Limits.waitingPasswords).map { enter(names[$0 % 2], 0, "crowd \($0)") }
        #expect(entries.count { $0 == .later } == Limits.waitingPasswordsOfClient)
        #expect(entries.prefix(Limits.waitingPasswordsOfClient).allSatisfy { $0 == .later })
        let isTaken = enter(names[0], 1, "other") == .later
        for _ in 0..<2 { turns.leave(names[0]) }
        // The first of the crowd was there before.
        let first = begun.withLock { $0 }
        #expect(first == ["crowd 0", "other"])
        let isKept = !isTaken || first.last != "other"
        thumbturn_test_daemon.Tally.attack("one client keeps the turns at an account from another", succeeded: isKept)
        // Who has begun waits no more.
        #expect(enter(names[1], 0, "") == .later && enter(names[1], 0, "") == .never)
    }

    @Test("As many passwords as may wait to be stretched do, and those that wait are stretched before the end")
    func stretching() async {
        let (taken, isMoreTaken, count) = await onThread {
            let (stretchers, done, gate) = (Stretchers(), Locked(0), DispatchSemaphore(value: 0))
            stretchers.hold(until: gate)
            let job: @Sendable () -> Void = { done.withLock { $0 += 1 } }
            let taken = Self.clients.dropLast().map { client in
                (0..<Limits.waitingPasswordsOfClient).count { _ in stretchers.run(of: client, job) }
            }
            let isMoreTaken = stretchers.run(of: Self.clients[Self.clients.count - 1], job)
            for _ in 0..<Limits.stretchers { gate.signal() }
            stretchers.end()
            return (taken.reduce(0, +), isMoreTaken, done.withLock { $0 })
        }
        #expect(taken == Limits.waitingPasswords && !isMoreTaken)
        #expect(count == Limits.waitingPasswords)
    }

    @Test("A client has its share of the passwords that wait to be stretched; another client has room, and is next")
    func stretchingOfClients() async {
        let (taken, isTaken, order, isLaterTaken) = await onThread {
            let (stretchers, order, gate) = (Stretchers(), Locked<[Int]>([]), DispatchSemaphore(value: 0))
            stretchers.hold(until: gate)
            let taken = (0..<Limits.waitingPasswords).count { number in
                stretchers.run(of: Self.clients[0]) { order.withLock { $0.append(number) } }
            }
            // The other thread stays held, so they are stretched one after another.
            let isTaken = stretchers.run(of: Self.clients[1]) { order.withLock { $0.append(-1) } }
            let isOver = DispatchSemaphore(value: 0)
            let isLastTaken = stretchers.run(of: Self.clients[2]) { isOver.signal() }
            gate.signal()
            if isLastTaken { isOver.wait() }
            let isLaterTaken = stretchers.run(of: Self.clients[0]) {}
            let first = order.withLock { $0 }
            gate.signal()
            stretchers.end()
            return (taken, isTaken, first, isLaterTaken)
        }
        #expect(taken == Limits.waitingPasswordsOfClient)
        #expect(order.prefix(2) == [0, -1])
        #expect(isLaterTaken)
        let isKept = !isTaken || order.firstIndex(of: -1) != 1
        thumbturn_test_daemon.Tally.attack("one client keeps the stretching of passwords from another", succeeded: isKept)
    }

    @Test("Of the names that nobody has, so many are remembered as the limit says, and those longest that are guessed at most")
    func strangers() {
        let strangers = Strangers()
        let until = Moment(seconds: 1_800_000_900)
        // Names by their looks.
        let guessed = AccountName("anna")!
        let others = (0..<Limits.strangers + 10).map { AccountName("nobody-\($0)")! }
        strangers.note(guessed, misses: 9, until: until)
        for other in others { strangers.note(other, misses: 1, until: until) }
        let (misses, end) = strangers.misses(of: guessed)
        #expect(misses == 9 && end == until)
        func remembered() -> Int { others.count { strangers.misses(of: $0).0 > 0 } }
        #expect(remembered() == Limits.strangers - 1)
        // One that is remembered already takes nobody's place.
        strangers.note(others[others.count - 1], misses: 2, until: until)
        #expect(remembered() == Limits.strangers - 1)
    }
}
