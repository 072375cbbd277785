import Foundation
import Testing
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_postgres
import thumbturn_test_programs

@testable import ThumbLedgers

/// What only PostgreSQL can do: lose the connection, refuse it, and have settings of its own.
@Suite struct PostgresTests {
    private let cluster: Cluster
    private let database: Database

    init() throws {
        cluster = try Cluster.shared.get()
        database = try Database(.postgres)
    }

    private func ask(_ sql: String) throws -> String {
        try cluster.query("SET search_path = \(PostgresOpening.schema); \(sql)", in: database.place)
    }

    /// Ends all connections to this database but the one that asks.
    private func cut() throws {
        _ = try ask(
            """
            SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity \
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
    }

    @Test("a connection that was ended fails one batch, of which nothing was done, and the next has a new one")
    func cutBetween() throws {
        let ledger = try database.open()
        for round in 0..<5 {
            let account = try #require(AccountName("a\(round)"))
            #expect(try ledger.settle(.makeAccount(account, password)) == .done)
            try cut()
            let next = try #require(AccountName("b\(round)"))
            // Read and written in one round trip, in two, and only read: nothing was being committed when it ended.
            let deeds: [Deed] = [[give(round)], [.makeAccount(next, password)], [.readPassword(account)]][round % 3]
            #expect(performing: { try ledger.settle(deeds, at: start) }, throws: { isUnavailable($0) })
            #expect(try ledger.settle(.readPassword(next)) == .none)
        }
    }

    @Test("connections cut again and again under load lose nothing that was answered and use no challenge twice")
    func cutWithin() async throws {
        let ledger = try database.open()
        let count = 200
        _ = try ledger.settle([.makeAccount(anna, password)] + enrol(1), at: start)
        for first in stride(from: 0, to: count, by: 100) {
            _ = try ledger.settle((first..<first + 100).map { give($0) }, at: start)
        }
        let working = Locked(true), cuts = Locked(0)
        let worker = Task {
            await onThread {
                defer { working.withLock { $0 = false } }
                var answers: [(done: [Int], unknown: [Int])] = []
                for number in 0..<count {
                    // The cuts go on through all of the work, however much slower one of the two is.
                    while cuts.withLock({ $0 < number / 10 }) { usleep(1000) }
                    var (done, unknown): ([Int], [Int]) = ([], [])
                    // Asked again with another token each time, as a client does.
                    for attempt in 0..<20 {
                        let token = 1_000 * (attempt + 1) + number
                        do throws(LedgerFailure) {
                            let outcome = try ledger.settle(signIn(1, number, token))
                            if outcome == .done { done.append(token) }
                            break
                        } catch {
                            if case .uncertain = error { unknown.append(token) }
                        }
                    }
                    answers.append((done, unknown))
                }
                return answers
            }
        }
        // Whatever becomes of a cut, the worker isn't kept waiting for it.
        defer { cuts.withLock { $0 = count } }
        while working.withLock({ $0 }) {
            try cut()
            cuts.withLock { $0 += 1 }
        }
        let answers = await worker.value
        _ = try? ledger.settle(.readPassword(anna))
        for (number, answer) in answers.enumerated() {
            let there = try ledger.settle((1...20).map { .readSession(token(1_000 * $0 + number)) }, at: start)
            let sessions = (1...20).filter { there[$0 - 1] != .none }.map { 1_000 * $0 + number }
            // One session came of the challenge: the one that was answered, or one whose end nobody knew.
            #expect(sessions.count <= 1, "challenge \(number)")
            #expect(answer.done.allSatisfy(sessions.contains), "challenge \(number)")
            #expect(sessions.allSatisfy { (answer.done + answer.unknown).contains($0) }, "challenge \(number)")
        }
    }

    /// Has the server's own connection ended where a trigger says.
    private func endConnection(_ trigger: String) throws {
        _ = try ask(
            """
            CREATE FUNCTION ending() RETURNS trigger LANGUAGE plpgsql AS \
            $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$; \
            CREATE \(trigger) FOR EACH ROW EXECUTE FUNCTION ending()
            """)
    }

    @Test("a connection that ends in a commit leaves it uncertain, and the batch isn't repeated")
    func uncertain() throws {
        let ledger = try database.open()
        #expect(try ledger.settle(.makeAccount(anna, password)) == .done)
        // The end comes when all statements are done and the commit is under way.
        try endConnection("CONSTRAINT TRIGGER ending AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED")
        #expect(
            performing: { try ledger.settle(.beginPasswordSession(anna, password, session(1))) },
            throws: {
                guard case .uncertain? = $0 as? LedgerFailure else { return false }
                return true
            })
        _ = try ask("DROP TRIGGER ending ON sessions")
        #expect(try ledger.settle(.readSession(token(1))) == .none)
        #expect(try ledger.settle(.beginPasswordSession(anna, password, session(1))) == .done)
    }

    @Test("a statement that is ended before the commit is known not to be done")
    func endedStatement() throws {
        let ledger = try database.open()
        #expect(try ledger.settle(.makeAccount(anna, password)) == .done)
        try endConnection("TRIGGER ending BEFORE INSERT ON sessions")
        #expect(
            performing: { try ledger.settle(.beginPasswordSession(anna, password, session(1))) }, throws: { isUnavailable($0) })
        _ = try ask("DROP TRIGGER ending ON sessions")
        #expect(try ledger.settle(.beginPasswordSession(anna, password, session(1))) == .done)
    }

    @Test("a batch that the database keeps ending for its order is given up after five attempts, and nothing of it is done")
    func attempts() throws {
        let ledger = try database.open()
        #expect(try ledger.settle(.makeAccount(anna, password)) == .done)
        _ = try ask(
            """
            CREATE SEQUENCE tried; CREATE FUNCTION refusing() RETURNS trigger LANGUAGE plpgsql AS \
            $$ BEGIN PERFORM nextval('tried'); RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$; \
            CREATE TRIGGER refusing BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refusing()
            """)
        #expect(
            performing: {
                try ledger.settle([.makeAccount(otto, password), .beginPasswordSession(anna, password, session(1))], at: start)
            },
            throws: { isUnavailable($0, "5 times") })
        #expect(try ask("SELECT last_value FROM tried") == "5")
        #expect(try ledger.settle(.readPassword(otto)) == .none)
        _ = try ask("DROP TRIGGER refusing ON sessions")
        #expect(try ledger.settle(.beginPasswordSession(anna, password, session(1))) == .done)
    }

    @Test("a challenge that changes in spite of its lock ends the transaction in the database")
    func guarded() throws {
        let ledger = try database.open()
        _ = try ledger.settle([.makeAccount(anna, password)] + enrol(1) + [give(1), give(2)], at: start)
        // A rule in the way of the update stands for whatever bug would be: the row was read as good and is changed by nobody.
        _ = try ask(
            """
            CREATE FUNCTION passing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; \
            CREATE TRIGGER passing BEFORE UPDATE ON challenges FOR EACH ROW EXECUTE FUNCTION passing()
            """)
        #expect(
            performing: { try ledger.settle([signIn(1, 1, 1), give(3)], at: start) }, throws: { isUnusable($0, "challenge") })
        _ = try ask("DROP TRIGGER passing ON challenges")
        #expect(try ledger.settle([signIn(1, 1, 1), signIn(1, 3, 3)], at: start) == [.done, .refused(.challengeUnknown)])
    }

    @Test("commits are durable even where the database was told to be fast")
    func durable() throws {
        _ = try cluster.query(
            "ALTER DATABASE \(database.name) SET synchronous_commit = off", in: database.place)
        let connection = try PostgresOpening.connection(database.place, Migration.all)
        let answer = try connection.pipeline([PostgresQuery("SELECT current_setting('synchronous_commit')")])
        #expect(answer[0].text(0, 0) == "on")
    }

    @Test("a database that was told to be stricter about its commits stays as strict")
    func stricter() throws {
        _ = try cluster.query("ALTER DATABASE \(database.name) SET synchronous_commit = remote_apply", in: database.place)
        let connection = try PostgresOpening.connection(database.place, Migration.all)
        let answer = try connection.pipeline([PostgresQuery("SELECT current_setting('synchronous_commit')")])
        #expect(answer[0].text(0, 0) == "remote_apply")
    }

    @Test("the database ends a statement that takes long, and a transaction whose server doesn't go on")
    func timeouts() throws {
        let connection = try PostgresOpening.connection(database.place, Migration.all)
        let names = ["statement_timeout", "idle_in_transaction_session_timeout"]
        let answers = try connection.pipeline(names.map { PostgresQuery("SELECT current_setting('\($0)')") })
        #expect(answers.map { $0.text(0, 0) } == ["10s", "10s"])
    }

    @Test("a database of another encoding is refused")
    func encoding() throws {
        let name = "latin\(database.name)"
        _ = try cluster.query(
            "CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", in: database.place)
        let url = database.place.replacing("/" + database.name + "?", with: "/" + name + "?")
        #expect(performing: { try PostgresLedger(url: url) }, throws: { isUnusable($0, "UTF8") })
    }

    @Test("a schema of the ledger's name that isn't one is refused and left as it is")
    func foreign() throws {
        _ = try cluster.query("CREATE SCHEMA \(PostgresOpening.schema)", in: database.place)
        #expect(performing: { try database.open() }, throws: { isUnusable($0, "another program") })
        #expect(try ask("SELECT count(*) FROM pg_tables WHERE schemaname = '\(PostgresOpening.schema)'") == "0")
    }

    @Test("tables that another server is making just now aren't judged before it is done")
    func halfMade() async throws {
        let (wasWaiting, outcome) = try await onThread { [cluster, database] () throws -> (Bool, DeedOutcome?) in
            let other = try PostgresConnection(url: database.place)
            _ = try other.pipeline([PostgresQuery("SELECT pg_advisory_lock(\(PostgresOpening.turn))")])
            // What can be seen for a moment while the other commits: the schema, and none of its tables.
            _ = try cluster.query("CREATE SCHEMA \(PostgresOpening.schema)", in: database.place)
            let (opened, done) = (Locked<Result<DeedOutcome, any Error>?>(nil), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                let result: Result<DeedOutcome, any Error> = Result {
                    try database.open().settle(.makeAccount(anna, password))
                }
                opened.withLock { $0 = result }
                done.signal()
            }
            let waiting = """
                SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            var isWaiting = false
            while !isWaiting, opened.withLock({ $0 == nil }) {
                isWaiting = try cluster.query(waiting, in: database.place) != "0"
            }
            _ = try cluster.query("DROP SCHEMA \(PostgresOpening.schema)", in: database.place)
            _ = try other.pipeline([PostgresQuery("SELECT pg_advisory_unlock(\(PostgresOpening.turn))")])
            done.wait()
            return (isWaiting, try opened.withLock { $0 }?.get())
        }
        #expect(wasWaiting && outcome == .done)
    }

    @Test("servers take turns also where a transaction by default sees only what was there when it began")
    func serializable() async throws {
        _ = try cluster.query(
            "ALTER DATABASE \(database.name) SET default_transaction_isolation = 'serializable'", in: database.place)
        let outcomes = try await withThrowingTaskGroup(of: DeedOutcome.self) { group in
            for _ in 0..<4 {
                group.addTask { [database] in try await onThread { try database.open().settle(.readPassword(anna)) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == [DeedOutcome](repeating: .none, count: 4))
    }

    @Test("a role that may only read is a clear failure, and so is a database that only reads")
    func readOnly() throws {
        let ledger = try database.open()
        #expect(try ledger.settle(.makeAccount(anna, password)) == .done)
        _ = try cluster.query("ALTER DATABASE \(database.name) SET default_transaction_read_only = on", in: database.place)
        try cut()
        _ = try? ledger.settle(.readPassword(anna))
        #expect(try ledger.settle(.readPassword(anna)) != .none)
        #expect(performing: { try ledger.settle(.makeAccount(otto, password)) }, throws: { isUnavailable($0, "25006") })
        _ = try cluster.query("ALTER DATABASE \(database.name) RESET default_transaction_read_only", in: cluster.administration)
        try cut()
        _ = try? ledger.settle(.readPassword(anna))
        #expect(try ledger.settle(.makeAccount(otto, password)) == .done)
    }

    @Test("no database, and a URL that isn't one, are told without its password")
    func unreachable() throws {
        #expect(
            performing: { try PostgresLedger(url: "postgresql://anna:geheim@/x?host=/nonexistent") },
            throws: { isUnavailable($0) && !"\($0)".contains("geheim") })
        #expect(
            performing: { try PostgresLedger(url: "postgresql://anna:geheim@host:port/x") },
            throws: { isUnavailable($0) && !"\($0)".contains("geheim") })
        for url in [
            "postgresql://anna:ge@geheim@host/x", "postgresx://anna:geheim@host/x", "geheim", "postgresql://a:geheim@[/x",
        ] {
            #expect(
                performing: { try PostgresLedger(url: url) }, throws: { isUnusable($0, "URL") && !"\($0)".contains("geheim") })
        }
    }

    @Test("every statement goes through an index, however its tables looked when it was planned")
    func plans() throws {
        // Making an index reads its table; that isn't meant. A connection tells what it did when it ends.
        do { _ = try database.open() }
        try database.settleDown()
        _ = try ask("SELECT pg_stat_reset()")
        do {
            let ledger = try database.open()
            _ = try ledger.settle([.makeAccount(anna, password)] + enrol(1) + [give(1), signIn(1, 1, 1)], at: start)
            _ = try ledger.settle(
                [
                    .readDevices(anna), .rename(anna, device(1), to: "x"), .renewSession(token(1), to: token(2), expires: later),
                    .noteMiss(anna, until: later), .readSession(token(2)), .forget(before: start),
                ], at: start)
            _ = try ledger.settle([.readPassword(anna), .readDevice(anna, device(1)), .endSession(token(2))], at: start)
        }
        try database.settleDown()
        let scans = try ask(
            """
            SELECT relname, seq_scan > 0, idx_scan > 0 FROM pg_stat_user_tables \
            WHERE relname IN ('accounts', 'devices', 'challenges', 'sessions') ORDER BY 1
            """)
        #expect(scans == "accounts|f|t\nchallenges|f|t\ndevices|f|t\nsessions|f|t")
    }
}

extension Database {
    /// The database's name in its URL.
    fileprivate var name: String { String(place.dropFirst("postgresql:///".count).prefix { $0 != "?" }) }
}
