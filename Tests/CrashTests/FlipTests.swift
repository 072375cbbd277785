import Foundation
import Testing
import ThumbAccess
import ThumbKeychain
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_store

@testable import ThumbStorage

/// One bit of a file is wrong, anywhere in it.
@Suite(.timeLimit(.minutes(30))) struct FlipTests {
    private static let count = 40
    /// Words of the owner's.
    private static let words = 20
    private static let page = 4096

    private let start: [String: [UInt8]]
    private let whole: Contents
    /// What stands for each item, and for each word, in the store.
    private let names: [String: [UInt8]]

    init() throws {
        let scratch = try Scratch()
        let deeds =
            (0..<Self.count).map { Deed.add("item \($0)", .init($0, size: 16 + $0)) }
            + (0..<Self.words).map { Deed.say("app \($0)", .init($0, size: 16 + $0)) }
        names = try {
            let store = try scratch.open()
            for deed in deeds { try store.perform(deed) }
            var names = try store.names()
            try store.items.connection.rows("SELECT row, tag FROM consents") {
                names["app \($0.integer(0) - 1)"] = $0.bytes(1)
                return true
            }
            return names
        }()
        start = try scratch.files
        whole = Contents().after(deeds)
    }

    private enum Outcome {
        case opened(lost: [String])
        /// An error, and the file is as it was.
        case refused
        case wrong(String)
    }

    private func outcome(_ scratch: Scratch, _ file: String) throws -> Outcome {
        let before = try scratch.files[file]
        do {
            let store = try scratch.open()
            let (readable, _) = try store.contents()
            for (account, item) in readable.items where whole.items[account] != item { return .wrong("\(account) is another") }
            for (app, word) in readable.words where whole.words[app] != word { return .wrong("a word on \(app) is another") }
            let unsaid = whole.words.keys.filter { readable.words[$0] == nil }
            return .opened(lost: whole.items.keys.filter { readable.items[$0] == nil } + unsaid)
        } catch is StorageError {
            return try scratch.files[file] == before ? .refused : .wrong("refused, but not left as it was")
        } catch KeychainFailure.damaged {
            // A page that SQLite can't read; found when it was asked for.
            return .refused
        } catch {
            return .wrong("\(error)")
        }
    }

    /// Whether a bit on this page may have lost these items.
    private func explains(_ file: [UInt8], _ place: Int, _ lost: [String]) -> Bool {
        let first = place / Self.page * Self.page
        switch file[first] {
        // A page above others: what lies below it.
        case 0x02, 0x05: return true
        // One of an index: the item that the entry was of.
        case 0x0a: return lost.count <= 1
        // Items themselves: those of which something stands there.
        default:
            let page = Data(file[first..<min(first + Self.page, file.count)])
            return lost.allSatisfy { name in names[name].map { page.range(of: Data($0)) != nil } ?? false }
        }
    }

    @Test("a wrong bit in the items never shows a wrong secret, and loses at most the record it hit, seldom those of its page")
    func items() throws {
        let file = try #require(start["items.db"])
        let scratch = try Scratch()
        var dice = Dice(for: "wrong bits in the items", usually: 7)
        let flips = isWhole ? 10_000 : 1000
        var (complaints, refused, many): ([String], Int, Int) = ([], 0, 0)
        for _ in 0..<flips {
            let (place, bit) = (Int.random(in: 0..<file.count, using: &dice), Int.random(in: 0..<8, using: &dice))
            var files = start
            files["items.db"]?[place] ^= 1 << bit
            try scratch.hold(files)
            switch try outcome(scratch, "items.db") {
            case .opened(let lost):
                if lost.count > 1 { many += 1 }
                if !explains(file, place, lost) {
                    complaints.append("bit \(bit) of \(place) lost \(lost.count) items elsewhere")
                }
            case .refused: refused += 1
            case .wrong(let what): complaints.append("bit \(bit) of \(place): \(what)")
            }
        }
        #expect(complaints == [])
        // What makes a page a page, in a table of the items themselves: seldom hit, and then its items are hard to tell apart.
        #expect(many * 200 <= flips, "\(many) of \(flips) flips lost more than one item")
        // The file's own head and the names of its tables, mostly.
        #expect(refused * 20 <= flips, "\(refused) of \(flips) flips had the store refused")
        Tally.note("flips", flips)
        Tally.note("lost", complaints.count)
    }

    @Test("a wrong bit in the keybag is refused, and the keybag left as it was")
    func keybag() throws {
        let file = try #require(start["keybag"])
        let scratch = try Scratch()
        var complaints: [String] = []
        let places = Array(stride(from: 0, to: file.count * 8, by: isWhole ? 1 : 7))
        for place in places {
            var files = start
            files["keybag"]?[place / 8] ^= 1 << (place % 8)
            try scratch.hold(files)
            guard case .refused = try outcome(scratch, "keybag") else {
                complaints.append("bit \(place) was not refused")
                continue
            }
        }
        #expect(complaints == [])
        Tally.note("flips", places.count)
        Tally.note("lost", complaints.count)
    }

    @Test("a wrong bit in the log of a crashed service ends the log there: what was true a moment before, never anything else")
    func log() throws {
        let scratch = try Scratch()
        try scratch.hold(start)
        let deeds = (0..<6).map { Deed.update("item \($0)", .init(100 + $0)) }
        var states = [whole]
        let files = try {
            let store = try scratch.open()
            for deed in deeds {
                try store.perform(deed)
                states.append(states[states.count - 1].after(deed))
            }
            return try scratch.files
        }()
        let log = try #require(files["items.db-wal"])
        var dice = Dice(for: "wrong bits in the log", usually: 11)
        let flips = isWhole ? 1000 : 100
        var complaints: [String] = []
        for _ in 0..<flips {
            let place = Int.random(in: 0..<log.count, using: &dice)
            var wrong = files
            wrong["items.db-wal"]?[place] ^= 1 << Int.random(in: 0..<8, using: &dice)
            try scratch.hold(wrong)
            if let found = complaint(about: scratch, expected: states) { complaints.append("at \(place): \(found)") }
        }
        #expect(complaints == [])
        Tally.note("flips", flips)
        Tally.note("lost", complaints.count)
    }
}
