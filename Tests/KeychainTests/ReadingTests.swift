import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

@testable import ThumbKeychain

/// Items that a provider keeps for other programs, by the rules alone: programs, answers and what was shown are what the test says.
@Suite("Who reads what a provider keeps") struct ReadingTests {
    let store = ListStore()
    private let audit = ListAudit()
    private let tables = ListTables()
    private let consents: Consents
    let keychain: Keychain

    private static let group: ExactName = "org.thumbturn.secrets"
    static let maker: ExactName = "/usr/bin/evolution"
    private static let tool: ExactName = "/usr/bin/secret-tool"

    init() {
        consents = Consents(tables: tables) { 0 }
        keychain = Keychain(store: store, audit: audit, consents: consents) { 100 }
    }

    // MARK: What there is

    func put(
        _ label: String = "Mail", by maker: ExactName = maker, rule: AccessRule = AccessRule(.afterFirstUnlock),
        service: String = "item in login", group: ExactName = group, enrolment: [UInt8]? = nil
    ) throws -> StoredItem {
        var item = StoredItem(
            id: try store.makeItemID(), itemClass: .genericPassword, group: group, rule: rule,
            attributes: [.label: .text(label), .comment: .text(maker.text), .service: .text(service), .account: .text(label)],
            hasSecret: true, enrolment: enrolment)
        for name in item.itemClass.uniqueAttributes where item.attributes[name] == nil {
            item.attributes[name] = item.itemClass.emptyValue(of: name)
        }
        try store.insert(item, secret: try SecretBytes(copying: Array(label.utf8)), applicationKey: nil)
        return item
    }

    func authority(
        _ own: ExactName = group, _ kind: CallerClass = .consented, given: Set<Factor> = [], passcode: Bool = true,
        isLocked: Bool = false, enrolment: Enrolment = .known([1]), level: BiometryLevel = .strong
    ) -> Authority {
        Authority(
            caller: Caller(uid: 1, pid: 1, kind: kind, name: "x", groups: [own], mayShare: true), given: given,
            enrolment: enrolment,
            device: DeviceState(
                kind: .touchID, condition: .ready, level: level, passcodeIsSet: passcode, passcodeWasGiven: passcode,
                attempts: Attempts()),
            isLocked: isLocked)
    }

    func reader(_ identity: ExactName) -> Reader {
        Reader(identity: identity, program: ProgramWords(path: identity, place: .system))
    }

    func reading(
        _ identity: ExactName, _ items: [StoredItem], _ permission: PromptPermission = .allow
    ) -> Reading {
        Reading(reader(identity), items.map { PersistentRef.make($0) }, permission)
    }

    /// What came of wanting items: labels that were released, or those that the owner is asked about.
    enum Came: Equatable {
        case released([String])
        case asked([String], wanted: [String], [Set<Factor>])
        case failed(KeychainFailure)
    }

    private func label(_ attributes: Attributes) -> String {
        if case .text(let label)? = attributes[.label] { label } else { "?" }
    }

    func came(_ reading: Reading, _ authority: Authority) -> Came {
        do throws(KeychainFailure) {
            switch try keychain.release(reading, authority) {
            case .done(let found): return .released(found.map { $0.secret == nil ? "?" : label($0.attributes) })
            case .ask(let question):
                return .asked(
                    question.items.map { label($0.attributes) }, wanted: question.wanted.map { label($0.attributes) },
                    question.demands.alternatives)
            }
        } catch {
            return .failed(error)
        }
    }

    private static let presence: [Set<Factor>] = [[.biometry], [.passcode]]

    // MARK: Reading

    @Test("Its maker reads an item freely; for any other program the owner is asked, and either factor may answer")
    func free() throws {
        let item = try put()
        #expect(came(reading(Self.maker, [item]), authority()) == .released(["Mail"]))
        #expect(came(reading(Self.tool, [item]), authority()) == .asked(["Mail"], wanted: ["Mail"], Self.presence))
        // Names are equal byte for byte.
        let (composed, decomposed): (ExactName, ExactName) = ("/bin/caf\u{E9}", "/bin/cafe\u{301}")
        let other = try put("other", by: composed)
        #expect(came(reading(composed, [other]), authority()) == .released(["other"]))
        #expect(came(reading(decomposed, [other]), authority()) == .asked(["other"], wanted: ["other"], Self.presence))
    }

    @Test("Where a weak sensor's match doesn't count, the owner is asked, and nothing is said not to be there")
    func weak() throws {
        let item = try put(rule: try AccessRule(.afterFirstUnlock, [.userPresence, .strongBiometry]))
        let seen = authority(given: [.biometry], level: .convenience)
        #expect(came(reading(Self.maker, [item]), seen) == .asked(["Mail"], wanted: [], Self.presence))
        #expect(came(reading(Self.maker, [item]), authority(given: [.biometry])) == .released(["Mail"]))
    }

    @Test("An item whose maker nobody knows is nobody's")
    func nobodys() throws {
        let item = try put(by: "")
        #expect(came(reading(Self.maker, [item]), authority()) == .asked(["Mail"], wanted: ["Mail"], Self.presence))
        #expect(came(reading("", [item]), authority()) == .asked(["Mail"], wanted: ["Mail"], Self.presence))
    }

    @Test("Only the provider says who reads; in system mode that is the protected program and no other")
    func provider() throws {
        let item = try put()
        for own: ExactName in ["org.example.app", Self.maker, "protected:secrets", "org.thumbturn.secret", ""] {
            #expect(came(reading(Self.maker, [item]), authority(own)) == .failed(.missingEntitlement))
            #expect(throws: KeychainFailure.missingEntitlement) {
                try keychain.readability(of: [PersistentRef.make(item)], by: reader(Self.maker), authority(own))
            }
        }
        let system = Keychain(store: store, audit: audit, consents: consents, mode: .system) { 100 }
        let kept = try put("system", group: "protected:secrets")
        guard case .done = try system.release(reading(Self.maker, [kept]), authority("protected:secrets", .protected)) else {
            return #expect(Bool(false))
        }
        #expect(throws: KeychainFailure.missingEntitlement) {
            _ = try system.release(reading(Self.maker, [item]), authority(Self.group))
        }
    }

    @Test("What the owner agreed to counts for that call and those items; a touch keeps nothing for the next call")
    func once() throws {
        let (item, other) = (try put(), try put("other"))
        var first = reading(Self.tool, [item])
        guard case .ask(let question) = try keychain.release(first, authority()) else { return #expect(Bool(false)) }
        first.agreed(to: question)
        #expect(came(first, authority(given: [.biometry])) == .released(["Mail"]))
        #expect(tables.rows.isEmpty)
        #expect(came(reading(Self.tool, [item]), authority()) == .asked(["Mail"], wanted: ["Mail"], Self.presence))
        // What a finger showed is no answer to a question that wasn't put.
        #expect(
            came(reading(Self.tool, [item]), authority(given: [.biometry, .passcode]))
                == .asked(
                    ["Mail"], wanted: ["Mail"], Self.presence))
        var both = reading(Self.tool, [item, other])
        both.agreed(to: question)
        #expect(came(both, authority(given: [.biometry])) == .asked(["other"], wanted: ["other"], Self.presence))
    }

    @Test("What is kept lets that reader have that item from now on, and neither another item nor another reader")
    func lasting() throws {
        let (item, other) = (try put(), try put("other"))
        let wanted = reading(Self.tool, [item])
        guard case .ask(let question) = try keychain.release(wanted, authority()) else { return #expect(Bool(false)) }
        try keychain.keep(wanted, question)
        #expect(came(reading(Self.tool, [item]), authority()) == .released(["Mail"]))
        #expect(came(reading(Self.tool, [item, other]), authority()) == .asked(["other"], wanted: ["other"], Self.presence))
        #expect(came(reading("/usr/bin/git", [item]), authority()) == .asked(["Mail"], wanted: ["Mail"], Self.presence))
        // An answer about an app's other wishes says nothing about items.
        try consents.keep(.allowed, on: "/usr/bin/git", .face, named: "git", .consented)
        try consents.keep(.allowed, on: "/usr/bin/git", .group(item.keptName), named: "git", .consented)
        #expect(came(reading("/usr/bin/git", [item]), authority()) == .asked(["Mail"], wanted: ["Mail"], Self.presence))
    }

    @Test("What the owner refused a reader is left out, and refused if nothing else is there; that goes for the maker too")
    func refused() throws {
        let (item, own) = (try put(), try put("own", by: Self.tool))
        try consents.keep(.denied, on: Self.tool, item.wish, named: "x", .consented)
        #expect(came(reading(Self.tool, [item]), authority()) == .failed(.missingEntitlement))
        #expect(came(reading(Self.tool, [item, own]), authority()) == .released(["own"]))
        #expect(audit.notes.first?.failure == .missingEntitlement)
        try consents.keep(.denied, on: Self.maker, item.wish, named: "x", .consented)
        #expect(came(reading(Self.maker, [item]), authority()) == .failed(.missingEntitlement))
        // A refusal that came while the question was on the screen counts, whatever was shown.
        let late = try put("late")
        var asked = reading(Self.tool, [late])
        guard case .ask(let question) = try keychain.release(asked, authority()) else { return #expect(Bool(false)) }
        asked.agreed(to: question)
        try consents.keep(.denied, on: Self.tool, late.wish, named: "x", .consented)
        #expect(came(asked, authority(given: [.biometry])) == .failed(.missingEntitlement))
    }

    @Test("An item's own rule asks its maker too; one question asks for the reader and the rule, and covers every item")
    func rules() throws {
        let rule = try AccessRule(.afterFirstUnlock, .biometryCurrentSet)
        let (held, plain) = (try put("held", rule: rule, enrolment: [1]), try put("plain"))
        #expect(came(reading(Self.maker, [held]), authority()) == .asked(["held"], wanted: [], [[.biometry]]))
        #expect(came(reading(Self.maker, [held]), authority(given: [.biometry])) == .released(["held"]))
        #expect(
            came(reading(Self.tool, [plain, held]), authority())
                == .asked(
                    ["plain", "held"], wanted: ["plain", "held"], [[.biometry]]))
        // The maker's plain item waits for nothing, so the question isn't about it.
        #expect(came(reading(Self.maker, [plain, held]), authority()) == .asked(["held"], wanted: [], [[.biometry]]))
        var agreed = reading(Self.tool, [plain, held])
        guard case .ask(let question) = try keychain.release(agreed, authority()) else { return #expect(Bool(false)) }
        agreed.agreed(to: question)
        #expect(came(agreed, authority()) == .asked(["held"], wanted: [], [[.biometry]]))
        #expect(came(agreed, authority(given: [.biometry])) == .released(["plain", "held"]))
        // Another enrolment is the end of it, for everybody.
        #expect(came(reading(Self.maker, [held]), authority(enrolment: .known([2]))) == .failed(.itemNotFound))
    }

    @Test("What isn't there is left out: no such item, a collection, a dead item, somebody else's, a reference to something else")
    func missing() throws {
        let collection = try put("collection", service: "collection")
        let strange = try put("strange", group: "org.example.app")
        var dead = try put("dead")
        try store.markDead(dead)
        dead.isDead = true
        let item = try put()
        let all = [collection, strange, dead]
        #expect(came(reading(Self.maker, all), authority()) == .failed(.itemNotFound))
        #expect(came(reading(Self.maker, all + [item, item]), authority()) == .released(["Mail"]))
        let odd = Reading(reader(Self.maker), [[], [1], Array("keys".utf8) + item.id.bytes], .allow)
        #expect(came(odd, authority()) == .failed(.itemNotFound))
    }

    @Test("Whoever may not be asked is told so, or gets what is free; nobody is asked in vain")
    func silent() throws {
        let (item, own) = (try put(), try put("own", by: Self.tool))
        #expect(came(reading(Self.tool, [item], .fail), authority()) == .failed(.interactionNotAllowed))
        #expect(came(reading(Self.tool, [item], .fail), authority(passcode: false)) == .failed(.authenticationFailed))
        #expect(came(reading(Self.tool, [item, own], .skip), authority()) == .released(["own"]))
        #expect(came(reading(Self.tool, [item], .skip), authority()) == .failed(.itemNotFound))
        #expect(came(reading(Self.tool, [own], .fail), authority()) == .released(["own"]))
        let shut = try put("shut", rule: AccessRule(.whenUnlocked))
        #expect(came(reading(Self.tool, [shut]), authority(isLocked: true)) == .failed(.interactionNotAllowed))
    }

    @Test("A store that is shut opens with the passcode, for which even the maker is asked")
    func shut() throws {
        let item = try put()
        store.openClasses = [.device]
        var closed = authority()
        closed.device.passcodeWasGiven = false
        #expect(!keychain.isOpenToReaders)
        #expect(try keychain.readability(of: [PersistentRef.make(item)], by: reader(Self.maker), closed) == [.asks])
        #expect(came(reading(Self.maker, [item]), closed) == .asked(["Mail"], wanted: [], Self.presence))
        #expect(came(reading(Self.maker, [item], .fail), closed) == .failed(.interactionNotAllowed))
        store.openClasses = Set(KeyClass.allCases)
        #expect(keychain.isOpenToReaders)
        #expect(try keychain.readability(of: [PersistentRef.make(item)], by: reader(Self.maker), closed) == [.free])
        #expect(came(reading(Self.maker, [item]), authority(given: [.passcode])) == .released(["Mail"]))
    }

    @Test("What a login by finger didn't open is asked for by the passcode: a finger would open no more")
    func openedAtLogin() throws {
        let (mail, vault) = (try put(), try put("Vault", rule: AccessRule(.whenPasscodeSetThisDeviceOnly)))
        store.openClasses = [.device, .firstUnlock]
        var login = authority()
        login.device.passcodeWasGiven = false
        login.device.wasOpenedAtLogin = true
        #expect(came(reading(Self.maker, [mail]), login) == .released(["Mail"]))
        for items in [[vault], [mail, vault]] {
            guard case .ask(let question) = try keychain.release(reading(Self.maker, items), login) else {
                Issue.record("nobody is asked")
                continue
            }
            #expect(question.demands.seen(login.device).biometryFailure == .biometryLockout)
            #expect(!question.demands.areMet(by: [.biometry], on: login.device) && question.demands.areMet(by: [.passcode]))
        }
    }

    @Test("Readability says what releasing would do, without asking and without a note")
    func readability() throws {
        let rule = try AccessRule(.afterFirstUnlock, .biometryCurrentSet)
        let items = [
            try put("own", by: Self.tool), try put("other"), try put("allowed"), try put("denied"),
            try put("held", by: Self.tool, rule: rule, enrolment: [1]), try put("collection", service: "collection"),
        ]
        try consents.keep(.allowed, on: Self.tool, items[2].wish, named: "x", .consented)
        try consents.keep(.denied, on: Self.tool, items[3].wish, named: "x", .consented)
        let references = items.map { PersistentRef.make($0) } + [[1, 2]]
        #expect(
            try keychain.readability(of: references, by: reader(Self.tool), authority())
                == [.free, .asks, .free, .refused, .asks, .missing, .missing])
        #expect(audit.notes.isEmpty)
    }

    // MARK: The audit

    @Test("The audit has the reader, not the provider, and everyday only what a program reads of its own")
    func noted() throws {
        let item = try put()
        _ = came(reading(Self.maker, [item]), authority())
        let own = try #require(audit.notes.last)
        #expect(own.name == "evolution" && own.ring == .everyday && own.event == .released && own.failure == nil)
        #expect(own.program.own == Array(Self.maker.utf8) && own.item == item.id.bytes)
        try consents.keep(.allowed, on: Self.tool, item.wish, named: "x", .consented)
        _ = came(reading(Self.tool, [item]), authority())
        let other = try #require(audit.notes.last)
        #expect(other.name == "secret-tool" && other.ring == .notice && other.program.own == Array(Self.tool.utf8))
    }

    // MARK: Other ways

    @Test("No search gives a kept secret away, and no change moves it to where one would")
    func ways() throws {
        let item = try put()
        let query = Query(itemClass: .genericPassword, shape: [.data, .attributes])
        #expect(throws: KeychainFailure.missingEntitlement) { _ = try keychain.find(query, authority()) }
        let attributes = Query(itemClass: .genericPassword, shape: .attributes)
        guard case .done(let found) = try keychain.find(attributes, authority()) else { return #expect(Bool(false)) }
        #expect(found.count == 1 && found[0].secret == nil)
        var shared = authority()
        shared.caller.groups.append("team")
        let change = ItemChange(attributes: [.group: .text("team")])
        #expect(throws: KeychainFailure.missingEntitlement) { _ = try keychain.update(query, change, shared) }
        guard case .done = try keychain.update(query, ItemChange(attributes: [.label: .text("new")]), shared) else {
            return #expect(Bool(false))
        }
        #expect(store.items.first { $0.item.id == item.id }?.item.group == Self.group)
    }

    @Test("No other program is let into the provider's group, whatever it made or was allowed before")
    func closed() throws {
        _ = try put()
        let thief = Caller(uid: 1, pid: 2, kind: .consented, name: "t", groups: ["org.example.thief"], mayShare: true)
        #expect(try keychain.groups.standing(of: Self.group, for: thief) == .refused)
        try consents.keep(.allowed, on: thief.own, .group(Self.group), named: "t", .consented)
        tables.rows.append(
            .group(MadeGroup(Self.group, by: Groups.Maker(app: thief.own, name: "t", kind: .consented), date: 0)))
        #expect(try keychain.groups.standing(of: Self.group, for: thief) == .refused)
        #expect(try keychain.groups.list(of: thief) == [thief.own])
        let provider = Caller(uid: 1, pid: 3, kind: .consented, name: "p", groups: [Self.group], mayShare: true)
        #expect(try keychain.groups.standing(of: Self.group, for: provider) == .open)
    }

    // MARK: The owner's tools

    @Test("A program in a sandbox sees no kept items and changes none")
    func sandboxed() throws {
        let item = try put()
        let caged = authority("flatpak:org.example", .sandboxed)
        let reference = PersistentRef.make(item)
        #expect(throws: KeychainFailure.missingEntitlement) { _ = try keychain.listKept(caged.caller, after: nil) { _ in true } }
        #expect(throws: KeychainFailure.missingEntitlement) { _ = try keychain.kept(reference, for: caged.caller) }
        #expect(throws: KeychainFailure.missingEntitlement) { _ = try keychain.protect(reference, item.rule, caged) }
        #expect(throws: KeychainFailure.missingEntitlement) {
            try keychain.allow(Self.tool, named: "x", reference, by: caged.caller)
        }
        #expect(tables.rows.isEmpty)
    }

    @Test("The list has items and no collections, with no secret in it")
    func list() throws {
        let (first, second) = (try put("first"), try put("second"))
        _ = try put("collection", service: "collection")
        _ = try put("strange", group: "org.example.app")
        var found: [FoundItem] = []
        let tool = authority("/usr/bin/thumbturn").caller
        let end = try keychain.listKept(tool, after: nil) { item in
            found.append(item)
            return true
        }
        #expect(end == nil && found.map(\.persistentRef) == [first, second].map { PersistentRef.make($0) })
        #expect(found.allSatisfy { $0.secret == nil })
    }

    @Test("Another rule comes only after what the present one demands, and binds the enrolment anew")
    func protected() throws {
        let item = try put()
        let reference = PersistentRef.make(item)
        let tool = authority("/usr/bin/thumbturn")
        let rule = try AccessRule(.afterFirstUnlock, .biometryCurrentSet)
        guard case .done = try keychain.protect(reference, rule, tool) else { return #expect(Bool(false)) }
        let now = try #require(store.items.first?.item)
        #expect(now.rule == rule && now.enrolment == [1] && now.generation == item.generation + 1)
        #expect(audit.notes.last?.event == .changed)
        guard case .ask(_, let demands) = try keychain.protect(reference, item.rule, tool) else { return #expect(Bool(false)) }
        #expect(demands.alternatives == [[.biometry]])
        #expect(throws: KeychainFailure.authenticationFailed) {
            _ = try keychain.protect(reference, rule, authority("/x", enrolment: .empty))
        }
        #expect(throws: KeychainFailure.itemNotFound) { _ = try keychain.protect([1], rule, tool) }
    }

    // MARK: Removal

    @Test("An answer goes with its item, and no other answer does", arguments: [1, 16, 17, 40])
    func removed(count: Int) throws {
        let items = try (0..<count).map { try put("\($0)") }
        let stays = try put("stays", service: "item in work")
        let tool = authority("/usr/bin/thumbturn").caller
        for item in items + [stays] {
            for reader in [Self.tool, "/usr/bin/git"] {
                try keychain.allow(reader, named: "x", PersistentRef.make(item), by: tool)
            }
        }
        try consents.keep(.allowed, on: Self.tool, .face, named: "x", .consented)
        let query = Query(itemClass: .genericPassword, attributes: [.service: .text("item in login")], limit: nil)
        try keychain.remove(query, authority())
        #expect(store.items.count == 1)
        #expect(Set(try consents.all().map(\.wish)) == [stays.wish, .face] && tables.rows.count == 3)
    }

    @Test("Answers about items that went with their class key are found and forgotten")
    func lost() throws {
        let (item, stays) = (try put(), try put("stays"))
        let tool = authority("/usr/bin/thumbturn").caller
        for item in [item, stays] { try keychain.allow(Self.tool, named: "x", PersistentRef.make(item), by: tool) }
        try store.remove([item])
        try keychain.forgetAnswersAboutLostItems()
        #expect(try consents.all().map(\.wish) == [stays.wish])
    }

    @Test("An item that takes a dead one's place takes none of its answers")
    func replaced() throws {
        let rule = try AccessRule(.afterFirstUnlock, .biometryCurrentSet)
        let item = try put(rule: rule, enrolment: [9])
        try consents.keep(.allowed, on: Self.tool, item.wish, named: "x", .consented)
        _ = try keychain.add(
            NewItem(itemClass: .genericPassword, attributes: item.attributes, rule: AccessRule(.afterFirstUnlock), secret: nil),
            authority())
        #expect(tables.rows.allSatisfy { if case .consent = $0 { false } else { true } })
    }
}
