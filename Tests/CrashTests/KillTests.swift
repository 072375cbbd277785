import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbSecrets
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_programs

/// The daemon is killed at random points while several programs use it.
@Suite(.timeLimit(.minutes(30))) struct KillTests {
    private static let programs = 3
    private static let accounts = 6
    /// Changes of all programs together before a kill, at most.
    private static let mostChanges = 20

    /// What one program knows of its items: what was acknowledged, and what it had asked for when the daemon was killed.
    private struct Program: Sendable {
        let number: Int
        var items: [String: Int] = [:]
        var underWay: (account: String, version: Int?)?
        var version = 0
        /// A refusal that isn't the daemon's end.
        var refusal: KeychainFailure?

        /// Asks for changes until the daemon is gone.
        mutating func work(_ client: DeviceClient, _ dice: inout Dice, _ acknowledged: () -> Void) {
            while true {
                let account = "\(number)-\(Int.random(in: 0..<KillTests.accounts, using: &dice))"
                version += 1
                let isThere = items[account] != nil
                let isRemoved = isThere && Int.random(in: 0..<3, using: &dice) == 0
                underWay = (account, isRemoved ? nil : version)
                do throws(KeychainFailure) {
                    if isRemoved {
                        try client.remove(KillTests.query(account))
                    } else if isThere {
                        let change = ItemChange(
                            attributes: [.label: .text("\(version)")], secret: KillTests.secret(account, version))
                        try client.update(KillTests.query(account), with: change)
                    } else {
                        _ = try client.add(KillTests.item(account, version))
                    }
                } catch {
                    if error != .deviceUnreachable { refusal = error }
                    return
                }
                items[account] = isRemoved ? nil : version
                underWay = nil
                acknowledged()
            }
        }

        /// Compares with what the daemon has now; what is wrong.
        mutating func compare(_ found: [String: Int]) -> [String] {
            if let refusal { return ["program \(number) was refused: \(refusal)"] }
            let mine = found.filter { $0.key.hasPrefix("\(number)-") }
            var done = items
            if let underWay { done[underWay.account] = underWay.version }
            defer { (items, underWay) = (mine, nil) }
            if mine == items || mine == done { return [] }
            return ["program \(number): there is \(mine), acknowledged was \(items), under way \(String(describing: underWay))"]
        }
    }

    fileprivate static func query(_ account: String) -> Query {
        Query(itemClass: .genericPassword, attributes: [.account: .text(account), .service: .text("kills")])
    }

    /// Long enough for pages of its own, and whole only if all of it is of one version.
    fileprivate static func secret(_ account: String, _ version: Int) -> SecretBytes? {
        try? SecretBytes(copying: Array(String(repeating: "\(account):\(version) ", count: 50 + version % 500).utf8))
    }

    fileprivate static func item(_ account: String, _ version: Int) -> NewItem {
        let attributes: Attributes = [
            .account: .text(account), .service: .text("kills"), .label: .text("\(version)"),
        ]
        return NewItem(
            itemClass: .genericPassword, attributes: attributes, rule: AccessRule(.afterFirstUnlock),
            secret: secret(account, version))
    }

    /// Every item's version; one whose parts aren't of one version gets -1.
    private static func found(_ client: DeviceClient) throws -> [String: Int] {
        var all = query("")
        (all.attributes, all.limit, all.shape) = ([.service: .text("kills")], nil, [.attributes])
        var found: [String: Int] = [:]
        do {
            for item in try client.find(all) {
                let account = item.attributes[.account]?.string ?? "?"
                let version = Int(item.attributes[.label]?.string ?? "") ?? -1
                var one = query(account)
                one.shape = [.data]
                let whole = try client.find(one).first?.secret == secret(account, version)
                found[account] = whole ? version : -1
            }
        } catch KeychainFailure.itemNotFound {}
        return found
    }

    private struct Outcome: Sendable {
        var complaints: [String] = []
        var acknowledged = 0
        var kills = 0
    }

    /// One life of the daemon: it starts, shows what it has, works, and is killed.
    private static func round(
        _ scratch: Scratch, _ programs: inout [Program], _ dice: inout Dice, _ outcome: inout Outcome
    ) throws {
        if Int.random(in: 0..<5, using: &dice) == 0 {
            // Killed while it opens the store.
            let daemon = try Daemon(state: scratch.path)
            usleep(UInt32.random(in: 0..<60_000, using: &dice))
            daemon.child.killed()
            outcome.kills += 1
            return
        }
        guard let daemon = try Daemon.listening(state: scratch.path) else {
            outcome.complaints.append("it doesn't start")
            return
        }
        let found = try found(daemon.client())
        for index in programs.indices { outcome.complaints += programs[index].compare(found) }
        let acknowledged = Locked(0)
        let (working, progress) = (DispatchGroup(), DispatchSemaphore(value: 0))
        let states = Locked(programs)
        for index in programs.indices {
            let seed = dice.next()
            let program = programs[index]
            working.enter()
            Thread.detachNewThread {
                var program = program
                var own = Dice(seed)
                program.work(daemon.client(), &own) {
                    acknowledged.withLock { $0 += 1 }
                    progress.signal()
                }
                // Nobody waits for changes of who has ended.
                for _ in 0..<Self.mostChanges { progress.signal() }
                states.withLock { [program] in $0[index] = program }
                working.leave()
            }
        }
        // Somewhere in the change after so many: the moment itself is left to chance.
        for _ in 0..<Int.random(in: 0..<mostChanges, using: &dice) { progress.wait() }
        usleep(UInt32.random(in: 0..<4000, using: &dice))
        daemon.child.killed()
        outcome.kills += 1
        working.wait()
        programs = states.withLock { $0 }
        outcome.acknowledged += acknowledged.withLock { $0 }
    }

    @Test("a daemon killed at any moment has everything it acknowledged, nothing half, and starts again")
    func kills() async throws {
        let count = 200
        let outcome = try await onThread {
            let scratch = try Scratch()
            var dice = Dice(for: "the daemon's kills")
            var programs = (0..<Self.programs).map { Program(number: $0) }
            var outcome = Outcome()
            for number in 1...count {
                try Self.round(scratch, &programs, &dice, &outcome)
                guard number % 10 == 0 else { continue }
                if try !scratch.open().items.verify().isSound { outcome.complaints.append("not sound after \(number) kills") }
            }
            return outcome
        }
        #expect(outcome.complaints == [])
        #expect(outcome.acknowledged > count && outcome.kills == count)
        Tally.note("kills", outcome.kills)
        Tally.note("lost", outcome.complaints.count)
    }
}

extension AttributeValue {
    fileprivate var string: String { String(decoding: comparable, as: UTF8.self) }
}
