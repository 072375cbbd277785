import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain

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
