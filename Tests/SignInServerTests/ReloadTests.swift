import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("A certificate is read again on SIGHUP") struct ReloadTests {
    /// A server with a certificate of its own in a folder, and another certificate for later.
    private struct Stage {
        let folder: Folder
        let (own, old, new): (TLSPair, TLSPair, TLSPair)
        let bank: ServerProgram

        init() throws {
            folder = try Folder()
            (old, new) = (try TLSPair("old", in: folder), try TLSPair("new", in: folder))
            own = try TLSPair("own", in: folder)
            try old.replace(own)
            bank = try ServerProgram(
                ["--tls-certificate", own.chain, "--tls-key", own.key, "--client-rate", "0", "--quiet"], folder: folder)
        }

        /// Asks it to read its files again, and waits for the line that says how that went; the line.
        func reload(_ words: String) throws -> String {
            let before = try bank.log.split(separator: "\n").count
            kill(bank.pid, SIGHUP)
            return try waitedFor(words, after: before, in: bank)
        }

        /// How many threads the server has, as soon as there are no more than that, or after half a minute. The log's isn't counted: it
        /// comes with the first line, whenever that is.
        func threads(atMost most: Int = .max) throws -> Int {
            func count() throws -> Int {
                let tasks = "/proc/\(bank.pid)/task"
                return try FileManager.default.contentsOfDirectory(atPath: tasks).count { task in
                    let name = FileManager.default.contents(atPath: "\(tasks)/\(task)/comm")
                    return name != nil && name != Data("log\n".utf8)
                }
            }
            var found = try count()
            for _ in 0..<3_000 where found > most {
                usleep(10_000)
                found = try count()
            }
            return found
        }
    }

    @Test("New connections get the new certificate, and one that is open is answered once more with the one it has")
    func replaced() async throws {
        let (before, after, line, last, status) = try await onThread {
            let stage = try Stage()
            let before = try [stage.old, stage.new].map { try $0.answers(at: stage.bank.port) }
            let open = try OpenConnection(to: stage.bank.port, trusting: stage.old.chain)
            let first = try open.ask()
            try stage.new.replace(stage.own)
            let line = try stage.reload("the certificate was read again")
            let last = try open.ask()
            let after = try [stage.old, stage.new].map { try $0.answers(at: stage.bank.port) }
            // Again, as often as it is asked.
            try stage.old.replace(stage.own)
            _ = try stage.reload("the certificate was read again")
            let back = try [stage.old, stage.new].map { try $0.answers(at: stage.bank.port) }
            return (before, after + back, line, [first, last], stage.bank.end())
        }
        #expect(before == [true, false] && after == [false, true, true, false])
        #expect(line.contains("level=notice"), "\(line)")
        #expect(last.allSatisfy { $0.contains("200 OK") } && !last[0].contains("Connection: close"), "\(last)")
        #expect(last[1].contains("Connection: close"), "\(last)")
        #expect(status == 0)
    }

    @Test("The threads of the certificate before end when their last client has gone, and not under one that is there")
    func retired() async throws {
        let (answer, left, status) = try await onThread {
            let stage = try Stage()
            let open = try OpenConnection(to: stage.bank.port, trusting: stage.old.chain)
            _ = try open.ask()
            let before = try stage.threads()
            _ = try stage.reload("the certificate was read again")
            // Of the two one has no client. When that one has ended, the other one was looked at as well.
            let during = try stage.threads(atMost: before + 1)
            let answer = try open.ask()
            let after = try stage.threads(atMost: before)
            return (answer, [during - before, after - before], stage.bank.end())
        }
        #expect(answer.contains("200 OK") && answer.contains("Connection: close"), "\(answer)")
        #expect(left == [1, 0] && status == 0)
    }

    enum Wrong: CaseIterable, Sendable {
        case foreignKey, noKey, missingChain, emptyChain
    }

    @Test("What can't be used changes nothing but the log, and the next one that can is used", arguments: Wrong.allCases)
    func wrong(_ wrong: Wrong) async throws {
        let (line, during, after) = try await onThread {
            let stage = try Stage()
            let files = FileManager.default
            switch wrong {
            case .foreignKey:
                try Data(contentsOf: URL(filePath: stage.new.chain)).write(to: URL(filePath: stage.own.chain), options: .atomic)
            case .noKey: try Data("no key\n".utf8).write(to: URL(filePath: stage.own.key), options: .atomic)
            case .missingChain: try files.removeItem(atPath: stage.own.chain)
            case .emptyChain: try Data().write(to: URL(filePath: stage.own.chain), options: .atomic)
            }
            let line = try stage.reload("the one before stays")
            let during = try [stage.old, stage.new].map { try $0.answers(at: stage.bank.port) }
            try stage.new.replace(stage.own)
            _ = try stage.reload("the certificate was read again")
            return (line, during, try [stage.old, stage.new].map { try $0.answers(at: stage.bank.port) })
        }
        #expect(line.contains("level=error"), "\(line)")
        #expect(during == [true, false] && after == [false, true])
    }

    @Test("A server without a certificate says that there is none, and goes on")
    func none() async throws {
        let (line, health, status) = try await onThread {
            let bank = try ServerProgram(["--client-rate", "0"])
            kill(bank.pid, SIGHUP)
            let line = try waitedFor("there is none", after: 0, in: bank)
            return (line, try bank.wire().ask("GET", "/health", body: nil).status, bank.end())
        }
        #expect(line.contains("level=notice") && health == 200 && status == 0, "\(line)")
    }

    @Test("With its terminal a server ends; in a terminal that stays it reads its files again")
    func terminal() async throws {
        let status = try await onThread {
            let folder = try Folder()
            let terminal = try TypedProgram(["--listen", "127.0.0.1:0", "--database", folder.path + "/sign-in.db"])
            try terminal.wait(for: "listening on")
            kill(terminal.pid, SIGHUP)
            try terminal.wait(for: "there is none")
            return terminal.hangUp()
        }
        #expect(status == 0)
    }

    @Test("A server that nohup started stays when its terminal goes")
    func nohup() async throws {
        let (told, status) = try await onThread {
            let folder = try Folder()
            let place = folder.path + "/notify"
            let notices = try Notices(at: place)
            let terminal = try TypedProgram(
                ["--listen", "127.0.0.1:0", "--database", folder.path + "/sign-in.db"], environment: ["NOTIFY_SOCKET": place],
                ignoresHangUp: true)
            var told = [notices.next()]
            terminal.loseTerminal()
            told.append(notices.next())
            kill(terminal.pid, SIGTERM)
            return (told, terminal.ended())
        }
        #expect(told == ["READY=1", "RELOADING=1"] && status == 0)
    }
}

/// Waits until the log has those words in a line after so many; the line.
private func waitedFor(_ words: String, after count: Int, in bank: ServerProgram) throws -> String {
    // As long as a busy machine may take: what is waited for comes or doesn't.
    for _ in 0..<6_000 {
        if let line = try bank.log.split(separator: "\n").dropFirst(count).first(where: { $0.contains(words) }) {
            return String(line)
        }
        usleep(10_000)
    }
    throw ServerProgram.CannotStart(said: try bank.log)
}

/// A connection over TLS that is kept, with openssl as its client.
private final class OpenConnection {
    private let process = OwnProcess()
    private let (into, out) = (Pipe(), Pipe())

    init(to port: UInt16, trusting chain: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", chain, "-verify_return_error", "-quiet",
        ]
        (process.standardInput, process.standardOutput, process.standardError) = (into, out, FileHandle.nullDevice)
        try process.run()
    }

    deinit { process.terminate() }

    /// Sends a request; the answer, which has a body of one object.
    func ask() throws -> String {
        writeQuietly(Array("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: into.fileHandleForWriting.fileDescriptor)
        var answer = Data()
        while !answer.contains(UInt8(ascii: "}")) {
            let more = out.fileHandleForReading.availableData
            if more.isEmpty { break }
            answer += more
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
