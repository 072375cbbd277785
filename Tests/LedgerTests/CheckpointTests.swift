import Foundation
import Testing
import ThumbSecrets
import ThumbSignIn

@testable import ThumbLedgers

/// SQLite's log, cleared beside the batches.
@Suite struct CheckpointTests {
    private let folder: Folder
    private var path: String { folder.path + "/sign-in.db" }

    init() throws { folder = try Folder() }

    private func pages(_ end: String) throws -> Int {
        try (FileManager.default.attributesOfItem(atPath: path + end)[.size] as? Int ?? 0) / 4096
    }

    private func fill(_ ledger: SQLiteLedger, _ count: Int, from first: Int = 0) throws {
        for number in first..<first + count {
            #expect(try ledger.settle(.makeAccount(AccountName("a\(number)")!, password)) == .done)
        }
    }

    @Test("under batches without a pause the log stays short, and all that was answered is there afterwards")
    func bounded() throws {
        do {
            let ledger = try SQLiteLedger(path: path, checkpoint: 50)
            try fill(ledger, 3_000)
            // What was written is twice that; how far the thread is behind depends on the machine.
            #expect(try pages("-wal") < 2_000)
        }
        let again = try SQLiteLedger(path: path)
        for number in stride(from: 0, to: 3_000, by: 7) {
            #expect(try again.settle(.readPassword(AccountName("a\(number)")!)) != .none)
        }
    }

    @Test("without checkpoints the same work leaves a long log: the test above can fail")
    func unbounded() throws {
        let ledger = try SQLiteLedger(path: path, checkpoint: .max / 8)
        try fill(ledger, 3_000)
        #expect(try pages("-wal") > 2_000)
    }

    @Test("who reads an old state holds the log up, and nothing else: batches go on, and it is cleared when they are done")
    func reader() throws {
        let ledger = try SQLiteLedger(path: path, checkpoint: 50)
        try fill(ledger, 10)
        let reader = try LedgerConnection(path: path, disk: nil)
        try reader.run("BEGIN")
        #expect(try reader.number("SELECT count(*) FROM accounts") == 10)
        try fill(ledger, 300, from: 10)
        #expect(try reader.number("SELECT count(*) FROM accounts") == 10)
        let held = try pages("-wal")
        #expect(held > 300)
        try reader.run("COMMIT")
        // The file isn't cut, but it doesn't grow while it is written over.
        try fill(ledger, 1_000, from: 310)
        #expect(try pages("-wal") < held + 400)
    }

    @Test("two servers on one file clear its log in turns, and lose nothing")
    func twice() throws {
        let one = try SQLiteLedger(path: path, checkpoint: 30)
        let two = try SQLiteLedger(path: path, checkpoint: 30)
        for number in 0..<600 {
            let ledger = number % 2 == 0 ? one : two
            #expect(try ledger.settle(.makeAccount(AccountName("a\(number)")!, password)) == .done)
        }
        for number in 0..<600 { #expect(try one.settle(.readPassword(AccountName("a\(number)")!)) != .none) }
    }
}
