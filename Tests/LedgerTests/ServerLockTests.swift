import CThumbLinux
import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbLedgers

@Suite("One server on an SQLite file") struct ServerLockTests {
    private static let next = Migration(sqlite: ["CREATE TABLE later(number INTEGER NOT NULL) STRICT"], postgres: [])

    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.path + "/sign-in.db"
    }

    private func server(_ path: String) throws(LedgerFailure) -> SQLiteLedger {
        try SQLiteLedger(path: path, for: .serving) { Issue.record("beside the batches: \($0.words)") }
    }

    @Test("A second one is refused, by whatever name it knows the file, and may begin when the first has ended")
    func second() throws {
        let link = folder.path + "/link.db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        var first: SQLiteLedger? = try server(path)
        for name in [path, link, folder.path + "/./sign-in.db"] {
            #expect(performing: { try server(name) }, throws: { isUnavailable($0, "another server serves from this file") })
        }
        // The first isn't harmed, and what was refused changed nothing.
        #expect(try first?.settle(.makeAccount(anna, password)) == .done)
        first = nil
        #expect(try server(link).settle(.readPassword(anna)) != .none)
        #expect(!FileManager.default.fileExists(atPath: link + "-lock"))
    }

    @Test("Beside it a command works as ever, and neither takes the other's place")
    func visitor() throws {
        let server = try server(path)
        for number in 0..<3 {
            #expect(try SQLiteLedger(path: path).settle(.makeAccount(AccountName("a\(number)")!, password)) == .done)
        }
        #expect(try server.settle(.readPassword(AccountName("a2")!)) != .none)
        #expect(performing: { try self.server(path) }, throws: { isUnavailable($0, "another server") })
    }

    @Test("A command of a later version doesn't change the tables under it, and does so when it has ended")
    func migration() throws {
        var server: SQLiteLedger? = try server(path)
        let migrations = Migration.all + [Self.next]
        #expect(
            performing: { try SQLiteLedger(path: path, migrations: migrations) },
            throws: { isUnavailable($0, "a server of an earlier version") })
        #expect(try server?.settle(.makeAccount(anna, password)) == .done)
        server = nil
        #expect(try SQLiteLedger(path: path, migrations: migrations).settle(.readPassword(anna)) != .none)
        #expect(try LedgerConnection(path: path, disk: nil).number("SELECT number FROM version") == 3)
    }

    @Test("A server waits for who only migrates, and its lock is its owner's alone")
    func waits() throws {
        _ = try SQLiteLedger(path: path)
        var lock = try ServerLock(of: path)
        try #require(lock != nil)
        var pauses = 0
        let own = try SQLiteLedger.serverLock(of: path) {
            pauses += 1
            if pauses == 3 { lock = nil }
        }
        #expect(pauses == 3 && lock == nil)
        // And nobody gets it from now on.
        #expect(performing: { try SQLiteLedger.serverLock(of: path) {} }, throws: { isUnavailable($0, "another server") })
        withExtendedLifetime(own) {}
        let mode = try FileManager.default.attributesOfItem(atPath: path + "-lock")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(
        "What root's command makes for a database of another user's is that user's",
        .enabled(if: geteuid() == 0, "takes root"))
    func owner() throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        try #require(chown(path, 65534, 65534) == 0)
        let ledger = try SQLiteLedger(path: path)
        for name in ["", "-wal", "-lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
            #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == 65534, "\(name)")
        }
        withExtendedLifetime(ledger) {}
    }

    @Test("A link in the lock's place is followed by nobody, to a file or to none")
    func linked() throws {
        let (other, none) = (folder.path + "/other", folder.path + "/none")
        #expect(FileManager.default.createFile(atPath: other, contents: nil))
        for target in [other, none] {
            try FileManager.default.createSymbolicLink(atPath: path + "-lock", withDestinationPath: target)
            // Root gives the lock to the database's owner, and would give what the link leads to.
            #expect(performing: { try server(path) }, throws: { isUnavailable($0, "making the lock") })
            #expect(performing: { try SQLiteLedger(path: path) }, throws: { isUnavailable($0, "making the lock") })
            #expect(unlink(path + "-lock") == 0)
        }
        #expect(!FileManager.default.fileExists(atPath: none))
        #expect(try server(path).settle(.makeAccount(anna, password)) == .done)
    }

    @Test("A place where no lock can be made is a clear failure")
    func noLock() throws {
        try FileManager.default.createDirectory(atPath: path + "-lock", withIntermediateDirectories: false)
        #expect(performing: { try server(path) }, throws: { isUnavailable($0, "making the lock") })
    }
}
