import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// Moves the contents of another store into the keychain. docs/users/moving-in.md says what happens to each item.
struct SecretServiceImport {
    /// What became of one item.
    private enum Fate {
        case added
        case present
        case left(String)
    }

    /// How many items of one service and account can be told apart by a number.
    private static let numberLimit = 1000

    private let rule: AccessRule
    private let countsOnly: Bool

    init(_ invocation: Invocation, _ status: DeviceStatus) throws(Failure) {
        rule = try Protection.rule(invocation)
        countsOnly = invocation.has(Import.dryRun)
        if let objection = Protection.objection(rule, status, .secret) { throw objection }
    }

    func perform() throws(Failure) -> Outcome {
        let reader = try SecretServiceReader(countsOnly ? ["--no-secrets"] : [])
        var progress = Progress("Importing")
        var (all, done, added, present) = (0, 0, 0, 0)
        var left: [(label: String, reason: String)] = []
        // What this run has added, or would add. An equal-looking item is then a different one, not the same one already present.
        var taken = Taken()
        do throws(Failure) {
            while true {
                switch try reader.next() {
                case .total(let items): all = items
                case .item(let item):
                    done += 1
                    switch try take(MovedItem(item), item.secret, &taken) {
                    case .added: added += 1
                    case .present: present += 1
                    case .left(let reason): left.append((item.label, reason))
                    }
                case .left(let label, let reason):
                    done += 1
                    left.append((label, reason))
                case .end: return outcome(added, present, left)
                case .moved, .present, .nobody, .provider: throw .secretServiceUnreadable
                }
                progress.show(done, of: all, Notice.items(done))
            }
        } catch {
            throw told(error, added)
        }
    }

    // MARK: One item

    private struct Taken {
        var looks: Set<[UInt8]> = []
        var names: Set<[String]> = []
    }

    private func take(_ item: MovedItem, _ secret: SecretBytes, _ taken: inout Taken) throws(Failure) -> Fate {
        if secret.count > QueryLimit.secretBytes || !item.fits { return .left("it is too large") }
        guard taken.looks.insert(item.look).inserted else {
            return .left("another one has the same label and attributes")
        }
        for number in 1...Self.numberLimit {
            let name = item.name(number)
            // This run has already used that name. In a dry run it isn't in the keychain yet.
            if countsOnly, taken.names.contains([name.name, name.account]) { continue }
            switch try look(for: item, name) {
            case .some(true): return .present
            case .some(false): continue
            case .none: break
            }
            taken.names.insert([name.name, name.account])
            if countsOnly { return .added }
            return try add(item, name, secret)
        }
        return .left("there are too many of that name")
    }

    /// Whether the item with that name is this one; nil if no item has the name.
    private func look(for item: MovedItem, _ name: SecretName) throws(Failure) -> Bool? {
        do throws(KeychainFailure) {
            let found = try DeviceClient.shared.find(name.query(limit: 1, shape: .attributes, reason: "import"))
            return found.contains {
                $0.attributes[.generic] == .data(item.generic) && $0.attributes[.label] == .text(item.label)
            }
        } catch .itemNotFound {
            return nil
        } catch {
            throw Failure(error, about: name.thing)
        }
    }

    private func add(_ item: MovedItem, _ name: SecretName, _ secret: SecretBytes) throws(Failure) -> Fate {
        var attributes = name.attributes.merging(SecretForm.attributes(of: secret)) { $1 }
        attributes[.label] = .text(item.label)
        attributes[.generic] = .data(item.generic)
        do throws(KeychainFailure) {
            _ = try DeviceClient.shared.add(
                NewItem(itemClass: .genericPassword, attributes: attributes, rule: rule, secret: secret))
            return .added
        } catch .dataTooLarge {
            return .left("it is too large")
        } catch .duplicateItem {
            // Another program took the name just now.
            return .left("something else has its name")
        } catch {
            throw Failure(error, about: name.thing)
        }
    }

    // MARK: The report

    /// A failure in the middle, together with what has been done and stays.
    private func told(_ failure: Failure, _ added: Int) -> Failure {
        added > 0 && !countsOnly ? .interrupted(failure, afterItems: added) : failure
    }

    private func outcome(_ added: Int, _ present: Int, _ left: [(label: String, reason: String)]) -> Outcome {
        var said: [Notice] = [countsOnly ? .wouldImport(UInt64(added)) : .imported(UInt64(added))]
        if present > 0 { said.append(.present(UInt64(present))) }
        if !left.isEmpty { said.append(.leftOut(left.count)) }
        let lines = said.map(\.text) + left.map { "  '\(SafeText($0.label, limit: 60))': \($0.reason)" }
        return Outcome(
            lines: lines,
            json: .object([
                ("added", .number(Int64(added))), ("present", .number(Int64(present))),
                ("left", .list(left.map { .object([("label", .text($0.label)), ("reason", .text($0.reason))]) })),
                ("dryRun", .flag(countsOnly)),
            ]))
    }
}

/// An item in the form that the keychain would have.
struct MovedItem {
    let service: String
    let account: String
    let label: String
    /// All its original attributes.
    let generic: [UInt8]

    init(_ item: SecretServiceReader.Item) { self.init(label: item.label, attributes: item.attributes) }

    init(label: String, attributes: [(name: String, value: String)]) {
        func first(_ names: [String]) -> String? {
            names.lazy.compactMap { name in attributes.first { $0.name == name && !$0.value.isEmpty }?.value }.first
        }
        service = first(["service", "server", "application", "xdg:schema"]) ?? "Secret Service"
        account = first(["account", "username", "user"]) ?? label
        self.label = label
        generic = attributes.sorted { $0.name < $1.name }.flatMap { Array($0.name.utf8) + [0] + Array($0.value.utf8) + [0] }
    }

    /// The bytes that are equal for two items that can't be told apart.
    var look: [UInt8] { generic + [0] + Array(label.utf8) }

    var fits: Bool {
        let sizes = [service.utf8.count, account.utf8.count + 8, label.utf8.count, generic.count]
        return sizes.allSatisfy { $0 <= QueryLimit.attributeBytes } && sizes.reduce(0, +) <= QueryLimit.attributesBytes
    }

    /// Its name: the first one, or a later one with the same service and account.
    func name(_ number: Int) -> SecretName { SecretName(service, account: number == 1 ? account : "\(account) (\(number))") }
}
