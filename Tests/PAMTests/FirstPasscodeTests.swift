import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// The system's daemon, with a real account: who may choose the first passcode.
@Suite("The very first passcode", .timeLimit(.minutes(10)), .enabled(if: getuid() == 0, "takes root"))
struct FirstPasscodeTests {
    private static let chosen = ["mine alone", "mine alone"]

    @Test("it takes the account's password, once; from then on the passcode itself, and nothing else does")
    func first() async throws {
        let (guessed, notices, early, set, purposes, right, changed, later) = try await onThread {
            let owner = try Owner(Machine(), isSystem: true)
            let guessed = try owner.ask(.setPasscode, typing: ["no such word"] + Self.chosen)
            let (notices, early) = (owner.notices, try owner.status.passcodeIsSet)
            let set = try owner.isDone(.setPasscode, typing: [Machine.password] + Self.chosen)
            let purposes = owner.purposes
            let right = try owner.evaluate(typing: ["mine alone"])
            // The account's password changes nothing any more.
            let changed = try owner.isDone(.setPasscode, typing: [Machine.password, "another", "another"])
            return (guessed, notices, early, set, purposes, right, changed, try owner.evaluate(typing: ["mine alone"]))
        }
        guard case .failed(.userCanceled) = guessed else {
            Issue.record("\(guessed)")
            return
        }
        // A program that guesses: each of its words is a wrong one, though the last two are alike.
        #expect(notices == [.wrongPasscode, .wrongPasscode, .wrongPasscode] && !early)
        #expect(set && purposes == [.accountPassword, .choosePasscode, .repeatPasscode])
        #expect(right == .success(.passcode) && !changed)
        #expect(later == .success(.passcode))
        Tally.check("the first passcode is chosen without the account's password", succeeded: early)
        Tally.check("the account's password changes a passcode of its own", succeeded: changed)
    }

    /// What one guess takes (KiB, passes and lanes), as a store's keybag says it in the form of docs/STORE.md.
    private static func cost(on machine: Machine, store: String) throws -> [Int] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: machine.state + store + "/keybag")))
        func number(at place: Int, _ count: Int) -> Int { bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
        // Behind magic, format, state, id, revision and serial.
        let count = number(at: 39, 2)
        var place = 41
        for _ in 0..<count {
            let (isPasscode, body) = (bytes[place] == 2, place + 6)
            if isPasscode { return (0..<3).map { number(at: body + 4 * $0, 4) } }
            place = body + number(at: place + 2, 4)
        }
        return []
    }

    @Test("a guess at it with the store's files takes the memory and the passes that are promised", arguments: [true, false])
    func costs(isSystem: Bool) async throws {
        let (set, cost) = try await onThread {
            let owner = try Owner(Machine(), isSystem: isSystem)
            let set = try owner.isDone(.setPasscode, typing: (isSystem ? [Machine.password] : []) + Self.chosen)
            // In system mode each user has a store of their own there.
            return (set, try Self.cost(on: owner.machine, store: isSystem ? "/0" : ""))
        }
        #expect(set && cost == [64 << 10, 3, 1])
    }

    @Test("guesses at it cost the delays of wrong passcodes, over calls and restarts")
    func guesses() async throws {
        let waits = try await onThread {
            let owner = try Owner(Machine(), isSystem: true)
            _ = try owner.ask(.setPasscode, typing: ["one", "two", "three", "four"])
            try owner.restart()
            return try owner.wait(.setPasscode)
        }
        #expect(waits > 0)
    }

    @Test("where the system can't judge, nobody chooses one; the account's password as passcode is its own proof")
    func judged() async throws {
        let (unjudged, notices, isSet, used, source) = try await onThread {
            let owner = try Owner(Machine([:]), isSystem: true)
            _ = try owner.ask(.setPasscode, typing: [Machine.password] + Self.chosen)
            let (notices, isSet) = (owner.notices, try owner.status.passcodeIsSet)
            try owner.machine.write("pam.d/thumbturn", Machine.unix)
            let used = try owner.isDone(.useAccountPassword, typing: [Machine.password])
            return (owner.purposes, notices, isSet, used, try owner.status.passcodeSource)
        }
        #expect(notices.contains(.passcodeUnchecked) && !isSet)
        #expect(used && unjudged == [.accountPassword] && source == .account)
    }

    @Test("two that were proven at once: the first to be chosen stands, and the second has to give it")
    func race() async throws {
        let (first, second, right) = try await onThread {
            let owner = try Owner(Machine(), isSystem: true)
            let late = try owner.app()
            try late.send(.setPasscode)
            guard case .promptNeeded(let ticket)? = try late.next() else { throw Peer.Surprise(what: "nobody is asked") }
            let proving = try Peer(owner.machine.socket, Hello(role: .prompt, ticket: ticket))
            try proving.send(.typed(secret(Machine.password)))
            guard case .promptNeeded(let next)? = try late.next() else { throw Peer.Surprise(what: "not proven") }
            // It is about to be chosen; another call is faster.
            let first = try owner.isDone(.setPasscode, typing: [Machine.password] + Self.chosen)
            let choosing = try Peer(owner.machine.socket, Hello(role: .prompt, ticket: next))
            for _ in 0..<2 { try choosing.send(.typed(secret("theirs"))) }
            guard let second = try late.next() else { throw Peer.Surprise(what: "no answer") }
            return (first, second, try owner.evaluate(typing: ["mine alone"]))
        }
        guard case .failed(.authenticationFailed) = second else {
            Issue.record("\(second)")
            return
        }
        #expect(first && right == .success(.passcode))
    }

    @Test("without a passcode no finger is enrolled or forgotten: it comes first, and with it the account's password")
    func fingers() async throws {
        let answers = try await onThread {
            let owner = try Owner(Machine(), isSystem: true)
            return try ([EnrollFinger(.rightIndex), ForgetFinger(nil)] as [any Word]).map {
                try owner.ask($0, typing: [Machine.password])
            }
        }
        #expect(
            answers.allSatisfy {
                if case .enrollingEnded(.notPermitted) = $0 { true } else { false }
            }, "\(answers)")
    }

    @Test("a user's own daemon doesn't ask: there, nothing keeps another program of the user from being the daemon")
    func userMode() async throws {
        let (set, purposes) = try await onThread {
            let owner = try Owner(Machine())
            return (try owner.isDone(.setPasscode, typing: Self.chosen), owner.purposes)
        }
        #expect(set && purposes == [.choosePasscode, .repeatPasscode])
    }
}
