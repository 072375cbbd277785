import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

@Suite struct AtRestTests {
    @Test("no name, attribute, group, secret or passcode is readable in any file, while running or after")
    func nothingReadable() throws {
        let markers = ["MARKaccount", "MARKservice", "MARKlabel", "MARKgroup", "MARKsecret", "MARKpasscode", "MARKenrolment"]
        let scratch = try Scratch()
        var code: [UInt8] = []
        func search(_ scratch: Scratch, _ names: [String]) throws {
            for name in names {
                let data = Data(try scratch.bytes(name))
                for marker in markers + [String(decoding: code, as: UTF8.self)] where !marker.isEmpty {
                    #expect(data.range(of: Data(marker.utf8)) == nil, "\(marker) in \(name)")
                }
            }
        }
        do {
            let store = try scratch.open()
            let stretch = try Stretch(cost: .least)
            try store.keybag.setPasscode(key: stretch.stretch(secret("MARKpasscode")), PasscodeWay(stretch))
            code = plain(try store.keybag.makeRecoveryCode())
            for number in 0..<20 {
                let made = try item(
                    "MARKaccount\(number)", service: "MARKservice", group: "MARKgroup",
                    rule: try AccessRule(.whenUnlocked, [.biometryCurrentSet]), more: [.label: .text("MARKlabel")],
                    enrolment: Array("MARKenrolment".utf8))
                try store.items.insert(made, secret: secret("MARKsecret"))
                if number % 2 == 0 { try store.items.remove([made]) }
            }
            try search(scratch, ["keybag", "items.db", "items.db-wal"])
        }
        try search(scratch, ["keybag", "items.db"])
        // The search itself would find something.
        try scratch.write(Array("xxMARKsecretxx".utf8), "probe")
        #expect(Data(try scratch.bytes("probe")).range(of: Data("MARKsecret".utf8)) != nil)
    }

    @Test("nothing is left of a secret's seal once its item was removed or its secret replaced", arguments: [true, false])
    func goneForGood(isRemoved: Bool) throws {
        let scratch = try Scratch()
        var made = try item("ann")
        do { try scratch.open().items.insert(made, secret: SecretBytes(copying: [UInt8](repeating: 7, count: 6000))) }
        let digits = Array(try scratch.sql("SELECT hex(secret) FROM contents")[0].utf8)
        let seal = Data(
            stride(from: 0, to: digits.count, by: 2).compactMap { place in
                UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
            })
        // It takes two pages: a piece that lies across their border isn't found as a whole.
        let pieces = stride(from: 0, to: seal.count - 32, by: 256).map { seal[$0..<$0 + 32] }
        func found() throws -> Int {
            let file = Data(try scratch.bytes("items.db"))
            return pieces.count { file.range(of: $0) != nil }
        }
        #expect(try pieces.count > 20 && found() > 20)
        do {
            let items = try scratch.open().items
            if isRemoved {
                try items.remove([made])
            } else {
                made.generation += 1
                try items.replace([(made, secret("s"))])
            }
        }
        #expect(try found() == 0)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: scratch.path)) == ["keybag", "items.db"])
    }

    @Test("with a passcode set, the keybag holds neither the first-unlock nor the passcode key in clear")
    func keys() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let first = try #require(store.keybag.key(.firstUnlock))
        let clear = { () -> Bool in
            try Data(scratch.bytes("keybag")).range(of: Data(plain(first))) != nil
        }
        #expect(try clear())
        let stretch = try Stretch(cost: .least)
        try store.keybag.setPasscode(key: stretch.stretch(secret("1234")), PasscodeWay(stretch))
        #expect(try !clear())
        #expect(!scratch.has("keybag.new"))
    }

    @Test("equal names in different groups and classes have nothing in common at rest")
    func lookupsDiffer() throws {
        let scratch = try Scratch()
        try {
            let store = try scratch.open()
            try store.items.insert(item("ann", group: "a"), secret: nil)
            try store.items.insert(item("ann", group: "b"), secret: nil)
        }()
        #expect(try scratch.sql("SELECT mac FROM lookups GROUP BY mac HAVING count(*) > 1").isEmpty)
        #expect(try scratch.sql("SELECT count(*) FROM lookups") == ["8"])
    }

    @Test("an item costs less than a kilobyte beyond its own bytes")
    func size() throws {
        let scratch = try Scratch()
        try {
            let store = try scratch.open()
            for number in 0..<1000 {
                let more: Attributes = [
                    .label: .text("label \(number)"), .created: .date(1), .modified: .date(2), .synchronizable: .number(0),
                    .generic: .data([1, 2, 3]), .comment: .text("comment"),
                ]
                try store.items.insert(item("account \(number)", more: more), secret: secret("a password"))
            }
        }()
        #expect(try scratch.bytes("items.db").count / 1000 < 1024)
    }
}
