import CThumbLinux
import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_postgres
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("The server's log") struct ServerLogTests {
    /// What the program writes about requests, which is looked at when it has ended.
    private static func log(
        _ options: [String] = [], _ ask: @escaping @Sendable (ServerProgram) throws -> [Wire.Reply]
    ) async throws -> (replies: [Wire.Reply], lines: [String]) {
        try await onThread {
            let bank = try ServerProgram(["--client-rate", "0"] + options)
            let replies = try ask(bank)
            guard bank.end() == 0 else { throw ServerProgram.CannotStart(said: "it didn't end well") }
            return (replies, try bank.log.split(separator: "\n").map(String.init))
        }
    }

    /// A field of a line in logfmt that needs no quotation.
    private static func field(_ name: String, _ line: String) -> String? {
        line.split(separator: " ").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    @Test("In JSON each line is an object with the fields of logfmt")
    func json() async throws {
        let (_, lines) = try await Self.log(["--log-format", "json"]) { bank in
            let wire = try bank.wire(from: 7)
            return [try wire.ask("GET", "/health", body: nil), try wire.ask("GET", "/nowhere", body: nil)]
        }
        #expect(lines.count == 2)
        let objects = try lines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)") }
        let common: Set = ["time", "level", "event", "client", "request", "method", "route", "status", "micros"]
        #expect(objects.map { Set($0.keys) } == [common, common.union(["code"])])
        #expect(objects.map { $0["status"] as? Int } == [200, 404])
        #expect(objects.map { $0["route"] as? String } == ["/health", "unknown"])
        for object in objects {
            #expect(object["event"] as? String == "request" && object["level"] as? String == "info")
            #expect(object["client"] as? String == "127.0.0.7")
        }
        #expect(objects[1]["code"] as? String == "not-found")
    }

    @Test("Each request has a name of its own, which its answer and the log have")
    func names() async throws {
        let (replies, lines) = try await Self.log { bank in
            let (one, other) = (try bank.wire(), try bank.wire(from: 2))
            return [
                try one.ask("GET", "/health", body: nil), try other.ask("GET", "/health", body: nil),
                try one.ask("POST", "/v1/challenges", body: Array("{".utf8)), try one.ask("GET", "/nowhere", body: nil),
                // What a client calls it is nothing to us.
                try other.ask("GET", "/health", body: nil, headers: ["X-Request-Id: 0000000000000000"]),
            ]
        }
        let told = replies.compactMap { $0.headers["x-request-id"] }
        #expect(told.count == 5 && Set(told).count == 5)
        #expect(told.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil && $0 != "0000000000000000" })
        #expect(Set(lines.compactMap { Self.field("request", $0) }) == Set(told))
    }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    /// What a client could send as the trace that its request belongs to, and whether it is one.
    private static let parents: [(String, Bool)] = [
        ("00-\(trace)-00f067aa0ba902b7-01", true), ("00-\(trace)-00f067aa0ba902b7-00", true),
        // A later version may say more behind what this one says.
        ("01-\(trace)-00f067aa0ba902b7-01", true), ("cc-\(trace)-00f067aa0ba902b7-01-what-comes", true),
        ("cc-\(trace)-00f067aa0ba902b7-01.what", false), ("ff-\(trace)-00f067aa0ba902b7-01", false),
        ("00-\(trace)-00f067aa0ba902b7-01-", false), ("00-\(trace)-00f067aa0ba902b7-01-more", false),
        ("00-\(trace)-00f067aa0ba902b7", false), ("00-\(trace.uppercased())-00f067aa0ba902b7-01", false),
        ("00-\(trace)-00F067AA0BA902B7-01", false), ("00-\(String(repeating: "0", count: 32))-00f067aa0ba902b7-01", false),
        ("00-\(trace)-0000000000000000-01", false), ("00-\(trace)00f067aa0ba902b7--01", false),
        ("00-\(trace.dropLast())g-00f067aa0ba902b7-01", false), ("0-0\(trace)-00f067aa0ba902b7-01", false),
        ("00-\(trace.dropLast())-000f067aa0ba902b7-01", false), ("00-\(trace)-00f067aa0ba902b7-1 ", false), ("", false),
        ("level=error event=forged", false),
    ]

    @Test("A trace is the one that its standard reads, and anything else is none", arguments: parents)
    func read(_ parent: String, _ isTrace: Bool) {
        #expect(TraceID(traceparent: parent)?.text == (isTrace ? Self.trace : nil))
    }

    @Test("The log has a request's trace, and a request with none that can be read is answered like any other")
    func traces() async throws {
        let (replies, lines) = try await Self.log { bank in
            let wire = try bank.wire()
            let single = try Self.parents.map {
                try wire.ask("GET", "/health", body: nil, headers: ["traceparent: \($0.0)", "tracestate: a=b"])
            }
            let one = "traceparent: " + Self.parents[0].0
            return single + [try wire.ask("GET", "/health", body: nil, headers: [one, one])]
        }
        #expect(replies.allSatisfy { $0.status == 200 })
        #expect(lines.map { Self.field("trace", $0) } == (Self.parents.map(\.1) + [false]).map { $0 ? Self.trace : nil })
        #expect(!lines.contains { $0.contains("forged") })
    }

    @Test(
        "A client is who connected, or behind a proxy whom the proxy names last",
        arguments: [
            (false, "192.0.2.9", "127.0.0.3"), (true, "192.0.2.9", "192.0.2.9"), (true, "10.0.0.1, 192.0.2.9", "192.0.2.9"),
            (true, "2001:db8::17", "2001:db8::17"), (true, "[2001:0DB8::0017]", "2001:db8::17"),
            (true, "::ffff:192.0.2.9", "192.0.2.9"), (true, "level=error", "127.0.0.3"), (true, "", "127.0.0.3"),
        ])
    func client(_ isBehindProxy: Bool, _ forwarded: String, _ written: String) async throws {
        let (_, lines) = try await Self.log(isBehindProxy ? ["--behind-proxy"] : []) { bank in
            [try bank.wire(from: 3).ask("GET", "/health", body: nil, headers: ["X-Forwarded-For: \(forwarded)"])]
        }
        #expect(lines.count == 1 && lines.allSatisfy { Self.field("client", $0) == written }, "\(lines)")
    }

    @Test("Where the journal reads it, a line begins with its level in the journal's way", arguments: [true, false])
    func journal(_ isJournals: Bool) async throws {
        let log = try await onThread {
            let folder = try Folder()
            let path = folder.path + "/journal"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw ServerProgram.CannotStart(said: "no file") }
            let process = OwnProcess()
            let output = Pipe()
            process.executableURL = builtPrograms.appending(path: "thumbturn-server")
            // What is said then is a warning.
            process.arguments = [
                "--listen", "0.0.0.0:0", "--origin", "https://bank.example", "--database", folder.path + "/sign-in.db",
            ]
            let stream = "\(status.st_dev):\(isJournals ? status.st_ino : status.st_ino + 1)"
            process.environment = ProcessInfo.processInfo.environment.merging(["JOURNAL_STREAM": stream]) { $1 }
            (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
            process.standardError = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try process.run()
            // It has listened, then: it ends in order.
            let greeting = output.fileHandleForReading.availableData
            process.terminate()
            process.waitUntilExit()
            guard process.terminationStatus == 0, !greeting.isEmpty else { throw ServerProgram.CannotStart(said: "\(greeting)") }
            return try String(contentsOfFile: path, encoding: .utf8)
        }
        #expect(log.hasPrefix(isJournals ? "<4>time=" : "time=") && log.contains("plain HTTP"), "\(log)")
    }

    @Test("A server whose log nobody takes any more serves, and ends in order")
    func untaken() async throws {
        let (greeting, status) = try await onThread {
            let folder = try Folder()
            let (process, output, log) = (OwnProcess(), Pipe(), try makePipe())
            close(log.reading)
            defer { close(log.writing) }
            // Whoever starts the tests may have SIGPIPE ignored, and so would what they start.
            process.executableURL = URL(filePath: "/usr/bin/env")
            // What is said then is a warning.
            process.arguments = [
                "--default-signal=PIPE", builtPrograms.appending(path: "thumbturn-server").path, "--listen", "0.0.0.0:0",
                "--origin", "https://bank.example", "--database", folder.path + "/sign-in.db",
            ]
            (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
            process.standardError = FileHandle(fileDescriptor: log.writing, closeOnDealloc: false)
            try process.run()
            // It has listened, then. The signal that ends it waits until the warning is written.
            let greeting = output.fileHandleForReading.availableData
            process.terminate()
            process.waitUntilExit()
            withExtendedLifetime(folder) {}
            return (greeting, process.terminationStatus)
        }
        #expect(!greeting.isEmpty && status == 0)
    }

    private struct Stuck: Bank {
        let port: UInt16
        let origin = "https://bank.example"
    }

    @Test("A server whose log's reader stands still takes connections and answers, counts what is lost, and ends in order")
    func stuck() async throws {
        let (greeting, statuses, dropped, status) = try await onThread {
            let folder = try Folder()
            let (process, output, log) = (OwnProcess(), Pipe(), try makePipe())
            defer {
                close(log.reading)
                close(log.writing)
            }
            process.executableURL = builtPrograms.appending(path: "thumbturn-server")
            process.arguments = [
                "--listen", "127.0.0.1:0", "--origin", "https://bank.example", "--database", folder.path + "/sign-in.db",
                "--client-rate", "0",
            ]
            (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
            process.standardError = FileHandle(fileDescriptor: log.writing, closeOnDealloc: false)
            try process.run()
            let greeting = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let port = try #require(greeting.split(separator: ",").first?.split(separator: ":").last.flatMap { UInt16($0) })
            let bank = Stuck(port: port)
            let wire = try Wire(to: bank)
            var (statuses, dropped) = (Set<Int>(), 0)
            // More lines than the pipe, and what may wait, have room for.
            for _ in 0..<200 where dropped == 0 {
                for _ in 0..<500 { statuses.insert(try wire.ask("GET", "/health", body: nil).status) }
                let lines = try wire.ask("GET", "/metrics", body: nil).text.split(separator: "\n")
                let line = lines.first { $0.hasPrefix("thumbturn_log_lines_dropped_total ") }
                dropped = Int(line?.split(separator: " ").last ?? "") ?? 0
            }
            statuses.insert(try Wire(to: bank).ask("GET", "/health", body: nil).status)
            process.terminate()
            process.waitUntilExit()
            withExtendedLifetime(folder) {}
            return (greeting, statuses, dropped, process.terminationStatus)
        }
        #expect(!greeting.isEmpty && statuses == [200] && dropped > 0 && status == 0)
    }

    @Test("A database that fails is an error of the server's own, and its requests are warnings", arguments: ["logfmt", "json"])
    func failure(_ form: String) async throws {
        let lines = try await onThread {
            let cluster = try Cluster()
            let bank = try ServerProgram(["--log-format", form, "--client-rate", "0"], database: try cluster.makeDatabase())
            cluster.stop()
            guard try bank.wire().ask("GET", "/health", body: nil).status == 503, bank.end() == 0 else { return [""] }
            return try bank.log.split(separator: "\n").map(String.init)
        }
        let isJSON = form == "json"
        let (error, warning) = isJSON ? (#""level":"error""#, #""level":"warning""#) : ("level=error", "level=warning")
        let words = isJSON ? #""event":"the database: "# : #"event="the database: "#
        #expect(lines.contains { $0.contains(error) && $0.contains(words) }, "\(lines)")
        #expect(lines.contains { $0.contains(warning) && $0.contains("busy") }, "\(lines)")
    }

    @Test("While the database is away that is said once in a second, however many requests fail")
    func complaints() async throws {
        let (statuses, lines) = try await onThread {
            let cluster = try Cluster()
            let bank = try ServerProgram(["--client-rate", "0", "--quiet"], database: try cluster.makeDatabase())
            cluster.stop()
            let wire = try bank.wire()
            let statuses = try (0..<100).map { _ in try wire.ask("GET", "/health", body: nil).status }
            guard bank.end() == 0 else { throw ServerProgram.CannotStart(said: "it didn't end well") }
            return (statuses, try bank.log.split(separator: "\n").map(String.init))
        }
        let seconds = lines.filter { $0.contains("the database: ") }.compactMap { Self.field("time", $0) }
        #expect(Set(statuses) == [503])
        #expect(!seconds.isEmpty && Set(seconds).count == seconds.count, "\(lines)")
    }

    @Test("Of lines that nobody takes so many are kept as the limit says, and the others are counted")
    func kept() {
        var lines = LogLines(ServerLog().lines())
        func add() {
            let asker = Asker(client: .unknown)
            lines.add(.health, .get, Answer(200), nanoseconds: 1_000, by: asker, at: Moment(seconds: 1_800_000_000))
        }
        add()
        let length = lines.taken().count
        for _ in 0..<Limits.logBytes / length + 10 { add() }
        let (dropped, kept) = (lines.dropped, lines.taken().count)
        #expect((9...10).contains(dropped) && kept < Limits.logBytes + length)
        // Once they are taken it goes on.
        add()
        let (after, next) = (lines.dropped, lines.taken().count)
        #expect(next == length && after == dropped)
    }
}
