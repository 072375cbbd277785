import Foundation
import Testing
import ThumbAccess
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

@Suite struct ItemTests {
    let scratch: Scratch
    let store: Store
    var items: ItemDatabase { store.items }

    init() throws {
        scratch = try Scratch()
        store = try scratch.open()
    }

    @Test("an item comes back as it was put in, after a restart too")
    func roundTrip() throws {
        let scratch = try Scratch()
        let all: Attributes = [
            .label: .text("Ein Label mit Ümlaut\nund Zeile"), .generic: .data([0, 255, 10]), .creator: .number(-7),
            .invisible: .flag(true), .created: .date(1.25), .modified: .date(-3), .comment: .text(""), .type: .data([]),
        ]
        let rule = try AccessRule(.whenUnlockedThisDeviceOnly, [.biometryCurrentSet, .or, .devicePasscode])
        var made = try item("ann", rule: rule, more: all, enrolment: [1, 2, 3])
        made.generation = 9
        do {
            let store = try scratch.open()
            try store.items.insert(made, secret: secret("s"))
            #expect(try store.items.find() == [made])
        }
        let again = try scratch.open()
        #expect(try again.items.find() == [made])
        #expect(try again.items.text(of: made) == "s")
        #expect(try again.items.select(Selection(itemClass: nil, groups: [group], id: made.id)) == [made])
        #expect(try again.items.select(Selection(itemClass: nil, groups: ["other"], id: made.id)) == [])
    }

    @Test("secrets of any bytes up to a megabyte, and not one more", arguments: [0, 1, 4096, 1 << 20])
    func secretSizes(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let made = try item("ann")
        try items.insert(made, secret: SecretBytes(copying: bytes))
        #expect(try items.secret(of: made) == SecretBytes(copying: bytes))
    }

    @Test("what is beyond the limits is refused and leaves nothing")
    func limits() throws {
        let tooLong = try SecretBytes(copying: [UInt8](repeating: 0, count: QueryLimit.secretBytes + 1))
        #expect(throws: KeychainFailure.dataTooLarge) { try items.insert(item("a"), secret: tooLong) }
        let label = AttributeValue.data([UInt8](repeating: 0, count: QueryLimit.attributeBytes + 1))
        #expect(throws: KeychainFailure.dataTooLarge) { try items.insert(item("a", more: [.label: label]), secret: nil) }
        let most = AttributeValue.data([UInt8](repeating: 0, count: QueryLimit.attributeBytes))
        try items.insert(item("most", more: [.label: most]), secret: nil)
        let many: Attributes = [.label: most, .comment: most, .description: most, .generic: most, .type: .data([1])]
        #expect(throws: KeychainFailure.dataTooLarge) { try items.insert(item("a", more: many), secret: nil) }
        #expect(try items.find().count == 1)
    }

    @Test("a group's name has at most 1,024 bytes and an enrolment 255: what is longer couldn't be read again, and is refused")
    func longNames() throws {
        let longest = ExactName(String(repeating: "g", count: ItemLimits.group))
        let enrolment = [UInt8](repeating: 1, count: ItemLimits.enrolment)
        let made = try item("a", group: longest, enrolment: enrolment)
        try items.insert(made, secret: secret("s"))
        #expect(try items.find(groups: [longest]) == [made])
        let longer = [try item("b", group: ExactName(longest.text + "g")), try item("b", enrolment: enrolment + [1])]
        for item in longer {
            #expect(throws: KeychainFailure.dataTooLarge) { try items.insert(item, secret: nil) }
        }
        #expect(try items.verify().isSound && items.count == 1)
    }

    @Test("newlines and NULs in names and secrets are bytes like others")
    func oddBytes() throws {
        let made = try item("a\nb\0c", service: "\0")
        try items.insert(made, secret: secret("x\0y\n"))
        #expect(try items.find([.account: .text("a\nb\0c"), .service: .text("\0")]) == [made])
        #expect(try items.find([.account: .text("a\nb")]) == [])
        #expect(try items.text(of: made) == "x\0y\n")
    }

    @Test("text and data with the same bytes find each other, and each comes back as it was put in")
    func textAndData() throws {
        let made = try item("ann", more: [.generic: .data(Array("tag".utf8))])
        try items.insert(made, secret: secret("s"))
        #expect(try items.find([.account: .data(Array("ann".utf8)), .generic: .text("tag")]) == [made])
    }

    @Test("an item without data is not one with empty data")
    func noSecret() throws {
        try items.insert(item("none"), secret: nil)
        try items.insert(item("empty"), secret: secret(""))
        let none = try #require(try items.find(account: "none"))
        let empty = try #require(try items.find(account: "empty"))
        #expect(!none.hasSecret && empty.hasSecret)
        #expect(throws: KeychainFailure.itemNotFound) { try items.secret(of: none) }
        #expect(try items.secret(of: empty).isEmpty)
    }

    @Test("the same names in the same group exist once")
    func duplicate() throws {
        try items.insert(item("ann", more: [.label: .text("first")]), secret: nil)
        #expect(throws: KeychainFailure.duplicateItem) { try items.insert(item("ann"), secret: nil) }
        try items.insert(item("ann", group: "org.example.other"), secret: nil)
        try items.insert(item("ann", more: [.synchronizable: .number(1)]), secret: nil)
        let same = try item("bob")
        try items.insert(same, secret: nil)
        var clash = try item("carl")
        clash.id = same.id
        #expect(throws: KeychainFailure.duplicateItem) { try items.insert(clash, secret: nil) }
    }

    @Test("lists come in the order of insertion, across groups, up to the limit")
    func order() throws {
        for number in 0..<600 {
            try items.insert(item("\(number)", group: number % 3 == 0 ? "b" : "a"), secret: nil)
        }
        let numbers = try items.find(groups: ["b", "a"]).map { try #require($0.attributes[.account]) }
        #expect(numbers == (0..<600).map { .text("\($0)") })
        #expect(try items.find(groups: ["a", "b"], limit: 7).count == 7)
        #expect(try items.find(groups: ["b"]).count == 200)
        #expect(try items.find(groups: []) == [])
        #expect(try items.select(Selection(itemClass: nil, groups: ["a", "b"])).count == 600)
        #expect(try items.select(Selection(itemClass: .key, groups: ["a", "b"])) == [])
    }

    @Test("groups whose names look alike are different ones; one that is named twice is looked into once")
    func groups() throws {
        let (composed, decomposed): (ExactName, ExactName) = ("caf\u{e9}", "cafe\u{301}")
        let made = [try item("ann", group: composed), try item("ann", group: decomposed)]
        for item in made { try items.insert(item, secret: nil) }
        #expect(try items.find(groups: [composed, decomposed]).map(\.id) == made.map(\.id))
        #expect(try items.find(groups: [decomposed, decomposed]).map(\.id) == [made[1].id])
    }

    @Test("every one of the attributes asked for must be equal, indexed or not")
    func attributes() throws {
        let made = try item("ann", more: [.label: .text("L"), .created: .date(5), .creator: .number(3)])
        try items.insert(made, secret: secret("s"))
        try items.insert(item("bob", more: [.label: .text("L")]), secret: nil)
        #expect(try items.find([.label: .text("L"), .created: .date(5)]) == [made])
        #expect(try items.find([.label: .text("L"), .created: .date(6)]) == [])
        #expect(try items.find([.created: .date(5)]) == [made])
        #expect(try items.find([.label: .text("L"), .creator: .number(3)]) == [made])
        #expect(try items.find([.label: .text("L"), .comment: .text("")]) == [])
        #expect(try items.find([.service: .text("mail")]).count == 2)
    }

    @Test("the synchronizable column filters; an item without it is local")
    func sync() throws {
        try items.insert(item("without"), secret: nil)
        try items.insert(item("local", more: [.synchronizable: .number(0)]), secret: nil)
        try items.insert(item("synced", more: [.synchronizable: .flag(true)]), secret: nil)
        #expect(try items.find(sync: .localOnly).count == 2)
        #expect(try items.find(sync: .syncedOnly).count == 1)
        #expect(try items.find(sync: .any).count == 3)
    }

    @Test("a removed item is gone; removing it again is no failure")
    func remove() throws {
        try items.insert(item("ann"), secret: secret("s"))
        try items.insert(item("bob"), secret: nil)
        let ann = try #require(try items.find(account: "ann"))
        try items.remove([ann])
        try items.remove([ann])
        #expect(try store.accounts == ["bob"])
        #expect(throws: KeychainFailure.itemNotFound) { try items.secret(of: ann) }
        #expect(try items.verify().isSound)
    }
}
