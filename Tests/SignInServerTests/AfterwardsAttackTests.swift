import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_programs

/// What somebody tries after the owner or the operator has done something about it, or with what belongs to another account.
enum LateAttack: String, CaseIterable, Sendable {
    case copiedTokenAfterAnotherPassword = "a copied token goes on after the password was changed"
    case copiedTokenAfterRemovedPassword = "a copied token goes on after the password was removed"
    case copiedTokenAfterEndedSessions = "a copied token goes on after its sessions were ended"
    case renewedCopyAfterEndedSessions = "a renewed copy of a token goes on after the sessions were ended"
    case otherSessionAfterAnotherPassword = "another session goes on after the password was changed"
    case otherSessionAfterRemovedPassword = "another session goes on after the password was removed"
    case sessionRenewedOutOfReach = "a session that was renewed twice outlives its end by name"
    case oldPasswordSignsIn = "the password before a change signs in"
    case oldPasswordAsProof = "the password before a change proves an act"
    case removedPasswordSignsIn = "a removed password signs in"
    case removedPasswordAsProof = "a removed password proves an act"
    case removedPasswordSetAgainByToken = "a token sets a password where there is none"
    case sessionOfRevokedDevice = "a session of a revoked device goes on"
    case lockedByPassword = "a password signs in to a locked account"
    case lockedByGuess = "a guess at a locked account's password is answered as right"
    case lockedByDevice = "a device signs in to a locked account"
    case lockedBySession = "a session of a locked account goes on"
    case lockedByRenewal = "a session of a locked account is renewed"
    case lockedRegisters = "a device is registered with a locked account"
    case lockedActs = "an act is done on a locked account"
    case lockedLists = "a locked account's devices are listed"
    case unlockedByOldSession = "a session from before the lock goes on after it"
    case deletedByPassword = "a password signs in to a deleted account"
    case deletedByDevice = "a device signs in to a deleted account"
    case deletedBySession = "a session of a deleted account goes on"
    case deletedAndMadeAgainByOldSession = "a session of a deleted account goes on in the next one of its name"
    case deletedAndMadeAgainByOldDevice = "a device of a deleted account signs in to the next one of its name"
    case otherAccountsSessionEnded = "another account's session is ended with one's own password"
    case otherAccountsSessionEndedByStatement = "another account's session is ended with one's own statement"
    case otherAccountsDeviceRevoked = "another account's device is revoked"
    case otherAccountsSessionsListed = "another account's sessions are listed"
    case listWithoutSession = "sessions are listed without a session"
    case sessionNameAsToken = "a session's name is taken for its token"
    case actStatementSignsIn = "a statement of an act signs in"
    case actStatementRegisters = "a statement of an act registers a device"
    case lastDeviceRevoked = "the last way in is revoked with the last device"
    case lastPasswordRemoved = "the last way in is removed with the password"
    case inventedWordForSessions = "an invented word for the sessions is taken"
    case malformedSessionName = "a session's name that is a path is taken"
    case emptyNewPassword = "an empty password is set"
    case longNewPassword = "a password beyond the limit is taken as proof"
    case bodilessRevocationByTheOldRoute = "a token alone revokes a device by the old route"
    case statementOfAnUnknownAct = "a statement of an unknown act deletes an account"
    case challengeForAnUnknownAct = "a challenge is given for an unknown act"
    case routeBehindRevocation = "a route behind the revocation's revokes"

    /// What was never seen to succeed: another defence stands before it, or there never was a way.
    static let neverSeen: Set<LateAttack> = [
        .bodilessRevocationByTheOldRoute, .lockedActs, .lockedByGuess, .otherAccountsSessionsListed, .challengeForAnUnknownAct,
        .emptyNewPassword, .inventedWordForSessions, .listWithoutSession, .malformedSessionName, .routeBehindRevocation,
        .sessionNameAsToken,
    ]

    var expected: (status: Int, error: String) {
        switch self {
        case .copiedTokenAfterAnotherPassword, .copiedTokenAfterRemovedPassword, .copiedTokenAfterEndedSessions,
            .renewedCopyAfterEndedSessions, .otherSessionAfterAnotherPassword, .otherSessionAfterRemovedPassword,
            .sessionRenewedOutOfReach, .sessionOfRevokedDevice, .lockedBySession, .lockedByRenewal, .lockedRegisters, .lockedActs,
            .lockedLists, .unlockedByOldSession, .deletedBySession, .deletedAndMadeAgainByOldSession, .listWithoutSession,
            .sessionNameAsToken:
            (401, "session")
        case .oldPasswordSignsIn, .oldPasswordAsProof, .removedPasswordSignsIn, .removedPasswordAsProof,
            .removedPasswordSetAgainByToken, .lockedByGuess, .deletedByPassword:
            (401, "credentials")
        case .lockedByPassword, .lockedByDevice: (403, "account-locked")
        case .deletedByDevice, .deletedAndMadeAgainByOldDevice: (401, "device-unknown")
        case .otherAccountsSessionEnded, .otherAccountsSessionEndedByStatement, .otherAccountsDeviceRevoked,
            .routeBehindRevocation:
            (404, "not-found")
        case .otherAccountsSessionsListed: (200, "")
        case .actStatementSignsIn, .actStatementRegisters: (403, "purpose")
        case .lastDeviceRevoked: (409, "last-device")
        case .lastPasswordRemoved: (409, "no-device")
        case .inventedWordForSessions, .malformedSessionName, .emptyNewPassword, .longNewPassword, .challengeForAnUnknownAct:
            (400, "value")
        case .bodilessRevocationByTheOldRoute: (405, "method")
        case .statementOfAnUnknownAct: (400, "statement-malformed")
        }
    }
}

// One attack after another: a server for each at once would hold thousands of descriptors, and with so many the tests beside them can't
// start a program.
@Suite("Attacks on an account that was changed, locked or deleted, or is another's", .serialized)
struct AfterwardsAttackTests {
    private static let proof = ["password": AccountStage.password]

    @Test(
        "What the owner or the operator has ended stays ended, and what is another's stays theirs", arguments: LateAttack.allCases
    )
    func attack(attack: LateAttack) async throws {
        let reply = try await onThread { try Self.run(attack, try AccountStage()) }
        let isRefused = reply.status == attack.expected.status && (reply.error ?? "") == attack.expected.error
        #expect(isRefused, "\(reply.text)")
        if LateAttack.neverSeen.contains(attack) {
            Tally.check(attack.rawValue, succeeded: !isRefused)
        } else {
            Tally.attack(attack.rawValue, succeeded: reply.status < 400)
        }
    }

    private static func run(_ attack: LateAttack, _ stage: AccountStage) throws -> Wire.Reply {
        let (house, wire) = (stage.house, stage.wire)
        let anna = AccountName("anna")!  // A name by its looks.
        func session(_ token: String) throws -> Wire.Reply { try wire.ask("GET", "/v1/session", body: nil, token: token) }
        func done(_ act: Act, _ proof: [String: String] = Self.proof, token: String? = nil) throws -> Wire.Reply {
            let reply = try stage.ask(act, proof, token: token)
            #expect((200...204).contains(reply.status), "\(reply.text)")
            return reply
        }
        func operate(_ deed: Deed) throws { #expect(try house.settle(deed) == .done) }
        func renewed(_ token: String) throws -> String {
            try wire.ask("POST", "/v1/session/renewal", body: nil, token: token).string("token")
        }
        switch attack {
        case .copiedTokenAfterAnotherPassword:
            _ = try done(.changePassword)
            return try session(stage.token)
        case .copiedTokenAfterRemovedPassword:
            _ = try done(.removePassword)
            return try session(stage.token)
        case .copiedTokenAfterEndedSessions:
            _ = try done(.endSessions)
            return try session(stage.token)
        case .renewedCopyAfterEndedSessions:
            // The thief renews what was copied, so the owner's is done: the owner signs in anew, and ends the rest.
            let thiefs = try renewed(stage.token)
            _ = try done(.endSessions, token: try house.signIn(wire, stage.anna, "anna").string("token"))
            return try session(thiefs)
        case .otherSessionAfterAnotherPassword:
            _ = try done(.changePassword)
            return try session(stage.other)
        case .otherSessionAfterRemovedPassword:
            _ = try done(.removePassword)
            return try session(stage.other)
        case .sessionRenewedOutOfReach:
            let name = try stage.name(of: stage.other)
            let thiefs = try renewed(try renewed(stage.other))
            #expect(try stage.ask(.endSession, Self.proof, target: name).status == 204)
            return try session(thiefs)
        case .oldPasswordSignsIn:
            _ = try done(.changePassword)
            return try stage.signIn()
        case .oldPasswordAsProof:
            let next = try done(.changePassword).string("token")
            return try stage.ask(.deleteAccount, Self.proof, token: next)
        case .removedPasswordSignsIn:
            _ = try done(.removePassword)
            return try stage.signIn()
        case .removedPasswordAsProof:
            let next = try done(.removePassword).string("token")
            return try stage.ask(.deleteAccount, Self.proof, token: next)
        case .removedPasswordSetAgainByToken:
            let next = try done(.removePassword).string("token")
            return try stage.ask(.changePassword, ["password": "anything"], token: next)
        case .sessionOfRevokedDevice:
            _ = try done(.revokeDevice, token: stage.other)
            return try session(stage.token)
        case .lockedByPassword:
            try operate(.setLocked(anna, true))
            return try stage.signIn()
        case .lockedByGuess:
            try operate(.setLocked(anna, true))
            return try stage.signIn("guess")
        case .lockedByDevice:
            try operate(.setLocked(anna, true))
            return try house.signIn(wire, stage.anna, "anna")
        case .lockedBySession:
            try operate(.setLocked(anna, true))
            return try session(stage.token)
        case .lockedByRenewal:
            try operate(.setLocked(anna, true))
            return try wire.ask("POST", "/v1/session/renewal", body: nil, token: stage.token)
        case .lockedRegisters:
            try operate(.setLocked(anna, true))
            return try house.register(wire, try TestDevice(), "anna", token: stage.other)
        case .lockedActs:
            try operate(.setLocked(anna, true))
            return try stage.ask(.changePassword, Self.proof)
        case .lockedLists:
            try operate(.setLocked(anna, true))
            return try wire.ask("GET", "/v1/devices", body: nil, token: stage.token)
        case .unlockedByOldSession:
            try operate(.setLocked(anna, true))
            try operate(.setLocked(anna, false))
            #expect(try stage.signIn().status == 201)
            return try session(stage.token)
        case .deletedByPassword:
            _ = try done(.deleteAccount)
            return try stage.signIn()
        case .deletedByDevice:
            _ = try done(.deleteAccount)
            return try house.signIn(wire, stage.anna, "anna")
        case .deletedBySession:
            _ = try done(.deleteAccount)
            return try session(stage.other)
        case .deletedAndMadeAgainByOldSession:
            _ = try done(.deleteAccount)
            _ = try house.newAccount(wire, "anna", password: "somebody else's")
            return try session(stage.other)
        case .deletedAndMadeAgainByOldDevice:
            _ = try done(.deleteAccount)
            _ = try house.newAccount(wire, "anna", password: "somebody else's")
            return try house.signIn(wire, stage.anna, "anna")
        case .otherAccountsSessionEnded:
            let target = try stage.name(of: stage.other)
            let reply = try stage.ask(.endSession, ["password": "otto's own"], token: stage.ottos, target: target)
            #expect(try stage.isUnharmed())
            return reply
        case .otherAccountsSessionEndedByStatement:
            let target = try stage.name(of: stage.other)
            let statement = try stage.statement("end-sessions", by: stage.otto, account: "otto")
            let reply = try stage.ask(.endSession, statement, token: stage.ottos, target: target)
            #expect(try stage.isUnharmed())
            return reply
        case .otherAccountsDeviceRevoked:
            let reply = try stage.ask(.revokeDevice, ["password": "otto's own"], token: stage.ottos)
            #expect(try stage.isUnharmed())
            return reply
        case .otherAccountsSessionsListed:
            let names = try [stage.token, stage.other].map { try stage.name(of: $0) }
            let reply = try wire.ask("GET", "/v1/sessions", body: nil, token: stage.ottos)
            #expect(names.allSatisfy { !reply.text.contains($0) })
            #expect((reply.json["sessions"] as? [Any])?.count == 1)
            return reply
        case .listWithoutSession: return try wire.ask("GET", "/v1/sessions", body: nil)
        case .sessionNameAsToken: return try session(try stage.name(of: stage.token))
        case .actStatementSignsIn: return try wire.ask("POST", "/v1/sign-ins", try stage.statement("delete-account"))
        case .actStatementRegisters:
            let device = try TestDevice()
            let members = try stage.statement("change-password", by: device).merging(["key": device.pem, "name": "x"]) { $1 }
            return try wire.ask("POST", "/v1/devices", members, token: stage.other)
        case .lastDeviceRevoked:
            let next = try done(.removePassword).string("token")
            let reply = try stage.ask(.revokeDevice, try stage.statement("revoke-device"), token: next)
            #expect(try house.signIn(wire, stage.anna, "anna").status == 201)
            return reply
        case .lastPasswordRemoved:
            _ = try done(.revokeDevice, token: stage.other)
            let reply = try stage.ask(.removePassword, Self.proof, token: stage.other)
            #expect(try stage.signIn().status == 201)
            return reply
        case .inventedWordForSessions: return try stage.ask(.changePassword, Self.proof, more: ["sessions": "all"])
        case .malformedSessionName: return try stage.ask(.endSession, Self.proof, target: "../../health")
        case .emptyNewPassword: return try stage.ask(.changePassword, Self.proof, more: ["new_password": ""])
        case .longNewPassword:
            let long = String(repeating: "ä", count: 257)
            #expect(try stage.ask(.changePassword, Self.proof, more: ["new_password": long]).error == "value")
            // And as many as it may have.
            let next = try stage.ask(.changePassword, Self.proof, more: ["new_password": String(long.dropLast())])
            #expect(next.status == 200)
            return try stage.ask(.changePassword, ["password": long], token: next.string("token"))
        case .bodilessRevocationByTheOldRoute:
            return try wire.ask("DELETE", "/v1/devices/\(try stage.anna.id.text)", body: nil, token: stage.token)
        case .statementOfAnUnknownAct:
            let challenge = try house.challenge(wire, "anna", "delete-account")
            return try stage.ask(.deleteAccount, try stage.statement("delete-everything", challenge: challenge))
        case .challengeForAnUnknownAct:
            return try wire.ask("POST", "/v1/challenges", ["account": "anna", "purpose": "delete-everything"])
        case .routeBehindRevocation:
            let path = "/v1/devices/\(try stage.anna.id.text)/revocation/now"
            return try wire.ask("POST", path, Self.proof, token: stage.token)
        }
    }

    @Test("A session begun with the password that another request changes meanwhile isn't begun")
    func race() async throws {
        // Whoever comes first: afterwards only sessions that began with the new password are there.
        let alive = try await onThread {
            let stage = try AccountStage()
            let deeds: [Deed] = [.readPassword(AccountName("anna")!)]  // A name by its looks.
            guard case .password(let old?, _, _) = try stage.house.settle(deeds[0]) else { return DeedOutcome.done }
            _ = try stage.ask(.changePassword, Self.proof)
            let late = NewSession(token: Digest32([UInt8](repeating: 9, count: 32))!, expires: Moment(seconds: 1_900_000_000))
            return try stage.house.settle(.beginPasswordSession(AccountName("anna")!, old, late))  // The same.
        }
        #expect(alive == .refused(.credentials))
    }
}
