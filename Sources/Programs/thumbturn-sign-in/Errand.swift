import Foundation
import Thumbturn

/// What to do, and for which account.
struct Errand {
    private enum Verb: String {
        case enable, now, status, token, out, disable, sessions, devices
        case changePassword = "change-password"
        case removePassword = "remove-password"
        case endSessions = "end-sessions"
        case revokeDevice = "revoke-device"
        case deleteAccount = "delete-account"

        /// How many words follow the account. One more is the file with the password that proves the act.
        var words: Int {
            switch self {
            case .enable: 3
            case .changePassword: 2
            case .removePassword, .endSessions, .revokeDevice: 1
            case .now, .status, .token, .out, .disable, .sessions, .devices, .deleteAccount: 0
            }
        }

        var takesPassword: Bool {
            switch self {
            case .disable, .changePassword, .removePassword, .endSessions, .revokeDevice, .deleteAccount: true
            case .enable, .now, .status, .token, .out, .sessions, .devices: false
            }
        }
    }

    /// A session that ends sooner is renewed before its token is handed out, because whoever asks for the token wants to use it.
    private static let leastSeconds: TimeInterval = 3600

    private let verb: Verb
    private let server: String
    private let account: String
    /// The words that follow. For enabling: name, protection and the password's file. Otherwise: what happens to other sessions and a new
    /// password's file, or a session, or a device.
    private let more: [String]
    /// The file with the password that proves an act; nil if the owner proves it.
    private let passwordFile: String?

    /// nil for words that `thumbturn` never passes.
    init?(_ words: [String]) {
        guard words.count >= 4, let verb = Verb(rawValue: words[0]), ["words", "json"].contains(words[1]) else { return nil }
        self.verb = verb
        let rest = words.dropFirst(4)
        (server, account, more) = (words[2], words[3], Array(rest.prefix(verb.words)))
        passwordFile = rest.count > verb.words ? rest.last : nil
        guard (verb.words...verb.words + (verb.takesPassword ? 1 : 0)).contains(rest.count) else { return nil }
    }

    func run() async throws(SignInError) -> Outcome {
        let signIn = try SignIn(server, account: account)
        switch verb {
        case .enable: return try await enable(signIn)
        case .now: return Outcome(try await signIn.signIn(), "Signed in")
        case .status: return Outcome(try await state(signIn))
        case .token: return Outcome(token: try await token(signIn))
        case .out:
            try await signIn.signOut()
            return Outcome(["You are signed out."], [("state", "enabled")])
        case .disable:
            let password = try passwordFile.map { path throws(SignInError) in try Self.password(path) }
            return Outcome(try await signIn.disable(password: password))
        case .sessions: return Outcome(try await signIn.sessions())
        case .changePassword:
            try await signIn.changePassword(
                to: try Self.password(more[1]), proof: try proof(), keepingOtherSessions: more[0] == "keep")
            return Outcome([Self.sentence("The password is changed", kept: more[0] == "keep")], [("changed", "password")])
        case .removePassword:
            try await signIn.removePassword(proof: try proof(), keepingOtherSessions: more[0] == "keep")
            return Outcome(
                [Self.sentence("The password is removed, so only your devices can sign in", kept: more[0] == "keep")],
                [("removed", "password")])
        case .endSessions:
            if more[0] == "others" {
                try await signIn.endOtherSessions(proof: try proof())
                return Outcome(["All other sessions have ended."], [("ended", "others")])
            }
            try await signIn.endSession(more[0], proof: try proof())
            return Outcome(["That session has ended."], [("ended", more[0])])
        case .devices: return Outcome(try await signIn.devices())
        case .revokeDevice:
            try await signIn.revokeDevice(more[0], proof: try proof())
            return Outcome(["That device is revoked, and its sessions have ended."], [("revoked", more[0])])
        case .deleteAccount:
            try await signIn.deleteAccount(proof: try proof())
            return Outcome(["The account is deleted, and nothing of it is left here."], [("deleted", "account")])
        }
    }

    private static func sentence(_ words: String, kept: Bool) -> String {
        words + (kept ? ". Other sessions go on." : ". Other sessions have ended.")
    }

    private func proof() throws(SignInError) -> SignIn.Proof {
        guard let passwordFile else { return .owner }
        return .password(try Self.password(passwordFile))
    }

    private static func password(_ path: String) throws(SignInError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw .badName }
        // Data that isn't text is nobody's password.
        guard let password = String(data: data, encoding: .utf8) else { throw .wrongPassword }
        return password
    }

    private func enable(_ signIn: SignIn) async throws(SignInError) -> Outcome {
        let guards: [String: Vault.Guard] = [
            "current-biometry": .currentBiometry, "biometry": .biometry, "presence": .presence, "passcode": .passcode,
        ]
        guard let guardedBy = guards[more[1]] else { throw .badName }
        try await signIn.enable(password: try Self.password(more[2]), deviceName: more[0], guardedBy: guardedBy)
        let shown = Outcome.shown(guardedBy, on: .current())
        return Outcome(["This device is enabled: from now on 'thumbturn sign-in now' takes \(shown)."], [("state", "enabled")])
    }

    /// The state that the server knows or, if the server can't be reached, that this device knows.
    private func state(_ signIn: SignIn) async throws(SignInError) -> SignIn.State {
        do throws(SignInError) {
            return try await signIn.check()
        } catch .unreachable {
            return try signIn.state()
        }
    }

    private func token(_ signIn: SignIn) async throws(SignInError) -> SignIn.Session {
        guard let session = try signIn.session() else { return try await signIn.signIn() }
        if session.expires.timeIntervalSinceNow > Self.leastSeconds { return session }
        do throws(SignInError) {
            return try await signIn.renew()
        } catch .noSession {
            return try await signIn.signIn()
        }
    }
}
