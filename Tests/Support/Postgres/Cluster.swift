import Foundation
import thumbturn_test_programs

/// A PostgreSQL of the tests' own (`scripts/test-postgres`): it goes with this process, however that ends.
public final class Cluster: @unchecked Sendable {
    // @unchecked: nothing changes after it was started but the number, which has its lock.
    public struct CannotStart: Error {}

    /// One for all tests of a process; each has a database of its own in it.
    public static let shared = Result { try Cluster() }

    private let folder: String
    private let process = OwnProcess()
    private let words = Pipe()
    private let lock = NSLock()
    private var number = 0

    /// Starts one, with settings of its own.
    public init(_ settings: [String] = []) throws {
        // A socket's path is short.
        folder = "/tmp/thumbturn-pg-" + UUID().uuidString.prefix(8)
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = checkout.appending(path: "scripts/test-postgres")
        process.arguments = [folder] + settings
        let answers = Pipe()
        (process.standardInput, process.standardOutput) = (words, answers)
        try process.run()
        guard try answers.fileHandleForReading.readToEnd(upTo: "ready\n") else { throw CannotStart() }
    }

    deinit { stop() }

    /// Ends it at once, as a machine does that loses its power.
    public func stop() {
        try? words.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The URL of a new, empty database.
    public func makeDatabase() throws -> String {
        lock.lock()
        number += 1
        let name = "test\(number)"
        lock.unlock()
        try query("CREATE DATABASE \(name)", in: administration)
        return url(of: name)
    }

    /// Asks a database something, with psql; what it answers, a line a row.
    @discardableResult
    public func query(_ sql: String, in url: String) throws -> String {
        let psql = OwnProcess()
        psql.executableURL = URL(filePath: "/usr/bin/env")
        psql.arguments = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, url]
        let answers = Pipe()
        psql.standardOutput = answers
        try psql.run()
        let answer = try answers.fileHandleForReading.readToEnd() ?? Data()
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else { throw CannotStart() }
        return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// The URL of a database that no test has.
    public var administration: String { url(of: "postgres") }

    private func url(of database: String) -> String { "postgresql:///\(database)?host=\(folder)&user=postgres" }
}

extension FileHandle {
    /// Reads until that line came; false where the end came first.
    fileprivate func readToEnd(upTo line: String) throws -> Bool {
        var all = Data()
        while let more = try read(upToCount: 1) {
            all += more
            if all.suffix(line.utf8.count).elementsEqual(line.utf8) { return true }
        }
        return false
    }
}
