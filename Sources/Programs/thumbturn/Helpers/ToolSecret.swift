import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbSecrets

/// The secrets that tools keep through their helpers: secrets like any other, named after the tool and the place they are for.
enum ToolSecret {
    /// How the note begins that a secret isn't handed out any more after a time.
    private static let ending = "until "

    /// All of a name, or of a name and an account, the one that changed last first. Nothing is opened, so nobody is asked. What has ended is
    /// removed on the way.
    static func all(_ name: String, account: String? = nil) throws(Failure) -> [KeptSecret] {
        try items(SecretName(name, account: account ?? ""), account).sorted { changed($0) > changed($1) }
    }

    /// The names and accounts of all whose names begin so.
    static func all(beginning prefix: String) throws(Failure) -> [SecretName] {
        let query = Query(itemClass: .genericPassword, sync: .any, limit: nil, shape: .attributes)
        return try found(query, .secrets).compactMap { item in
            guard case .text(let name)? = item.attributes[.service], name.hasPrefix(prefix) else { return nil }
            let kept = KeptSecret(name, item)
            return hasEnded(kept) ? nil : kept.name
        }
    }

    /// Keeps a secret, in the place of one of the same name and account if there is one.
    ///
    /// Nobody is asked: the one before is not read, and the new one came from the caller. It keeps the rule of the one before unless
    /// another is given. If it can't be kept, the one before stays.
    static func keep(_ secret: SecretBytes, as name: SecretName, _ terms: StoringTerms, seconds: Int? = nil) throws(Failure) {
        let before = try items(name, name.account).first
        let rule = terms.isGiven ? terms.rule : before?.rule ?? terms.rule
        if let objection = Protection.objection(rule, try Daemon.status(), .secret, orAnotherRule: !terms.isGiven) {
            throw objection
        }
        var attributes = name.attributes.merging(SecretForm.attributes(of: secret)) { $1 }
        for kept in [AttributeName.label, .synchronizable] {
            if let value = before?.attributes[kept] { attributes[kept] = value }
        }
        if let seconds { attributes[.comment] = .text(ending + String(now + seconds)) }
        let item = NewItem(itemClass: .genericPassword, attributes: attributes, rule: rule, secret: secret)
        try Daemon.keychain(about: name.thing, reason: "keep the \(name.shown)") { () throws(KeychainFailure) in
            _ = try DeviceClient.shared.put(item)
        }
    }

    static func remove(_ kept: KeptSecret) throws(Failure) {
        let reason = "remove the \(kept.name.shown)"
        do throws(Failure) {
            try Daemon.keychain(about: kept.name.thing, reason: reason) { () throws(KeychainFailure) in
                try DeviceClient.shared.remove(kept.name.query(limit: nil, reason: reason))
            }
        } catch .keychain(.itemNotFound, about: _) {
            // Another helper was faster.
        }
    }

    private static func items(_ name: SecretName, _ account: String?) throws(Failure) -> [KeptSecret] {
        var attributes: Attributes = [.service: .text(name.name)]
        if let account { attributes[.account] = .text(account) }
        let query = Query(itemClass: .genericPassword, attributes: attributes, sync: .any, limit: nil, shape: .attributes)
        let all = try found(query, name.thing).map { KeptSecret(name.name, $0) }
        for kept in all where hasEnded(kept) { try remove(kept) }
        return all.filter { !hasEnded($0) }
    }

    private static func found(_ query: Query, _ thing: Thing) throws(Failure) -> [FoundItem] {
        do throws(Failure) {
            return try Daemon.keychain(about: thing, reason: "find the \(thing.name)") { () throws(KeychainFailure) in
                try DeviceClient.shared.find(query)
            }
        } catch .keychain(.itemNotFound, about: _) {
            return []
        }
    }

    private static func changed(_ kept: KeptSecret) -> Double {
        if case .date(let date)? = kept.attributes[.modified] { date } else { -.infinity }
    }

    private static func hasEnded(_ kept: KeptSecret) -> Bool { end(kept.attributes).map { now > $0 } ?? false }

    /// When a secret with these attributes isn't handed out any more; nil if that isn't limited.
    static func end(_ attributes: Attributes) -> Int? {
        guard case .text(let note)? = attributes[.comment], note.hasPrefix(ending) else { return nil }
        return Int(note.dropFirst(ending.count))
    }

    /// Seconds since 1970.
    private static var now: Int { time(nil) }
}
