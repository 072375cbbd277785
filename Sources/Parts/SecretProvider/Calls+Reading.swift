import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService
import ThumbSecrets

// Who may read what, and reading it.
extension SecretProvider {
    /// Whether a client gets these items, in their order, and whether the store is open.
    ///
    /// What a client has locked counts as something that the owner has to be asked for.
    func readable(
        _ items: [SecretItem], by reader: Reader, _ client: String
    ) throws(ServiceFailure) -> (isOpen: Bool, items: [Readability]) {
        let kept = items.filter { !$0.reference.isEmpty }
        let answer = try door.readable(kept.map(\.reference), by: reader)
        var rest = answer.items[...]
        let now = EventLoop.now
        let standings = items.map { item -> Readability in
            // Only its maker knows an item that is in memory.
            var standing = item.maker == reader.identity ? Readability.free : .refused
            if !item.reference.isEmpty { standing = rest.popFirst() ?? .missing }
            if standing == .asks, refusals.has(item.place, for: client) { return .refused }
            if standing == .free || standing == .asks, catalog.isLocked(.item(item.place)) { return .asks }
            if standing == .asks, pickUps.has(item.place, for: client, at: now) { return .free }
            return standing
        }
        return (answer.isOpen, standings)
    }

    func isItemLocked(_ call: BusInvocation) async throws(ServiceFailure) -> Bool {
        let item = try item(at: call.path)
        let reader = try await clients.reader(call.sender)
        return try readable([item], by: reader, call.sender).items.first != .free
    }

    func isCollectionLocked(_ call: BusInvocation) async throws(ServiceFailure) -> Bool {
        let name = try collection(at: call.path).name
        let reader = try await clients.reader(call.sender)
        return catalog.isLocked(.collection(name)) ? true : try !readable([], by: reader, call.sender).isOpen
    }

    // MARK: Search

    func search(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let wanted = try call.values[0].attributes
        let reader = try await clients.reader(call.sender)
        try await loadIfNeeded()
        let items = catalog.search(wanted, for: reader.identity)
        var (unlocked, locked): ([BusValue], [BusValue]) = ([], [])
        for (item, standing) in zip(items, try readable(items, by: reader, call.sender).items) {
            let path = BusValue.path(SecretPath.item(item.place).text)
            switch standing {
            case .free: unlocked.append(path)
            case .asks, .refused: locked.append(path)
            case .missing: break
            }
        }
        return [.array(unlocked), .array(locked)]
    }

    func searchCollection(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let wanted = try call.values[0].attributes
        let reader = try await clients.reader(call.sender)
        try await loadIfNeeded()
        let name = try collection(at: call.path).name
        return [.array(catalog.search(wanted, in: name, for: reader.identity).map { .path(SecretPath.item($0.place).text) })]
    }

    // MARK: Secrets

    func getSecret(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let cipher = try cipher(at: call.values[0].text, for: call.sender)
        let reader = try await clients.reader(call.sender)
        let item = try item(at: call.path)
        let secret = try await secret(of: item, for: reader, call.sender)
        return [try Self.structure(call.values[0], cipher, secret, item.contentType)]
    }

    private func secret(of item: SecretItem, for reader: Reader, _ client: String) async throws(ServiceFailure) -> SecretBytes {
        if catalog.isLocked(.item(item.place)) { throw .isLocked }
        if let waiting = pickUps.take(item.place, for: client, at: EventLoop.now) { return waiting }
        if item.reference.isEmpty {
            guard item.maker == reader.identity, let secret = memory[item.place] else { throw .isLocked }
            return secret
        }
        if let released = try door.release([item.reference], for: reader)[item.reference] { return released }
        switch try readable([item], by: reader, client).items.first {
        case .missing, nil:
            isLoaded = false
            throw .noSuchObject
        case .refused: throw .isLocked
        case .free, .asks: break
        }
        if unlockers.contains(client) { throw .isLocked }
        let outcome = await outcomes(of: [item.place], for: reader, client, within: SecretServiceLimit.waitSeconds)[item.place]
        guard case .released(let secret)? = outcome else { throw .isLocked }
        return secret
    }

    func getSecrets(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let cipher = try cipher(at: call.values[1].text, for: call.sender)
        let reader = try await clients.reader(call.sender)
        var items: [SecretItem] = []
        for found in try objects(call.values[0]) {
            guard case .item(let place) = found, let item = catalog[place], !catalog.isLocked(found) else { continue }
            items.append(item)
        }
        let now = EventLoop.now
        let asked = items.filter { !$0.reference.isEmpty && pickUps.waiting($0.place, for: call.sender, at: now) == nil }
        let released = try door.release(asked.map(\.reference), for: reader)
        var entries: [BusValue] = []
        var size = 0
        for item in items {
            let ready = pickUps.waiting(item.place, for: call.sender, at: now) ?? released[item.reference]
            let own = item.reference.isEmpty && item.maker == reader.identity ? memory[item.place] : nil
            guard let secret = ready ?? own else { continue }
            size += secret.count
            // What doesn't fit is left out, as what the owner has to be asked for is; the client gets it one by one.
            guard size <= SecretServiceLimit.answerBytes else { break }
            _ = pickUps.take(item.place, for: call.sender, at: now)
            entries.append(
                .entry([
                    .path(SecretPath.item(item.place).text), try Self.structure(call.values[1], cipher, secret, item.contentType),
                ]))
        }
        return [.array(entries)]
    }

    /// A secret as the bus has it: session, parameters, value, content type.
    private static func structure(
        _ session: BusValue, _ cipher: SessionCipher, _ secret: SecretBytes, _ contentType: String
    ) throws(ServiceFailure) -> BusValue {
        let sealed = try cipher.seal(secret)
        return .structure([session, sealed.parameters, sealed.value, .string(contentType)])
    }
}
