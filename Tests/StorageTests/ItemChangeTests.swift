import Testing
import ThumbAccess
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

@Suite struct ItemChangeTests {
    let scratch: Scratch
    let store: Store
    var items: ItemDatabase { store.items }

    init() throws {
        scratch = try Scratch()
        store = try scratch.open()
    }

    private func changed(_ account: String, _ change: (inout StoredItem) throws -> Void) throws -> StoredItem {
        var item = try #require(try items.find(account: account))
        item.generation += 1
        try change(&item)
        return item
    }

    @Test("a replaced item has its new attributes, its old names are free, its secret stays")
    func attributes() throws {
        try items.insert(item("ann"), secret: secret("s"))
        let change = try changed("ann") {
            $0.attributes[.account] = .text("anna")
            $0.group = "org.example.new"
        }
        try items.replace([(change, nil)])
        #expect(try items.find(account: "ann") == nil)
        #expect(try items.find([.account: .text("anna")], groups: ["org.example.new"]) == [change])
        #expect(try items.text(of: change) == "s")
        try items.insert(item("ann"), secret: nil)
        #expect(try items.verify().isSound)
    }

    @Test("a kept secret is sealed anew under the new rule")
    func rule() throws {
        try items.insert(item("ann", rule: AccessRule(.always)), secret: secret("s"))
        let change = try changed("ann") { $0.rule = AccessRule(.whenUnlocked) }
        try items.replace([(change, nil)])
        #expect(try items.text(of: change) == "s")
        let stretch = try Stretch(cost: .least)
        try store.keybag.setPasscode(key: stretch.stretch(secret("1234")), PasscodeWay(stretch))
        store.keybag.dropKeys()
        #expect(throws: KeychainFailure.interactionNotAllowed) { try items.secret(of: change) }
        let back = try changed("ann") { $0.rule = AccessRule(.always) }
        #expect(throws: KeychainFailure.interactionNotAllowed) { try items.replace([(back, nil)]) }
        try items.replace([(back, secret("t"))])
        #expect(try items.text(of: back) == "t")
    }

    @Test("a change of several items is whole or not at all")
    func allOrNone() throws {
        for account in ["a", "b", "c"] { try items.insert(item(account), secret: secret(account)) }
        let before = try items.find()
        let first = try changed("a") { $0.attributes[.account] = .text("new") }
        let second = try changed("b") { $0.attributes[.account] = .text("c") }
        #expect(throws: KeychainFailure.duplicateItem) { try items.replace([(first, secret("x")), (second, nil)]) }
        #expect(try items.find() == before)
        #expect(try items.text(of: before[0]) == "a")
        var gone = try item("nobody")
        gone.generation = 2
        #expect(throws: KeychainFailure.itemNotFound) { try items.replace([(first, nil), (gone, nil)]) }
        #expect(try items.find() == before)
        #expect(try items.verify().isSound)
    }

    @Test("an item takes another's place, or that one stays; what it was is gone with its name in the same step")
    func inPlace() throws {
        try items.insert(item("ann", rule: AccessRule(.always)), secret: secret("old"))
        let old = try #require(try items.find(account: "ann"))
        let new = try item("ann", rule: AccessRule(.whenUnlocked))
        #expect(new.id != old.id)
        let stretch = try Stretch(cost: .least)
        try store.keybag.setPasscode(key: stretch.stretch(secret("1234")), PasscodeWay(stretch))
        store.keybag.dropKeys()
        #expect(throws: KeychainFailure.interactionNotAllowed) {
            try items.exchange(old, for: new, secret: secret("new"), applicationKey: nil)
        }
        #expect(try items.find() == [old] && items.text(of: old) == "old")
        let open = try item("ann", rule: AccessRule(.always))
        try items.exchange(old, for: open, secret: secret("new"), applicationKey: nil)
        #expect(try items.find() == [open] && items.text(of: open) == "new")
        #expect(throws: KeychainFailure.itemNotFound) {
            try items.exchange(old, for: try item("bob", rule: AccessRule(.always)), secret: nil, applicationKey: nil)
        }
        #expect(try items.find() == [open] && items.verify().isSound)
    }

    @Test("two items may exchange their names in one change")
    func exchange() throws {
        for account in ["a", "b"] { try items.insert(item(account), secret: secret(account)) }
        let first = try changed("a") { $0.attributes[.account] = .text("b") }
        let second = try changed("b") { $0.attributes[.account] = .text("a") }
        try items.replace([(first, nil), (second, nil)])
        #expect(try items.text(of: try #require(try items.find(account: "b"))) == "a")
        #expect(try items.verify().isSound)
    }

    @Test("an item changed since it was selected is neither replaced, nor marked, nor its secret given")
    func stale() throws {
        try items.insert(item("ann"), secret: secret("s"))
        let old = try #require(try items.find(account: "ann"))
        let change = try changed("ann") { $0.rule = AccessRule(.whenUnlocked) }
        try items.replace([(change, nil)])
        #expect(throws: KeychainFailure.itemNotFound) { try items.replace([(change, nil)]) }
        #expect(throws: KeychainFailure.itemNotFound) { try items.markDead(old) }
        #expect(throws: KeychainFailure.itemNotFound) { try items.secret(of: old) }
    }

    @Test("the secret that was read last isn't given again once its item was removed, marked or replaced")
    func remembered() throws {
        let changes: [(StoredItem) throws -> Void] = [
            { try items.remove([$0]) }, { try items.markDead($0) },
            {
                var next = $0
                next.generation += 1
                next.rule = AccessRule(.whenUnlocked)
                try items.replace([(next, nil)])
            },
        ]
        for (number, change) in changes.enumerated() {
            try items.insert(item("\(number)"), secret: secret("s"))
            // Only a search for one item remembers it.
            let old = try #require(try items.find([.account: .text("\(number)")], limit: 1).first)
            #expect(try items.text(of: old) == "s")
            #expect(items.latest?.isOf(old.id, old.generation) == true)
            try change(old)
            #expect(throws: KeychainFailure.itemNotFound, "\(number)") { try items.secret(of: old) }
        }
    }

    @Test("an item is marked dead while its class key is away, and its secret is never given again")
    func dead() throws {
        let made = try item("ann", rule: try AccessRule(.whenUnlocked, [.biometryCurrentSet]), enrolment: [1])
        try items.insert(made, secret: secret("s"))
        let stretch = try Stretch(cost: .least)
        let stretched = try stretch.stretch(secret("1234"))
        try store.keybag.setPasscode(key: stretched, PasscodeWay(stretch))
        store.keybag.dropKeys()
        try items.markDead(made)
        #expect(try store.keybag.openPasscodeSlot(key: stretched))
        let dead = try #require(try items.find(account: "ann"))
        #expect(dead.isDead && dead.generation == made.generation + 1)
        #expect(throws: KeychainFailure.itemNotFound) { try items.secret(of: dead) }
        var alive = dead
        alive.generation += 1
        alive.isDead = false
        // What was sealed is still whole: an owner's repair could bring it back.
        try items.replace([(alive, nil)])
        #expect(try items.text(of: alive) == "s")
        #expect(try items.verify().isSound)
    }

    @Test("a dead item gives its name up to a new one, and a living one doesn't")
    func deadName() throws {
        let made = try item("ann", rule: try AccessRule(.whenUnlocked, [.biometryCurrentSet]), enrolment: [1])
        try items.insert(made, secret: secret("s"))
        let next = try item("ann")
        #expect(throws: KeychainFailure.duplicateItem) { try items.insert(next, secret: secret("n")) }
        try items.markDead(made)
        try items.insert(next, secret: secret("n"))
        let found = try #require(try items.find(account: "ann"))
        #expect(found.id == next.id)
        #expect(try items.text(of: found) == "n")
        #expect(throws: KeychainFailure.duplicateItem) { try items.insert(try item("ann"), secret: secret("m")) }
        #expect(try items.verify().isSound)
    }
}
