import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService

/// What a prompt does once it is shown, and whether it was taken back.
@OnLoop final class PromptPlan {
    enum Act {
        case unlock([Catalog.Found])
        case deleteItem(ItemPlace)
        case deleteCollection(CollectionName)
        case createCollection(String, ExactName)
    }

    let act: Act
    let reader: Reader
    let client: String
    /// Ends what the prompt waits for.
    var wait: (() -> Void)?
    private(set) var isWithdrawn = false

    init(_ act: Act, _ reader: Reader, _ client: String) { (self.act, self.reader, self.client) = (act, reader, client) }

    /// Nobody waits for it any longer.
    func withdraw() {
        isWithdrawn = true
        wait?()
        wait = nil
    }
}

// Prompts: a client shows one, and hears how it ended. Its result has the same type whether the owner agreed or not, because a library
// waits for ever otherwise.
extension SecretProvider {
    /// A new prompt's path.
    func prompt(_ act: PromptPlan.Act, _ reader: Reader, _ client: String) throws(ServiceFailure) -> BusValue {
        guard clients.has(client) else { throw .denied }
        let number = try prompts.make(for: client)
        plans[number] = PromptPlan(act, reader, client)
        return .path(SecretPath.prompt(number).text)
    }

    func showPrompt(_ call: BusInvocation) throws(ServiceFailure) -> [BusValue] {
        guard case .prompt(let number)? = SecretPath(call.path), let plan = plans[number] else { throw .noSuchObject }
        try prompts.show(number, by: call.sender)
        EventLoop.shared.spawn { [weak self] in
            guard let self else { return }
            let (isDone, result) = await perform(plan)
            finish(number, !isDone, result)
        }
        return []
    }

    func dismissPrompt(_ call: BusInvocation) throws(ServiceFailure) -> [BusValue] {
        guard case .prompt(let number)? = SecretPath(call.path), let plan = plans[number] else { throw .noSuchObject }
        if try prompts.dismiss(number, by: call.sender) {
            plan.withdraw()
        }
        plans[number] = nil
        complete(number, for: call.sender, isDismissed: true, Self.nothing(for: plan.act))
        return []
    }

    private func finish(_ number: UInt64, _ isDismissed: Bool, _ result: BusValue) {
        plans[number] = nil
        guard let client = prompts.end(number) else { return }
        complete(number, for: client, isDismissed: isDismissed, result)
        onQuiet?()
    }

    private func complete(_ number: UInt64, for client: String, isDismissed: Bool, _ result: BusValue) {
        do throws(BusError) {
            try bus.emit(
                "Completed", of: interfaces.prompt, at: SecretPath.prompt(number).text, [.bool(isDismissed), result], to: client)
        } catch {
            // A bus that is gone ends the program.
        }
    }

    /// What a prompt says that came to nothing.
    private static func nothing(for act: PromptPlan.Act) -> BusValue {
        switch act {
        case .unlock: .typedVariant("ao", .array([]))
        case .createCollection: .variant(.path(SecretPath.none))
        case .deleteItem, .deleteCollection: .variant(.string(""))
        }
    }

    /// Does what a prompt is for. Returns whether the owner let it happen, and the prompt's result.
    private func perform(_ plan: PromptPlan) async -> (Bool, BusValue) {
        do throws(ServiceFailure) {
            switch plan.act {
            case .unlock(let objects):
                let open = try await unlock(objects, plan)
                return (!open.isEmpty, .typedVariant("ao", .paths(open)))
            case .deleteItem(let place):
                let label = SafeText.quoted(catalog[place]?.label ?? "")
                if await ownerAgrees("delete \(label) for \(plan.reader.program.quoted)", plan: plan) {
                    try await remove(place)
                    return (true, Self.nothing(for: plan.act))
                }
            case .deleteCollection(let name):
                let words = words(forAllIn: name, plan.reader)
                if await ownerAgrees("delete \(words) for \(plan.reader.program.quoted)", plan: plan) {
                    try await remove(name)
                    return (true, Self.nothing(for: plan.act))
                }
            case .createCollection(let label, let alias):
                if await ownerAgrees("keep a new collection for \(plan.reader.program.quoted)", plan: plan) {
                    let name = try await createCollection(label, alias)
                    return (true, .variant(.path(SecretPath.collection(name).text)))
                }
            }
        } catch {
            // The prompt ends as dismissed, and the client sees for itself what it may do.
        }
        return (false, Self.nothing(for: plan.act))
    }

    /// Opens the store and what clients have locked, if the owner agrees, and then asks for the items that still need it.
    private func unlock(_ objects: [Catalog.Found], _ plan: PromptPlan) async throws(ServiceFailure) -> [Catalog.Found] {
        var locked = objects.filter { catalog.isLocked($0) }
        let isOpen = try readable([], by: plan.reader, plan.client).isOpen
        if !isOpen { locked = objects }
        if !locked.isEmpty {
            guard await ownerAgrees("open \(words(for: locked)) for \(plan.reader.program.quoted)", plan: plan) else { return [] }
            for object in locked { catalog.unlock(object) }
            if !isOpen { isLoaded = false }
            await loadIfPossible()
            for name in Set(locked.map(\.collection)) where !catalog.isLocked(.collection(name)) { tellLock(of: name, false) }
        }
        var (open, shut) = try sorted(objects, plan.reader, plan.client)
        let places = shut.compactMap { if case .item(let place) = $0 { place } else { nil } }
        guard !places.isEmpty, !plan.isWithdrawn else { return open }
        let outcomes = await outcomes(of: places, for: plan.reader, plan.client, plan: plan)
        for place in places {
            guard case .released(let secret)? = outcomes[place] else { continue }
            leave(secret, of: place, for: plan.client)
            open.append(.item(place))
        }
        return open
    }

    /// Words for the prompt that deletes a collection with all its items. A program chose the collection's label, so the words also say how
    /// many items are other programs'.
    private func words(forAllIn name: CollectionName, _ reader: Reader) -> String {
        let label = SafeText.quoted(catalog[name]?.label ?? "")
        return switch catalog.places(in: name).count(where: { catalog[$0]?.maker != reader.identity }) {
        case 0: "all of \(label)"
        case 1: "all of \(label), with an item of another program,"
        case let others: "all of \(label), with \(others) items of other programs,"
        }
    }

    /// What is opened, in words for a prompt: two names, and how many more there are.
    private func words(for objects: [Catalog.Found]) -> String {
        let labels = objects.map { object in
            let label =
                switch object {
                case .collection(let name): catalog[name]?.label ?? ""
                case .item(let place): catalog[place]?.label ?? ""
                }
            // A long name leaves room for the others.
            return SafeText.quoted(label, limit: objects.count == 1 ? SafeText.limit : 40)
        }
        let named = labels.prefix(2)
        return named.count == labels.count
            ? named.joined(separator: " and ") : "\(named.joined(separator: ", ")) and \(labels.count - named.count) more"
    }
}
