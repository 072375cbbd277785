import CThumbLinux
import Foundation
import Testing
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_disk
import thumbturn_test_programs

@testable import ThumbLedgers

/// What only a file can be: another program's, a folder, read-only, on a disk that is full or fails.
@Suite struct FileTests {
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.path + "/sign-in.db"
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test("the file is its owner's alone, and so is its log")
    func mode() throws {
        let ledger = try SQLiteLedger(path: path)
        _ = try ledger.settle(.makeAccount(anna, password))
        for name in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("a file that is no database, or another program's, is refused and left as it is")
    func foreign() throws {
        let text = Data(String(repeating: "not a database\n", count: 100).utf8)
        try text.write(to: URL(filePath: path))
        #expect(performing: { try SQLiteLedger(path: path) }, throws: { isUnusable($0, "no database") })
        #expect(try bytes() == text)

        try FileManager.default.removeItem(atPath: path)
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        do { try LedgerConnection(path: path, disk: nil).run("CREATE TABLE notes(text TEXT)") }
        let other = try bytes()
        #expect(performing: { try SQLiteLedger(path: path) }, throws: { isUnusable($0, "another program") })
        #expect(try bytes() == other)
    }

    @Test("a trigger that somebody put into the file doesn't run, and a view isn't read")
    func schema() throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let connection = try LedgerConnection(path: path, disk: nil)
        try connection.run("CREATE TABLE notes(text TEXT)")
        try connection.run("CREATE TRIGGER gone AFTER INSERT ON notes BEGIN DELETE FROM notes; END")
        try connection.run("INSERT INTO notes VALUES('a')")
        #expect(try connection.number("SELECT count(*) FROM notes") == 1)
        try connection.run("CREATE VIEW all_notes AS SELECT text FROM notes")
        #expect(performing: { try connection.number("SELECT count(*) FROM all_notes") }, throws: { isUnusable($0, "statement") })
    }

    @Test("an empty file, as a crash before the first commit leaves it, becomes a ledger")
    func empty() throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(try SQLiteLedger(path: path).settle(.makeAccount(anna, password)) == .done)
    }

    @Test("a server begins its log as soon as another server, which starts at the same time, lets go of the file")
    func contended() throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let (other, connection) = (try LedgerConnection(path: path, disk: nil), try LedgerConnection(path: path, disk: nil))
        try other.run("BEGIN IMMEDIATE")
        var pauses = 0
        let isKept = try connection.keepLog {
            pauses += 1
            if pauses == 3 { other.rollBack() }
        }
        #expect(isKept && pauses == 3)
        #expect(try SQLiteLedger(path: path).settle(.makeAccount(anna, password)) == .done)
    }

    @Test("a server that never gets the file to itself says so")
    func neverAlone() throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let (other, connection) = (try LedgerConnection(path: path, disk: nil), try LedgerConnection(path: path, disk: nil))
        try other.run("BEGIN IMMEDIATE")
        #expect(performing: { try connection.keepLog {} }, throws: { isUnavailable($0, "another process has the file") })
    }

    @Test("a disk on which SQLite can't keep its log is refused, and nothing is written there")
    func noLog() throws {
        // With files in the place of locks SQLite shares no memory, as on disks that can't.
        #expect(
            performing: { try SQLiteLedger(path: path, disk: "unix-dotfile") },
            throws: { isUnavailable($0, "log can't be kept") })
        #expect(try bytes().isEmpty)
    }

    @Test("a folder, and a place where there is none, are clear failures")
    func noFile() throws {
        #expect(performing: { try SQLiteLedger(path: folder.path) }, throws: { isUnavailable($0, "can't be opened") })
        #expect(performing: { try SQLiteLedger(path: path + "/sign-in.db") }, throws: { isUnavailable($0, "No such file") })
        #expect(performing: { try SQLiteLedger(path: "") }, throws: { isUnavailable($0) })
    }

    @Test("damage is told, and is nobody's answer")
    func damage() throws {
        do {
            let ledger = try SQLiteLedger(path: path)
            for number in 0..<50 { _ = try ledger.settle(.makeAccount(AccountName("a\(number)")!, password)) }
        }
        // Everything behind the first page, which tells the tables.
        var all = try bytes()
        all.replaceSubrange(4096..., with: Data(repeating: 0xa5, count: all.count - 4096))
        try all.write(to: URL(filePath: path))
        #expect(
            performing: { try SQLiteLedger(path: path).settle(.readPassword(AccountName("a1")!)) },
            throws: {
                isUnusable($0, "damaged")
            })
    }

    @Test("a value that nobody could have written is damage too")
    func nonsense() throws {
        let ledger = try SQLiteLedger(path: path)
        _ = try ledger.settle([.makeAccount(anna, password)] + enrol(1) + [give(1)], at: start)
        try LedgerConnection(path: path, disk: nil).run("UPDATE challenges SET purpose = 'payment'")
        #expect(performing: { try ledger.settle(signIn(1, 1, 1)) }, throws: { isUnusable($0, "a purpose") })
        // The transaction ended with it.
        #expect(try ledger.settle(give(2)) == .done)
    }

    @Test("where writes and syncs fail, at whatever place, nothing that was answered is lost and nothing refused is there")
    func faults() throws {
        let (disk, name) = (try Disk(), path)
        var (complaints, unknown) = (0, 0)
        let count = try disk.steps { complaints += try Self.work(name + "-0", disk.name) { _, _ in } }
        #expect(count > 100)
        #expect(complaints == 0)
        for fault in [thumb_disk_broken, thumb_disk_full] {
            for place in 0..<count {
                let file = "\(name)-\(fault.rawValue)-\(place)"
                var answered: [AccountName: Bool?] = [:]
                disk.fail(at: place, fault)
                // True: done; false: known not to be; nil: nobody knows.
                complaints += (try? Self.work(file, disk.name) { answered[$0] = $1 }) ?? 0
                disk.heal()
                unknown += answered.values.count { $0 == nil }
                guard let ledger = try? SQLiteLedger(path: file) else {
                    Issue.record("\(fault) at \(place): it doesn't open any more")
                    continue
                }
                for (account, isDone) in answered {
                    let isThere = try ledger.settle(.readPassword(account)) != .none
                    if let isDone { #expect(isThere == isDone, "\(fault) at \(place): \(account.text)") }
                }
            }
        }
        // Some of the places are in clearing the log, beside the batches.
        #expect(complaints > 0)
        // A commit that the disk failed in the midst of may have been done: a power cut then would leave it there.
        #expect(unknown > 0)
    }

    @Test("a batch's log is on disk before it is answered, or a power cut would lose what somebody was told")
    func synced() throws {
        let disk = try Disk()
        disk.record()
        do {
            let ledger = try SQLiteLedger(path: path, disk: disk.name)
            for number in 0..<16 {
                #expect(try ledger.settle(.makeAccount(AccountName("a\(number)")!, password)) == .done)
                disk.mark()
            }
            withExtendedLifetime(ledger) {}
        }
        let steps = disk.stepsOfLog
        #expect(steps.count == 16)
        for done in steps { #expect(done.contains(.written) && done.last == .synced, "\(done)") }
    }

    @Test("a log that is synced only when it is folded: the test above can fail")
    func unsynced() throws {
        let disk = try Disk()
        do {
            let ledger = try SQLiteLedger(path: path, disk: disk.name)
            #expect(try ledger.settle(.makeAccount(anna, password)) == .done)
            let connection = try LedgerConnection(path: path, disk: disk.name)
            try connection.run("PRAGMA synchronous=NORMAL")
            disk.record()
            try connection.run("UPDATE accounts SET misses = 1")
            withExtendedLifetime((ledger, connection)) { disk.mark() }
        }
        #expect(disk.stepsOfLog.count == 1 && disk.stepsOfLog.first?.last == .written, "\(disk.stepsOfLog)")
    }

    /// Makes a ledger and accounts in it, tells of each what it knows, and returns how often clearing the log failed.
    private static func work(_ path: String, _ disk: String, _ tell: (AccountName, Bool?) -> Void) throws -> Int {
        let complaints = Locked(0)
        do {
            let ledger = try SQLiteLedger(path: path, disk: disk, migrations: Migration.all, checkpoint: 8) { _ in
                complaints.withLock { $0 += 1 }
            }
            for number in 0..<16 {
                let account = AccountName("a\(number)")!
                do throws(LedgerFailure) {
                    tell(account, try ledger.settle(.makeAccount(account, password)) == .done)
                } catch {
                    if case .uncertain = error { tell(account, nil) } else { tell(account, false) }
                }
            }
        }
        return complaints.withLock { $0 }
    }
}

/// A small disk (root alone can mount one), or one that is only read.
@Suite(.enabled(if: geteuid() == 0, "only root can mount a small or read-only file system")) struct MountTests {
    private final class Mount {
        let folder: Folder

        init() throws {
            folder = try Folder()
            try Self.run("mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", folder.path)
        }
        deinit { try? Self.run("umount", "-l", folder.path) }

        func remount(_ options: String) throws { try Self.run("mount", "-o", "remount,\(options)", folder.path) }

        private static func run(_ words: String...) throws {
            let process = OwnProcess()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = words
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "\(words)")
        }
    }

    @Test("a read-only disk is a clear failure, before and after the first run")
    func readOnly() throws {
        let mount = try Mount()
        let path = mount.folder.path + "/sign-in.db"
        try mount.remount("ro")
        #expect(performing: { try SQLiteLedger(path: path) }, throws: { isUnavailable($0, "Read-only") })
        try mount.remount("rw")
        do { _ = try SQLiteLedger(path: path).settle(.makeAccount(anna, password)) }
        try mount.remount("ro")
        #expect(performing: { try SQLiteLedger(path: path) }, throws: { isUnavailable($0, "can't be written") })
        try mount.remount("rw")
        #expect(try SQLiteLedger(path: path).settle(.readPassword(anna)) != .none)
    }

    @Test("a full disk refuses what it can't keep, keeps what it answered, and goes on when there is room")
    func full() throws {
        let mount = try Mount()
        let path = mount.folder.path + "/sign-in.db"
        let ledger = try SQLiteLedger(path: path)
        var kept = 0
        var failure: LedgerFailure?
        while failure == nil && kept < 20_000 {
            do throws(LedgerFailure) {
                _ = try ledger.settle((0..<50).map { .makeAccount(AccountName("\(kept + $0)")!, password) }, at: start)
                kept += 50
            } catch { failure = error }
        }
        #expect(failure.map { isUnavailable($0, "full") } == true)
        #expect(kept > 100)
        #expect(try ledger.settle(.readPassword(AccountName("\(kept - 1)")!)) != .none)
        #expect(try ledger.settle(.readPassword(AccountName("\(kept)")!)) == .none)
        try mount.remount("size=8m")
        #expect(try ledger.settle(.makeAccount(anna, password)) == .done)
        let again = try SQLiteLedger(path: path)
        for number in 0..<kept { #expect(try again.settle(.readPassword(AccountName("\(number)")!)) != .none) }
        #expect(try again.settle(.readPassword(AccountName("\(kept)")!)) == .none)
    }
}

/// A disk that fails where it is told to, and knows what was done to the log.
private final class Disk {
    enum Step { case written, synced, other }

    let name = "ledger-disk-" + UUID().uuidString
    private let disk: OpaquePointer

    init() throws { disk = try #require(thumb_disk_make(name)) }
    deinit { thumb_disk_free(disk) }

    func fail(at place: Int, _ fault: thumb_disk_fault) { thumb_disk_fail(disk, Int64(place), Int32(fault.rawValue), 0) }
    func heal() { thumb_disk_fail(disk, 0, 0, 0) }

    func record() { thumb_disk_record(disk, 1) }
    func mark() { thumb_disk_mark(disk, 0) }

    /// What was done to the log before each mark, since the one before it.
    var stepsOfLog: [[Step]] {
        var (steps, found): ([Step], [[Step]]) = ([], [])
        for place in 0..<thumb_disk_event_count(disk) {
            let event = thumb_disk_event_at(disk, place)
            if event.kind == Int32(thumb_disk_marked.rawValue) {
                found.append(steps)
                steps = []
            } else if String(cString: event.name).hasSuffix("-wal") {
                switch event.kind {
                case Int32(thumb_disk_written.rawValue): steps.append(.written)
                case Int32(thumb_disk_synced.rawValue): steps.append(.synced)
                default: steps.append(.other)
                }
            }
        }
        return found
    }

    /// How many writes and syncs there are in that.
    func steps(_ body: () throws -> Void) rethrows -> Int {
        heal()
        try body()
        return Int(thumb_disk_steps(disk))
    }
}
