import Foundation
import Testing
import ThumbAccess
import ThumbKeychain

@testable import ThumbStorage

@Suite struct StoreFileTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("a first run makes both files, for their owner alone")
    func firstRun() throws {
        let store = try scratch.open()
        #expect(try store.items.find() == [])
        for name in ["keybag", "items.db", "items.db-wal"] {
            let mode = try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + name)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: scratch.path)) == ["keybag", "items.db", "items.db-wal"])
    }

    @Test("a clean end folds the log away")
    func cleanEnd() throws {
        try Store.filled(scratch, ["a"])
        #expect(!scratch.has("items.db-wal"))
        #expect(try scratch.open().accounts == ["a"])
    }

    @Test("one of the two files missing is an error of its own, and nothing is made in its place")
    func missing() throws {
        try Store.filled(scratch, ["a"])
        let keybag = try scratch.bytes("keybag")
        let items = try scratch.bytes("items.db")
        try scratch.remove("keybag")
        #expect(code { _ = try scratch.open() } == .keybagMissing)
        #expect(!scratch.has("keybag"))
        try scratch.write(keybag, "keybag")
        try scratch.remove("items.db")
        #expect(code { _ = try scratch.open() } == .databaseMissing)
        #expect(!scratch.has("items.db"))
        try scratch.write(items, "items.db")
        #expect(try scratch.open().accounts == ["a"])
    }

    @Test("a first run that was cut off is taken up where it stopped")
    func foundingCutOff() throws {
        do {
            let keybag = try Keybag.create(in: StateFolder(path: scratch.path))
            #expect(keybag.isFounding)
        }
        try scratch.write([1, 2, 3], "items.new")
        #expect(try scratch.open().accounts == [])
        let other = try Scratch()
        do {
            let keybag = try Keybag.create(in: StateFolder(path: other.path))
            try ItemDatabase.found(for: keybag)
        }
        #expect(try other.open().accounts == [])
        try other.remove("items.db")
        #expect(code { _ = try other.open() } == .databaseMissing)
    }

    @Test("files of two stores mixed up are noticed")
    func mixedUp() throws {
        let other = try Scratch()
        try Store.filled(scratch, ["a"])
        try Store.filled(other, ["b"])
        try scratch.write(other.bytes("items.db"), "items.db")
        #expect(code { _ = try scratch.open() } == .foreignDatabase)
    }

    @Test("a second service is kept out")
    func inUse() throws {
        let store = try scratch.open()
        #expect(code { _ = try scratch.open() } == .inUse)
        #expect(try store.accounts == [])
    }

    @Test("a folder open to others is refused")
    func unsafeFolder() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: scratch.path)
        #expect(code { _ = try scratch.open() } == .unsafeFolder)
        #expect(code { _ = try StateFolder(path: scratch.path + "/a/b") } == .unsafeFolder || !scratch.has("a"))
    }

    @Test("a link in the place of the items is refused, and what it leads to is left as it is")
    func link() throws {
        try Store.filled(scratch, ["a"])
        let items = try scratch.bytes("items.db")
        try FileManager.default.moveItem(at: scratch.url("items.db"), to: scratch.url("elsewhere.db"))
        try FileManager.default.createSymbolicLink(atPath: scratch.path + "/items.db", withDestinationPath: "elsewhere.db")
        #expect(code { _ = try scratch.open() } == .cannotOpen)
        #expect(try scratch.bytes("elsewhere.db") == items)
    }

    @Test("what was acknowledged is there after a crash")
    func crash() throws {
        let store = try scratch.open()
        for number in 0..<50 { try store.items.insert(item("\(number)"), secret: secret("s\(number)")) }
        let copy = try scratch.crashed()
        let again = try copy.open()
        #expect(try again.accounts == (0..<50).map { "\($0)" })
        #expect(try again.items.verify().isSound)
    }

    @Test("a crashed store without its log says that the log is missing, and doesn't show an older state as the present one")
    func logMissing() throws {
        let store = try scratch.open()
        try store.items.insert(item("a"), secret: nil)
        let copy = try scratch.crashed()
        try copy.remove("items.db-wal")
        let before = try copy.bytes("items.db")
        #expect(code { _ = try copy.open() } == .logMissing)
        #expect(code { _ = try copy.open() } == .logMissing)
        #expect(try copy.bytes("items.db") == before)
        #expect(try copy.open(acceptingLosses: true).accounts == [])
        #expect(try copy.open().accounts == [])
        // A log with nothing in it is no log: a disk may keep the name and lose the rest.
        let emptied = try scratch.crashed()
        try emptied.write([], "items.db-wal")
        #expect(code { _ = try emptied.open() } == .logMissing)
        #expect(try emptied.bytes("items.db") == before)
        #expect(try emptied.open(acceptingLosses: true).accounts == [])
    }

    @Test("a store cut at any length is refused with a clear error or opens whole, and is left as it is")
    func cut() throws {
        let accounts = (0..<120).map { "account \($0)" }
        try Store.filled(scratch, accounts)
        let whole = try scratch.bytes("items.db")
        let keybag = try scratch.bytes("keybag")
        var offsets = [0, 1, 15, 16, 99, 100, 101, 512, 4095, 4096, 4097, whole.count / 2, whole.count - 1]
        offsets += stride(from: 4096 * 2, to: whole.count, by: 4096).flatMap { [$0, $0 + 1234] }
        var refused = 0
        for offset in offsets where offset < whole.count {
            let copy = try Scratch()
            try copy.write(keybag, "keybag")
            try copy.write(Array(whole[..<offset]), "items.db")
            do {
                let store = try copy.open()
                // Nothing may be missing without a word.
                let found = try store.accounts
                #expect(found.count + store.items.quarantined == accounts.count, "cut at \(offset)")
            } catch let error as StorageError {
                #expect([.databaseDamaged, .recordsMismatch].contains(error.code), "\(error)")
                refused += 1
                #expect(try copy.bytes("items.db") == Array(whole[..<offset]), "cut at \(offset)")
            }
        }
        #expect(refused > 10)
    }

    @Test("a store with bytes overwritten anywhere is refused, or sets apart what was hit; nothing goes missing in silence")
    func overwritten() throws {
        let accounts = (0..<60).map { "account \($0)" }
        try Store.filled(scratch, accounts)
        let whole = try scratch.bytes("items.db")
        let keybag = try scratch.bytes("keybag")
        for offset in stride(from: 0, to: whole.count - 32, by: 1009) {
            let copy = try Scratch()
            try copy.write(keybag, "keybag")
            var bytes = whole
            for place in offset..<offset + 32 { bytes[place] ^= 0xff }
            try copy.write(bytes, "items.db")
            do {
                let store = try copy.open()
                let report = try store.items.verify()
                let listed = try store.accounts.count
                let isToldOf = !report.isSound || listed + store.items.quarantined == accounts.count
                #expect(listed == accounts.count || isToldOf, "at \(offset)")
            } catch {
                #expect(error is StorageError || error is KeychainFailure, "\(error)")
            }
        }
    }

    @Test("other files in the database's place are refused and left as they are")
    func notOurs() throws {
        try Store.filled(scratch, ["a"])
        let whole = try scratch.bytes("items.db")
        let others: [[UInt8]] = [
            [], Array("not a database at all, but long enough to look at".utf8), [UInt8](repeating: 0, count: 8192),
        ]
        for other in others {
            try scratch.write(other, "items.db")
            #expect(code { _ = try scratch.open() } == .databaseDamaged)
            #expect(try scratch.bytes("items.db") == other)
        }
        try scratch.write(whole, "items.db")
        let changes = [
            "PRAGMA application_id = 1", "CREATE TABLE more(x)", "DROP TABLE quarantine",
            "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END",
        ]
        for change in changes {
            try scratch.write(whole, "items.db")
            try scratch.sql(change)
            #expect(code { _ = try scratch.open() } == .databaseDamaged, "\(change)")
        }
        try scratch.write(whole, "items.db")
        try scratch.sql("PRAGMA user_version = 7")
        #expect(code { _ = try scratch.open() } == .newer)
        try scratch.write(whole, "items.db")
        #expect(try scratch.open().accounts == ["a"])
    }
}
