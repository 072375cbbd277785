import Testing
import ThumbAccess

@testable import ThumbSecretService

func attributes(_ pairs: [(String, String)]) throws -> ItemAttributes {
    try ItemAttributes(pairs.map { ItemAttributes.Pair(ExactName($0.0), ExactName($0.1)) })
}

@Suite("The catalog of a Secret Service")
struct CatalogTests {
    private func item(
        _ number: UInt64, _ pairs: [(String, String)], by maker: ExactName = "/usr/bin/a", in name: CollectionName = .login,
        at modified: UInt64 = 0
    ) throws -> SecretItem {
        SecretItem(
            place: ItemPlace(name, number), reference: [UInt8(truncatingIfNeeded: number)], maker: maker, label: "",
            attributes: try attributes(pairs), contentType: "", modified: modified)
    }

    @Test("a search finds items that have all of the attributes, and no others")
    func search() throws {
        var catalog = Catalog()
        catalog.put(try item(1, [("a", "1"), ("b", "1")]))
        catalog.put(try item(2, [("a", "1"), ("b", "2")]))
        catalog.put(try item(3, [("a", "2")]))
        func found(_ pairs: [(String, String)]) throws -> Set<ItemName> {
            Set(catalog.search(try attributes(pairs), for: "/usr/bin/a").map(\.place.name))
        }
        #expect(try found([("a", "1")]) == [.number(1), .number(2)])
        #expect(try found([("a", "1"), ("b", "2")]) == [.number(2)])
        #expect(try found([("b", "1"), ("a", "2")]).isEmpty)
        #expect(try found([("c", "1")]).isEmpty)
        #expect(try found([]) == [.number(1), .number(2), .number(3)])
    }

    @Test("a maker's own items come first, and among equals the latest changed")
    func order() throws {
        var catalog = Catalog()
        catalog.put(try item(1, [("a", "1")], by: "/usr/bin/b", at: 9))
        catalog.put(try item(2, [("a", "1")], at: 3))
        catalog.put(try item(3, [("a", "1")], at: 5))
        #expect(
            catalog.search(try attributes([("a", "1")]), for: "/usr/bin/a").map(\.place.name) == [3, 2, 1].map(ItemName.number))
        #expect(
            catalog.search(try attributes([("a", "1")]), for: "/usr/bin/b").map(\.place.name) == [1, 3, 2].map(ItemName.number))
    }

    @Test("a new item replaces one of the same maker with identical attributes, and nothing else")
    func replacing() throws {
        var catalog = Catalog()
        catalog.put(try item(1, [("a", "1"), ("b", "2")]))
        catalog.put(try item(2, [("a", "1")], by: "/usr/bin/b"))
        #expect(catalog.replaced(by: try attributes([("a", "1")]), in: .login, of: "/usr/bin/a") == nil)
        #expect(
            catalog.replaced(by: try attributes([("b", "2"), ("a", "1")]), in: .login, of: "/usr/bin/a")?.place.name == .number(1)
        )
        #expect(catalog.replaced(by: try attributes([("a", "1")]), in: .session, of: "/usr/bin/b") == nil)
    }

    @Test("a removed item isn't found, and its number isn't given again")
    func removing() throws {
        var catalog = Catalog()
        let next = catalog.nextNumber(in: .login)
        let number = try #require(next)
        catalog.put(try item(number, [("a", "1")]))
        catalog.remove(ItemPlace(.login, number))
        #expect(catalog.search(try attributes([("a", "1")]), for: "/usr/bin/a").isEmpty)
        #expect(catalog.nextNumber(in: .login) == number + 1)
    }

    @Test("other attributes take the place of the ones before them")
    func changing() throws {
        var catalog = Catalog()
        catalog.put(try item(1, [("a", "1")]))
        catalog.put(try item(1, [("a", "2")]))
        #expect(catalog.search(try attributes([("a", "1")]), for: "/usr/bin/a").isEmpty)
        #expect(catalog.search(try attributes([("a", "2")]), for: "/usr/bin/a").count == 1)
        #expect(catalog.itemCount == 1)
    }

    @Test("an item that was changed is still found by what it has in common with a later one")
    func changedBefore() throws {
        var catalog = Catalog()
        catalog.put(try item(1, [("a", "1"), ("b", "1")]))
        catalog.put(try item(2, [("a", "1"), ("b", "2")]))
        catalog.put(try item(1, [("a", "1"), ("b", "3")]))
        func found(_ pairs: [(String, String)]) throws -> [ItemName] {
            catalog.search(try attributes(pairs), for: "/usr/bin/a").map(\.place.name).sorted()
        }
        #expect(try found([("a", "1")]) == [.number(1), .number(2)])
        catalog.remove(ItemPlace(.login, 2))
        #expect(try found([("a", "1"), ("b", "3")]) == [.number(1)])
    }

    @Test("login is there and is the default, whatever else is; it and session can't be removed")
    func always() throws {
        var catalog = Catalog()
        #expect(catalog.collection(alias: "default") == .login && catalog.collection(alias: "session") == .session)
        catalog.remove(.login)
        catalog.remove(.session)
        #expect(catalog.collections == [.login, .session])
        let other = try #require(CollectionName("other"))
        catalog.put(SecretCollection(name: other, label: "Other", aliases: ["default"]))
        #expect(catalog.collection(alias: "default") == other)
        catalog.remove(other)
        #expect(catalog.collection(alias: "default") == .login)
    }

    @Test("an alias stands for one collection, and a path by it for what the collection has")
    func aliases() throws {
        var catalog = Catalog()
        let other = try #require(CollectionName("other"))
        catalog.put(SecretCollection(name: other, label: "Other"))
        catalog.put(try item(4, [("a", "1")], in: other))
        for collection in try catalog.settingAlias("work", to: other) { catalog.put(collection) }
        #expect(catalog.find(.alias("work")) == .collection(other))
        #expect(catalog.find(.aliasItem("work", .number(4))) == .item(ItemPlace(other, 4)))
        for collection in try catalog.settingAlias("work", to: .login) { catalog.put(collection) }
        #expect(catalog.find(.alias("work")) == .collection(.login) && catalog[other]?.aliases == [])
        #expect(throws: ServiceFailure.notSupported) { try catalog.settingAlias("default", to: .session) }
        #expect(throws: ServiceFailure.invalid) { try catalog.settingAlias("a/b", to: other) }
        // What is kept under `session` is in memory only, and stays so.
        for target in [other, nil] {
            #expect(throws: ServiceFailure.notSupported) { try catalog.settingAlias("session", to: target) }
        }
    }

    @Test("as many items as may be are taken, and not one more; whoever removes one makes room")
    func mostItems() throws {
        var catalog = Catalog(mostItems: 3)
        for number in 1...3 as ClosedRange<UInt64> {
            try catalog.checkRoomForItem()
            catalog.put(try item(number, []))
        }
        #expect(throws: ServiceFailure.tooMuch) { try catalog.checkRoomForItem() }
        catalog.remove(ItemPlace(.login, 2))
        try catalog.checkRoomForItem()
    }

    @Test("as many collections as may be are taken, with the two that always exist, and not one more")
    func mostCollections() throws {
        var catalog = Catalog()
        for number in 3...SecretServiceLimit.collections {
            try catalog.checkRoomForCollection()
            catalog.put(SecretCollection(name: try #require(CollectionName("c\(number)")), label: ""))
        }
        #expect(catalog.collections.count == SecretServiceLimit.collections)
        #expect(throws: ServiceFailure.tooMuch) { try catalog.checkRoomForCollection() }
    }

    @Test("a collection has as many aliases as may be, and not one more")
    func mostAliases() throws {
        var catalog = Catalog()
        let other = try #require(CollectionName("other"))
        catalog.put(SecretCollection(name: other, label: "Other"))
        for number in 1...SecretServiceLimit.aliases {
            for collection in try catalog.settingAlias(ExactName("a\(number)"), to: other) { catalog.put(collection) }
        }
        #expect(catalog[other]?.aliases.count == SecretServiceLimit.aliases)
        #expect(throws: ServiceFailure.tooMuch) { try catalog.settingAlias("more", to: other) }
        // One that it has already isn't one more.
        #expect(try catalog.settingAlias("a1", to: other).isEmpty)
    }

    @Test("what a client has locked stays locked with everything in it until it is unlocked, even when the catalog is read anew")
    func locking() throws {
        var catalog = Catalog()
        catalog.put(try item(1, [("a", "1")]))
        #expect(catalog.lock(.collection(.login)) && !catalog.lock(.collection(.login)))
        #expect(catalog.isLocked(.item(ItemPlace(.login, 1))))
        var fresh = Catalog()
        fresh.put(try item(1, [("a", "1")]))
        fresh.takeOver(catalog)
        #expect(fresh.isLocked(.item(ItemPlace(.login, 1))))
        fresh.unlock(.collection(.login))
        #expect(!fresh.isLocked(.item(ItemPlace(.login, 1))))
    }

    @Test("opening a collection or an item opens nothing that is locked in another collection")
    func unlocking() throws {
        var catalog = Catalog()
        let other = try #require(CollectionName("other"))
        catalog.put(SecretCollection(name: other, label: "Other"))
        for number in 1...2 as ClosedRange<UInt64> { catalog.put(try item(number, [("a", "1")])) }
        catalog.put(try item(1, [("a", "1")], in: other))
        let places = [ItemPlace(.login, 1), ItemPlace(.login, 2), ItemPlace(other, 1)]
        func locked() -> [Bool] { places.map { catalog.isLocked(.item($0)) } }
        for place in places { catalog.lock(.item(place)) }
        catalog.lock(.collection(.login))
        catalog.unlock(.collection(.login))
        #expect(locked() == [false, false, true])
        for place in places { catalog.lock(.item(place)) }
        for name in [CollectionName.login, other] { catalog.lock(.collection(name)) }
        catalog.unlock(.item(places[0]))
        #expect(locked() == [false, true, true])
        #expect(!catalog.isLocked(.collection(.login)) && catalog.isLocked(.collection(other)))
        catalog.unlock(.item(places[2]))
        #expect(locked() == [false, true, false] && !catalog.isLocked(.collection(other)))
    }

    @Test("a catalog that is read anew takes over what is in memory, the locked items that it has, and the numbers given out")
    func takingOver() throws {
        var catalog = Catalog()
        for number in 1...2 as ClosedRange<UInt64> {
            catalog.put(try item(number, [("a", "1")]))
            catalog.lock(.item(ItemPlace(.login, number)))
        }
        let brief = SecretItem(
            place: ItemPlace(.session, 1), maker: "/usr/bin/a", label: "", attributes: try attributes([("a", "1")]),
            contentType: "")
        catalog.put(brief)
        #expect(catalog.nextNumber(in: .login) == 3)
        var fresh = Catalog()
        fresh.put(try item(1, [("a", "1")]))
        fresh.takeOver(catalog)
        let found = fresh.search(try attributes([("a", "1")]), for: "/usr/bin/a").map(\.place)
        #expect(Set(found) == [ItemPlace(.login, 1), brief.place])
        #expect(fresh.isLocked(.item(ItemPlace(.login, 1))) && !fresh.isLocked(.collection(.login)))
        // A lock goes with its item.
        #expect(!fresh.isLocked(.item(ItemPlace(.login, 2))))
        #expect(fresh.nextNumber(in: .login) == 4)
        #expect(fresh.nextNumber(in: .session) == 2)
    }

    @Test("a browser's probe is found by its maker alone")
    func probe() throws {
        var catalog = Catalog()
        catalog.put(try item(1, [("xdg:schema", "_chrome_dummy_schema_for_unlocking"), ("application", "chrome")]))
        #expect(catalog.search(try attributes([("application", "chrome")]), for: "/usr/bin/a").count == 1)
        #expect(catalog.search(try attributes([("application", "chrome")]), for: "/usr/bin/b").isEmpty)
    }

    @Test("a collection's name is made of its label, and of a number if it is taken")
    func names() {
        #expect(CollectionName(label: "My Keys") { _ in false }.name == "My_Keys")
        #expect(CollectionName(label: "") { _ in false }.name == "collection")
        #expect(CollectionName(label: "x") { $0.name == "x" }.name == "x_2")
        #expect(CollectionName("a-b") == nil && CollectionName("") == nil)
        #expect(CollectionName(String(repeating: "a", count: SecretServiceLimit.nameBytes)) != nil)
        #expect(CollectionName(String(repeating: "a", count: SecretServiceLimit.nameBytes + 1)) == nil)
    }

    @Test("a lookup looks at those items alone that have the rarest attribute, whatever order it names them in")
    func rarest() throws {
        var index = AttributeIndex()
        for slot in 1...1000 as ClosedRange<UInt32> {
            index.add(try attributes([("xdg:schema", "common"), ("account", "\(slot)"), ("zone", "common")]), slot)
        }
        #expect(index.candidates(try attributes([("xdg:schema", "common"), ("account", "777"), ("zone", "common")])) == [777])
        #expect(index.candidates(try attributes([("zone", "common"), ("xdg:schema", "common")]))?.count == 1000)
        #expect(index.candidates(try attributes([("zone", "common"), ("account", "none")])) == [])
    }

    @Test("a collection that is removed takes what it has and what is locked of it along")
    func removedCollection() throws {
        var catalog = Catalog()
        let other = try #require(CollectionName("other"))
        let place = ItemPlace(other, 1)
        func make() throws {
            catalog.put(SecretCollection(name: other, label: "Other"))
            catalog.put(try item(1, [("a", "1")], in: other))
        }
        try make()
        catalog.lock(.item(place))
        catalog.lock(.collection(other))
        catalog.remove(other)
        let found = catalog.search(try attributes([("a", "1")]), for: "/usr/bin/a")
        #expect(catalog.itemCount == 0 && found.isEmpty)
        // Another one of that name is open.
        try make()
        #expect(!catalog.isLocked(.collection(other)) && !catalog.isLocked(.item(place)))
    }

    @Test("a collection's name is one that can be read again, however long its label is and however many have it")
    func longNames() throws {
        let label = String(repeating: "a", count: SecretServiceLimit.labelBytes)
        var known: Set<CollectionName> = []
        for _ in 1...SecretServiceLimit.collections {
            let name = CollectionName(label: label) { known.contains($0) }
            #expect(CollectionName(name.name.text) == name)
            known.insert(name)
        }
        #expect(known.count == SecretServiceLimit.collections)
    }
}
