import CThumbLinux
import Foundation
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_model
import thumbturn_test_programs
import thumbturn_test_wire

/// One user with an app and a prompt: what is asked for, and whether the answers are what they must be.
final class User: @unchecked Sendable {
    // @unchecked: used by one thread at a time.

    /// What an item is for, by the first letter of its name.
    private enum Kind: Character, CaseIterable {
        /// Anybody who is this app may have it.
        case plain = "p"
        /// The same, once the passcode was given since the device started.
        case unlocked = "u"
        /// For the passcode alone, each time.
        case guarded = "g"
        /// For a finger alone, each time.
        case finger = "f"

        var count: Int {
            switch self {
            case .plain: 24
            case .unlocked: 8
            case .guarded: 2
            case .finger: 1
            }
        }

        /// The failures that say no more than that it can't be had now.
        var refusals: Set<KeychainFailure> {
            switch self {
            case .plain: [.storeUnavailable]
            case .unlocked: [.storeUnavailable, .interactionNotAllowed]
            case .guarded, .finger: [.storeUnavailable, .interactionNotAllowed, .authenticationFailed, .userCanceled]
            }
        }

        func rule() throws -> AccessRule {
            switch self {
            case .plain: AccessRule(.always)
            case .unlocked: AccessRule(.whenUnlocked)
            case .guarded: try AccessRule(.always, .devicePasscode)
            case .finger: try AccessRule(.always, .biometryAny)
            }
        }

        var names: [String] { (0..<count).map { "\(rawValue)\($0)" } }
    }

    /// What came back.
    private enum Said {
        case items([FoundItem])
        case done
        case failed(KeychainFailure)
        /// The connection ended before an answer came.
        case lost
        /// There was nobody to ask.
        case unasked
    }

    /// How long anything may be refused in a row.
    static let patience = 60.0

    let uid: UInt32
    private let house: House
    private let report: Report
    private var model: UserModel
    private var dice: Dice
    private var peer: WirePeer?
    private var number = 0
    private var (nextGuarded, nextFinger) = (0.0, 0.0)

    init(_ uid: UInt32, in house: House, seed: UInt64, _ report: Report) {
        (self.uid, self.house, self.report) = (uid, house, report)
        model = UserModel(owner: "user \(uid)")
        dice = Dice(seed)
    }

    /// Closes the connection.
    func leave() { peer = nil }

    // MARK: Asking

    private func ask(_ word: some Word) -> Said {
        do {
            if peer == nil {
                peer = try WirePeer(house.socket, role: Hello(role: .app, label: "org.example.soak"), as: uid)
            }
        } catch {
            usleep(50_000)
            return .unasked
        }
        guard let peer else { return .unasked }
        do {
            var found: [FoundItem] = []
            var answer = try peer.ask(word)
            while true {
                switch answer {
                case .page(let items, let isLast):
                    found += items
                    if isLast { return .items(found) }
                case .done: return .done
                case .failed(let failure): return .failed(failure)
                case .evaluated(let reply):
                    if case .failure(let failure) = reply.result { return .failed(failure.keychainFailure) }
                    report.violated("user \(uid) was told of a success instead of an item")
                    return .lost
                case .refused:
                    leave()
                    return .lost
                default:
                    report.violated("user \(uid) had an answer that belongs to another call")
                    leave()
                    return .lost
                }
                answer = try peer.hear()
            }
        } catch {
            leave()
            return .lost
        }
    }

    private func query(_ name: String?, _ shape: ResultShape = []) -> Query {
        var attributes: Attributes = [.service: .text("soak")]
        if let name { attributes[.account] = .text(name) }
        return Query(itemClass: .genericPassword, attributes: attributes, limit: name == nil ? nil : 1, shape: shape)
    }

    private func kind(_ name: String) -> Kind { name.first.flatMap { Kind(rawValue: $0) } ?? .plain }

    /// Whether the failure says only that it isn't to be had now. Any other one is wrong.
    private func isRefusal(_ failure: KeychainFailure, _ name: String) -> Bool {
        if kind(name).refusals.contains(failure) { return true }
        report.violated("user \(uid)'s \(name) failed with \(failure)")
        return false
    }

    // MARK: Changing and reading

    private func value(for name: String) -> String {
        number += 1
        return "user \(uid)/\(name)/\(number)/" + String(repeating: "x", count: dice.roll(3000))
    }

    /// Returns whether it was done.
    @discardableResult
    private func change(_ change: UserModel.Change, _ name: String) throws -> Bool {
        let said: Said
        switch change {
        case .add(let value):
            said = ask(
                .add(
                    NewItem(
                        itemClass: .genericPassword, attributes: [.account: .text(name), .service: .text("soak")],
                        rule: try kind(name).rule(), secret: try SecretBytes(copying: Array(value.utf8)))))
        case .update(let value):
            said = ask(.update(query(name), ItemChange(secret: try SecretBytes(copying: Array(value.utf8)))))
        case .remove: said = ask(RemoveItems(query(name)))
        }
        let outcome: UserModel.Outcome
        switch said {
        case .items, .done: outcome = .done
        case .failed(.duplicateItem): outcome = .duplicate
        case .failed(.itemNotFound): outcome = .notFound
        case .failed(let failure):
            _ = isRefusal(failure, name)
            outcome = .refused
        case .lost: outcome = .unknown
        case .unasked: return false
        }
        if let complaint = model.did(change, to: name, outcome) { report.violated(complaint) }
        return settled(said)
    }

    /// Reads one item, where it can be read now. Returns whether it could.
    @discardableResult
    private func read(_ name: String) -> Bool {
        let said = ask(.find(query(name, .data)))
        switch said {
        case .items(let items):
            guard items.count == 1, let secret = items[0].secret else {
                report.violated("user \(uid)'s \(name) was found without what was asked for")
                return false
            }
            let value = String(decoding: secret.plainBytes(in: 0..<secret.count), as: UTF8.self)
            if let complaint = model.saw(.value(value), of: name) { report.violated(complaint) }
        case .failed(.itemNotFound):
            if let complaint = model.saw(.nothing, of: name) { report.violated(complaint) }
        case .failed(let failure):
            _ = isRefusal(failure, name)
            return false
        case .done: report.violated("user \(uid)'s \(name) was read without an answer")
        case .lost, .unasked: return false
        }
        return settled(said)
    }

    /// Lists everything. Returns whether it could.
    @discardableResult
    private func list() -> Bool {
        let said = ask(.find(query(nil, .attributes)))
        switch said {
        case .items(let items):
            let names = items.compactMap { item -> String? in
                if case .text(let name)? = item.attributes[.account] { name } else { nil }
            }
            if names.count != items.count || Set(names).count != names.count {
                report.violated("user \(uid)'s list has an item twice, or one without a name")
            }
            for complaint in model.listed(Set(names)) { report.violated(complaint) }
        case .failed(.itemNotFound): for complaint in model.listed([]) { report.violated(complaint) }
        case .failed(let failure):
            _ = isRefusal(failure, "p")
            return false
        case .done: report.violated("user \(uid)'s list had no answer")
        case .lost, .unasked: return false
        }
        return settled(said)
    }

    /// Counts what had an answer.
    private func settled(_ said: Said) -> Bool {
        switch said {
        case .items, .done, .failed:
            report.did(uid)
            return true
        case .lost, .unasked: return false
        }
    }

    // MARK: The beginning and the end

    /// Chooses a passcode, enrols a finger and keeps the items that are only read later.
    func settleIn(_ fingers: Fingers) throws {
        guard case .done = ask(.setPasscode) else { throw SoakError("user \(uid) can't choose a passcode") }
        EventLoop.shared.sync { fingers.enrolling(true) }
        defer { EventLoop.shared.sync { fingers.enrolling(false) } }
        // On a busy machine fprintd takes longer to start than a question waits.
        guard try isDone({ try enroll() }) else { throw SoakError("user \(uid) can't enrol a finger") }
        for kind in [Kind.guarded, .finger] {
            for name in kind.names {
                guard try isDone({ try change(.add(value(for: name)), name) }) else { throw SoakError("\(name) can't be kept") }
            }
        }
    }

    private func enroll() throws -> Bool {
        guard let peer, case .enrollingEnded(nil) = try peer.ask(.enroll(.rightIndex)) else { return false }
        return true
    }

    /// Tries until it is done, as long as anything may be refused.
    private func isDone(_ body: () throws -> Bool) rethrows -> Bool {
        let end = EventLoop.now + Self.patience
        while EventLoop.now < end {
            if try body() { return true }
            usleep(250_000)
        }
        return false
    }

    /// Proves who the owner is, and reads and lists everything there is: all of it must be had.
    func lookAtAll() {
        var names = Kind.guarded.names + Kind.plain.names + Kind.unlocked.names + Kind.finger.names
        names.removeAll { name in isDone { read(name) } }
        for name in names { report.violated("user \(uid) can't read \(name), though nothing is wrong any more") }
        if !isDone({ list() }) { report.violated("user \(uid) can't list anything, though nothing is wrong any more") }
        for name in model.undecided { report.violated("user \(uid)'s \(name) was read, and isn't decided") }
    }

    // MARK: The load

    /// Does one thing after another until it is told to stop.
    func use(until isOver: Locked<Bool>) {
        while !isOver.withLock({ $0 }) {
            do {
                try step()
            } catch {
                report.violated("user \(uid) can't say what is wanted: \(error)")
            }
            usleep(UInt32(2000 + dice.roll(6000)))
        }
        leave()
    }

    private func step() throws {
        let now = EventLoop.now
        if now >= nextGuarded {
            nextGuarded = now + 10 + Double(dice.roll(10))
            read("g\(dice.roll(Kind.guarded.count))")
        } else if now >= nextFinger {
            nextFinger = now + 15 + Double(dice.roll(15))
            read("f0")
        } else {
            let kind = dice.roll(4) == 0 ? Kind.unlocked : .plain
            let name = "\(kind.rawValue)\(dice.roll(kind.count))"
            switch dice.roll(10) {
            case 0, 1: try change(.add(value(for: name)), name)
            case 2, 3: try change(.update(value(for: name)), name)
            case 4: try change(.remove, name)
            case 5: list()
            default: read(name)
            }
        }
    }
}
