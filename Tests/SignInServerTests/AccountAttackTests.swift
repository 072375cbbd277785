import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_programs

/// What a thief may send beside a copied token: each way with each act is an attack of its own.
enum FalseProof: String, CaseIterable, Sendable {
    case nothing = "the token alone"
    case nothingInAFreshSession = "the token of a fresh password session alone"
    case guessedPassword = "a guessed password"
    case ottosPassword = "the password of another account"
    case signInStatement = "a statement of a sign-in"
    case registration = "a statement of a registration"
    case otherAct = "a statement of another act"
    case signInChallenge = "the challenge of a sign-in"
    case oldStatement = "a statement of a minute ago"
    case replayedStatement = "a replayed statement"
    case ottosStatement = "another account's statement"
    case ottosDevice = "another account's device"
    case otherOrigin = "another origin's statement"
    case revokedDevice = "a revoked device's statement"
    case otherKey = "another key's signature"
    case unsigned = "a statement without a signature"
    case twoProofs = "a false password beside a statement"
    case foreignChallenge = "another account's challenge"
    case inventedChallenge = "an invented challenge"
    case endedSession = "an ended session and the right password"
    case ottosSession = "another account's session and this one's password"

    var expected: (status: Int, error: String) {
        switch self {
        case .nothing: (400, "members")
        case .nothingInAFreshSession: (400, "members")
        case .guessedPassword: (401, "credentials")
        case .ottosPassword: (401, "credentials")
        case .signInStatement: (403, "purpose")
        case .registration: (403, "purpose")
        case .otherAct: (403, "purpose")
        case .signInChallenge: (403, "purpose")
        case .oldStatement: (410, "challenge-expired")
        case .replayedStatement: (409, "challenge-used")
        case .ottosStatement: (403, "statement-account")
        case .ottosDevice: (401, "device-unknown")
        case .otherOrigin: (403, "origin")
        case .revokedDevice: (403, "device-revoked")
        case .otherKey: (401, "signature")
        case .unsigned: (400, "members")
        case .twoProofs: (400, "members")
        case .foreignChallenge: (403, "challenge-foreign")
        case .inventedChallenge: (401, "challenge-unknown")
        case .endedSession: (401, "session")
        case .ottosSession: (401, "credentials")
        }
    }
}

/// One attack, by its name.
struct AccountAttack: Sendable, CustomTestStringConvertible {
    let proof: FalseProof
    let act: Act
    var testDescription: String { "\(act.rawValue) with \(proof.rawValue)" }

    static let all = FalseProof.allCases.flatMap { proof in Act.allCases.map { AccountAttack(proof: proof, act: $0) } }
}

// One attack after another: a server for each at once would hold thousands of descriptors, and with so many the tests beside them can't
// start a program.
@Suite("Attacks on an account with a copied token", .serialized)
struct AccountAttackTests {
    @Test("No act is done without a proof of this moment, of this account and for this act", arguments: AccountAttack.all)
    func attack(attack: AccountAttack) async throws {
        let (reply, isUnharmed) = try await onThread {
            let stage = try AccountStage()
            let reply = try Self.run(attack, stage)
            return (reply, try attack.proof == .endedSession || attack.proof == .replayedStatement || stage.isUnharmed())
        }
        #expect(reply.status == attack.proof.expected.status && reply.error == attack.proof.expected.error, "\(reply.text)")
        #expect(isUnharmed)
        Tally.attack(attack.testDescription, succeeded: reply.status < 400 || !isUnharmed)
    }

    private static func run(_ attack: AccountAttack, _ stage: AccountStage) throws -> Wire.Reply {
        let (act, house, wire) = (attack.act, stage.house, stage.wire)
        func ask(_ proof: [String: String], token: String? = nil) throws -> Wire.Reply {
            try stage.ask(act, proof, token: token)
        }
        switch attack.proof {
        case .nothing: return try ask([:])
        case .nothingInAFreshSession: return try ask([:], token: stage.other)
        case .guessedPassword: return try ask(["password": "guess"])
        case .ottosPassword: return try ask(["password": "otto's own"])
        case .signInStatement: return try ask(try stage.statement("sign-in"))
        case .registration: return try ask(try stage.statement("register"))
        case .otherAct:
            let others = Set(Act.allCases.map(\.purpose)).subtracting([act.purpose]).sorted()
            let replies = try others.map { try ask(try stage.statement($0)) }
            return try #require(replies.first { $0.error != "purpose" } ?? replies.first)
        case .signInChallenge: return try ask(try stage.statement(act.purpose, challenge: try house.challenge(wire, "anna")))
        case .oldStatement:
            let proof = try stage.statement(act.purpose)
            house.wait(60)
            return try ask(proof)
        case .replayedStatement:
            // Anna ends a session of hers, or does what is done here without harm, and the thief has read what she sent.
            let extra = try stage.signIn().string("token")
            let proof = try stage.statement(act.purpose)
            let first: Wire.Reply
            switch act {
            case .endSession, .endSessions: first = try stage.ask(.endSession, proof, target: try stage.name(of: extra))
            case .revokeDevice:
                let second = try TestDevice()
                _ = try house.register(wire, second, "anna", token: stage.other)
                first = try stage.ask(act, proof, target: try second.id.text)
            case .changePassword, .removePassword:
                first = try stage.ask(act, proof, token: stage.other, more: ["sessions": "keep"])
            case .deleteAccount:
                // Of a deleted account nothing is left to replay to: the name is made again, and its owner has the same device.
                first = try ask(proof)
                let token = try house.newAccount(wire, "anna")
                _ = try house.register(wire, stage.anna, "anna", token: token)
                #expect((200...204).contains(first.status))
                return try ask(proof, token: token)
            }
            #expect((200...204).contains(first.status), "\(first.text)")
            return try ask(proof)
        case .ottosStatement: return try ask(try stage.statement(act.purpose, by: stage.otto, account: "otto"))
        case .ottosDevice: return try ask(try stage.statement(act.purpose, by: stage.otto))
        case .otherOrigin: return try ask(try stage.statement(act.purpose, origin: "https://evil.example"))
        case .revokedDevice:
            let lost = try TestDevice()
            _ = try house.register(wire, lost, "anna", token: stage.other)
            _ = try stage.ask(.revokeDevice, ["password": AccountStage.password], target: try lost.id.text)
            return try ask(try stage.statement(act.purpose, by: lost))
        case .otherKey:
            let right = try stage.statement(act.purpose)
            let statement = try #require(right["statement"])
            let signature = Base64URL.encoded(try stage.otto.signature(Array(statement.utf8)))
            return try ask(["statement": statement, "signature": signature])
        case .unsigned: return try ask(try stage.statement(act.purpose).filter { $0.key == "statement" })
        case .twoProofs: return try ask(try stage.statement("sign-in").merging(["password": "guess"]) { $1 })
        case .foreignChallenge:
            return try ask(try stage.statement(act.purpose, challenge: try house.challenge(wire, "otto", act.purpose)))
        case .inventedChallenge:
            return try ask(try stage.statement(act.purpose, challenge: Base64URL.encoded([UInt8](repeating: 7, count: 32))))
        case .endedSession:
            _ = try wire.ask("DELETE", "/v1/session", body: nil, token: stage.token)
            return try stage.ask(
                act, ["password": AccountStage.password], token: stage.token, target: try Self.target(act, stage))
        case .ottosSession:
            return try stage.ask(
                act, ["password": AccountStage.password], token: stage.ottos, target: try Self.target(act, stage))
        }
    }

    /// What of anna's the act is to hit.
    private static func target(_ act: Act, _ stage: AccountStage) throws -> String? {
        act == .endSession ? try stage.name(of: stage.other) : nil
    }

    @Test("With the right proof each act is done, by the password and by the device", arguments: Act.allCases, [true, false])
    func right(act: Act, isPassword: Bool) async throws {
        let (reply, next, old) = try await onThread {
            let stage = try AccountStage()
            let proof = isPassword ? ["password": AccountStage.password] : try stage.statement(act.purpose)
            let reply = try stage.ask(act, proof)
            return (reply, try stage.status(reply.string("token")), try stage.status(stage.token))
        }
        let goesOn = act == .changePassword || act == .removePassword || act == .endSessions
        #expect(reply.status == (goesOn ? 200 : 204), "\(reply.text)")
        #expect(next == (goesOn ? 200 : 401))
        // Another session's end leaves this one as it is.
        #expect(old == (act == .endSession ? 200 : 401))
    }

    @Test(
        "Guesses at the password count and wait, whichever route they come by, and for every other route", arguments: Act.allCases
    )
    func guesses(act: Act) async throws {
        let (misses, others, signIn, after) = try await onThread {
            let stage = try AccountStage()
            let misses = try (0..<4).map { try stage.ask(act, ["password": "guess \($0)"]).error }
            // The right one isn't looked at before the time is over.
            let others = try Act.allCases.map { try stage.ask($0, ["password": AccountStage.password]).error }
            let signIn = try stage.signIn().error
            stage.house.wait(2)
            return (misses, others, signIn, try stage.ask(act, ["password": AccountStage.password]).status)
        }
        #expect(misses == [String?](repeating: "credentials", count: 4))
        #expect(others == [String?](repeating: "slow-down", count: Act.allCases.count))
        #expect(signIn == "slow-down")
        #expect((200...204).contains(after))
    }

    @Test("Guesses at a sign-in make each act wait, and a right password in an act clears them", arguments: Act.allCases)
    func guessesBefore(act: Act) async throws {
        let (early, late, after) = try await onThread {
            let stage = try AccountStage()
            for number in 0..<4 { _ = try stage.signIn("guess \(number)") }
            let early = try stage.ask(act, ["password": AccountStage.password]).error
            stage.house.wait(2)
            let late = try stage.ask(act, ["password": AccountStage.password]).status
            // With the four before it, one more guess would have the next one wait.
            return (early, late, try (0..<2).map { try stage.signIn("guess \($0)").error })
        }
        #expect(early == "slow-down" && (200...204).contains(late))
        #expect(after == ["credentials", "credentials"])
    }
}
