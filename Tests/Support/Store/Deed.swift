import ThumbAccess
import ThumbKeychain
import ThumbSecrets
import ThumbStorage

/// One change of a store, as a word that a program can be given.
public enum Deed: Sendable, Equatable, CustomStringConvertible {
    /// A new item; its secret and its label are of this version and size.
    case add(String, Version)
    case update(String, Version)
    case remove(String)
    /// The owner's word on an app, in place of an earlier one if there is one; what it says is of this version and size.
    case say(String, Version)
    case unsay(String)

    /// What an item holds: a text that tells all of it, so that a half can't pass for the whole.
    public struct Version: Sendable, Equatable {
        public let number: Int
        public let size: Int

        public init(_ number: Int, size: Int = 24) {
            self.number = number
            self.size = size
        }

        var label: String { "label \(number)" }
        func secret(of account: String) -> [UInt8] {
            let word = Array("\(account) version \(number). ".utf8)
            return (0..<size).map { word[$0 % word.count] }
        }
        func word(on app: String) -> String { String(decoding: secret(of: app), as: UTF8.self) }
    }

    public init?(_ words: some Collection<String>) {
        let words = Array(words)
        func version() -> Version? {
            guard words.count == 4, let number = Int(words[2]), let size = Int(words[3]) else { return nil }
            return Version(number, size: size)
        }
        switch words.first {
        case "add": if let version = version() { self = .add(words[1], version) } else { return nil }
        case "update": if let version = version() { self = .update(words[1], version) } else { return nil }
        case "remove" where words.count == 2: self = .remove(words[1])
        case "say": if let version = version() { self = .say(words[1], version) } else { return nil }
        case "unsay" where words.count == 2: self = .unsay(words[1])
        default: return nil
        }
    }

    public var words: [String] {
        switch self {
        case .add(let account, let version): ["add", account, "\(version.number)", "\(version.size)"]
        case .update(let account, let version): ["update", account, "\(version.number)", "\(version.size)"]
        case .remove(let account): ["remove", account]
        case .say(let app, let version): ["say", app, "\(version.number)", "\(version.size)"]
        case .unsay(let app): ["unsay", app]
        }
    }

    public var description: String { words.joined(separator: " ") }
}

/// What a store holds, item by item and word by word.
public struct Contents: Sendable, Equatable {
    public struct Item: Sendable, Equatable {
        let label: String
        let secret: [UInt8]
    }

    public private(set) var items: [String: Item] = [:]
    /// What the owner said, by app.
    public private(set) var words: [String: String] = [:]

    public init() {}

    /// What is there after a deed.
    public func after(_ deed: Deed) -> Contents {
        var next = self
        switch deed {
        case .add(let account, let version), .update(let account, let version):
            next.items[account] = Item(label: version.label, secret: version.secret(of: account))
        case .remove(let account): next.items[account] = nil
        case .say(let app, let version): next.words[app] = version.word(on: app)
        case .unsay(let app): next.words[app] = nil
        }
        return next
    }

    public func after(_ deeds: [Deed]) -> Contents { deeds.reduce(self) { $0.after($1) } }
}

private let group: ExactName = "org.example.crash"

extension Store {
    /// Does a deed; returns when the store acknowledged it.
    public func perform(_ deed: Deed) throws {
        switch deed {
        case .add(let account, let version):
            let item = StoredItem(
                id: try items.makeItemID(), itemClass: .genericPassword, group: group, rule: AccessRule(.afterFirstUnlock),
                attributes: [.account: .text(account), .service: .text("crash"), .label: .text(version.label)],
                hasSecret: true)
            try items.insert(item, secret: SecretBytes(copying: version.secret(of: account)))
        case .update(let account, let version):
            guard var item = try find(account) else { throw KeychainFailure.itemNotFound }
            item.generation += 1
            item.attributes[.label] = .text(version.label)
            try items.replace([(item, SecretBytes(copying: version.secret(of: account)))])
        case .remove(let account):
            guard let item = try find(account) else { throw KeychainFailure.itemNotFound }
            try items.remove([item])
        case .say(let app, let version):
            let known = KnownApp(app: ExactName(app), name: version.word(on: app), verdict: .allowed, date: 1)
            try items.change(removing: [], keeping: [.consent(Consent(known))])
        case .unsay(let app):
            let known = try items.consents(.of(ExactName(app)))
            guard !known.isEmpty else { throw KeychainFailure.itemNotFound }
            try items.change(removing: known.map { .consent($0) }, keeping: [])
        }
    }

    private func find(_ account: String) throws -> StoredItem? {
        try items.select(
            Selection(
                itemClass: .genericPassword, groups: [group],
                attributes: [.account: .text(account), .service: .text("crash")], limit: 1)
        ).first
    }

    /// Each account's name in the store.
    public func names() throws -> [String: [UInt8]] {
        var names: [String: [UInt8]] = [:]
        for item in try items.select(Selection(itemClass: .genericPassword, groups: [group])) {
            names[item.attributes[.account]?.string ?? "?"] = item.id.bytes
        }
        return names
    }

    /// Everything that can be read; who can't be read is in `unreadable`.
    public func contents() throws -> (readable: Contents, unreadable: [String]) {
        var (readable, unreadable): (Contents, [String]) = (Contents(), [])
        for item in try items.select(Selection(itemClass: .genericPassword, groups: [group])) {
            let account = item.attributes[.account]?.string ?? "?"
            do {
                let secret = try items.secret(of: item).withUnsafeBytes { Array($0) }
                readable.put(account, item.attributes[.label]?.string ?? "?", secret)
            } catch KeychainFailure.damaged {
                unreadable.append(account)
            }
        }
        for word in try items.consents(.all) { readable.put(word.known.app.text, word.known.name) }
        return (readable, unreadable)
    }
}

extension Contents {
    fileprivate mutating func put(_ account: String, _ label: String, _ secret: [UInt8]) {
        items[account] = Item(label: label, secret: secret)
    }
    fileprivate mutating func put(_ app: String, _ word: String) { words[app] = word }
}

extension AttributeValue {
    fileprivate var string: String { String(decoding: comparable, as: UTF8.self) }
}
