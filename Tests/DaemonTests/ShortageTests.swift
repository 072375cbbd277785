import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("A daemon without a free descriptor")
struct ShortageTests {
    struct Unlike: Error { let what: String }

    /// Ticks of processor time that a process has used so far.
    private func ticks(of pid: pid_t) throws -> Int {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = stat.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
        guard fields.count > 11 else { throw Unlike(what: stat) }
        return fields[9] + fields[10]
    }

    /// Lets a process have no descriptor of this number or above.
    private func limitDescriptors(of pid: pid_t, to most: UInt) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(pid)", "--nofile=\(most):"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Unlike(what: "no limit set") }
    }

    @Test("It doesn't turn while a connection waits, and serves that connection once it has a descriptor")
    func waits() async throws {
        let home = try Home()
        let (spent, answer) = try await onThread {
            let daemon = try home.serve(idle: 600)
            defer { daemon.end() }
            guard try home.ask("add one first") == "added one" else { throw Unlike(what: "nothing added") }
            // It has the first three; so no other number is left to it, whatever it closes meanwhile.
            try limitDescriptors(of: daemon.pid, to: 3)
            let client = try home.client()
            client.type("read one\n")
            // Whether it has tried yet doesn't matter: a daemon that turns does so all the time.
            sleep(1)
            let start = try ticks(of: daemon.pid)
            sleep(2)
            let spent = try ticks(of: daemon.pid) - start
            try limitDescriptors(of: daemon.pid, to: 1024)
            return (spent, try client.answer())
        }
        // Two seconds have 200 ticks.
        #expect(spent < 40, "\(spent) ticks")
        #expect(answer == "secret first")
    }
}
