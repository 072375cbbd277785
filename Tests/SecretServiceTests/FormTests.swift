import Testing
import ThumbAccess
import ThumbSecretService

@Suite("The form of kept items")
struct FormTests {
    @Test("attributes are kept in one form, whatever their order, and come back")
    func roundTrip() throws {
        let one = try attributes([("b", "2"), ("a", ""), ("ü", "✓")])
        #expect(one == (try attributes([("ü", "✓"), ("a", ""), ("b", "2")])))
        #expect(ItemAttributes(kept: one.bytes)?.pairs == one.pairs)
        #expect(one["b"] == "2" && one["c"] == nil)
        #expect(one.bytes.prefix(5) == [0, 0, 0, 1, 0x61])
    }

    @Test("a name that is there twice isn't taken; names that only look alike are two")
    func twice() throws {
        #expect(throws: ServiceFailure.invalid) { try attributes([("a", "1"), ("a", "2")]) }
        #expect(try attributes([("\u{212A}", "1"), ("K", "2")]).pairs.count == 2)
    }

    @Test("as many attributes as may be are taken, and not one more")
    func count() throws {
        let most = (0..<SecretServiceLimit.attributes).map { ("\($0)", "") }
        _ = try attributes(most)
        #expect(throws: ServiceFailure.invalid) { try attributes(most + [("more", "")]) }
    }

    @Test("attributes of as many bytes as may be are taken, and not of one more")
    func bytes() throws {
        let room = SecretServiceLimit.attributeBytes - 9
        _ = try attributes([("a", String(repeating: "x", count: room))])
        #expect(throws: ServiceFailure.invalid) { try attributes([("a", String(repeating: "x", count: room + 1))]) }
    }

    @Test(
        "another form isn't read",
        arguments: [
            [0], [0, 0, 0, 1], [0, 0, 0, 1, 0x61], [0, 0, 0, 9, 0x61], [0, 0, 0, 1, 0xff, 0, 0, 0, 0],
            // The second name isn't after the first.
            [0, 0, 0, 1, 0x62, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0],
            [0, 0, 0, 1, 0x61, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0],
        ] as [[UInt8]])
    func other(bytes: [UInt8]) { #expect(ItemAttributes(kept: bytes) == nil) }

    @Test("an item comes back from the keychain as it was")
    func item() throws {
        let item = SecretItem(
            place: ItemPlace(.login, 7), reference: [1, 2], maker: "/usr/bin/a", label: "Label",
            attributes: try attributes([("a", "1")]),
            contentType: "text/plain; charset=utf8", created: 978_307_200, modified: 978_307_201)
        var kept = KeptForm.attributes(of: item)
        #expect(kept[.service] == .text("item in login") && kept[.account] == .text("7"))
        kept[.created] = .date(0)
        kept[.modified] = .date(1)
        let found = FoundItem(itemClass: .genericPassword, attributes: kept, rule: KeptForm.rule, persistentRef: [1, 2])
        #expect(KeptForm.read(found) == .item(item))
    }

    @Test("a collection comes back from the keychain as it was")
    func collection() throws {
        let name = try #require(CollectionName("work"))
        let collection = SecretCollection(name: name, reference: [1], label: "Work", aliases: ["default", "office"])
        let found = FoundItem(
            itemClass: .genericPassword, attributes: KeptForm.attributes(of: collection), rule: KeptForm.rule, persistentRef: [1])
        #expect(KeptForm.read(found) == .collection(collection))
    }

    @Test("what is kept goes along to another device, and is read without the owner once the store is open")
    func rule() { #expect(KeptForm.rule == AccessRule(.afterFirstUnlock)) }

    @Test(
        "what has another form is no item",
        arguments: [
            (AttributeName.service, AttributeValue.text("item in a/b")), (.service, .text("item in session")),
            (.service, .text("thing")), (.account, .text("a-b")), (.account, .data([7])), (.comment, .flag(true)),
            (.generic, .data([1])),
        ] as [(AttributeName, AttributeValue)])
    func otherItem(name: AttributeName, value: AttributeValue) throws {
        let item = SecretItem(
            place: ItemPlace(.login, 7), maker: "/usr/bin/a", label: "", attributes: .none, contentType: "")
        var kept = KeptForm.attributes(of: item)
        kept[name] = value
        let found = FoundItem(itemClass: .genericPassword, attributes: kept, rule: KeptForm.rule, persistentRef: [1])
        #expect(KeptForm.read(found) == nil)
    }

    @Test("labels, content types and secrets as large as may be are taken, and not larger ones")
    func limits() {
        func fits(_ label: Int, _ type: Int, _ secret: Int) -> Bool {
            SecretItem.isWithinLimits(
                label: String(repeating: "x", count: label), contentType: String(repeating: "x", count: type), secretBytes: secret
            )
        }
        let (label, type, secret) = (
            SecretServiceLimit.labelBytes, SecretServiceLimit.contentTypeBytes, SecretServiceLimit.secretBytes
        )
        #expect(fits(label, type, secret))
        #expect(!fits(label + 1, type, secret) && !fits(label, type + 1, secret) && !fits(label, type, secret + 1))
    }

    @Test("as many attributes as may be come back, and one more is another form")
    func mostAttributes() throws {
        let most = try attributes((0..<SecretServiceLimit.attributes).map { ("\($0)", "") })
        #expect(ItemAttributes(kept: most.bytes) == most)
        // A letter comes after all numbers.
        #expect(ItemAttributes(kept: most.bytes + [0, 0, 0, 1, 0x61, 0, 0, 0, 0]) == nil)
    }

    @Test("a collection comes back with as many aliases as may be, and one of another form is none")
    func aliases() throws {
        let collection = SecretCollection(
            name: try #require(CollectionName("work")), reference: [1], label: "Work",
            aliases: (1...SecretServiceLimit.aliases).map { ExactName("a\($0)") })
        let kept = KeptForm.attributes(of: collection)
        func read(_ name: AttributeName? = nil, _ value: AttributeValue = .data([])) -> KeptForm.Content? {
            var changed = kept
            if let name { changed[name] = value }
            return KeptForm.read(
                FoundItem(itemClass: .genericPassword, attributes: changed, rule: KeptForm.rule, persistentRef: [1]))
        }
        #expect(read() == .collection(collection))
        guard case .data(let most)? = kept[.generic] else {
            Issue.record("the aliases aren't kept as bytes")
            return
        }
        // One more, one that can be no part of a path, and one that is cut.
        let others: [[UInt8]] = [most + [0, 0, 0, 1, 0x62], [0, 0, 0, 3, 0x61, 0x2f, 0x62], Array(most.dropLast())]
        for bytes in others { #expect(read(.generic, .data(bytes)) == nil, "\(bytes)") }
        // What is in memory only isn't kept, whatever a store says.
        for name in ["session", "a/b", ""] { #expect(read(.account, .text(name)) == nil, "\(name)") }
    }
}
