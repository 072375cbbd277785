import Foundation
import Thumbturn

/// What is to be done for which account.
struct Errand {
    private enum Verb: String { case enable, now, status, token, out, disable }

    /// A session that ends sooner is renewed before its token is handed out: whoever gets it wants to use it.
    private static let leastSeconds: TimeInterval = 3600

    private let verb: Verb
    private let server: String
    private let account: String
    /// Name, protection and the password's file, for enabling.
    private let more: [String]

    /// nil for words that `thumbturn` doesn't write.
    init?(_ words: [String]) {
        guard words.count >= 4, let verb = Verb(rawValue: words[0]), ["words", "json"].contains(words[1]) else { return nil }
        self.verb = verb
        (server, account, more) = (words[2], words[3], Array(words.dropFirst(4)))
        guard more.count == (verb == .enable ? 3 : 0) else { return nil }
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
            return Outcome(["Signed out."], [("state", "enabled")])
        case .disable: return Outcome(try await signIn.disable())
        }
    }

    private func enable(_ signIn: SignIn) async throws(SignInError) -> Outcome {
        let guards: [String: Vault.Guard] = [
            "current-biometry": .currentBiometry, "biometry": .biometry, "presence": .presence, "passcode": .passcode,
        ]
        guard let guardedBy = guards[more[1]], let data = FileManager.default.contents(atPath: more[2]) else { throw .badName }
        // What isn't text is no password of anybody's.
        guard let password = String(data: data, encoding: .utf8) else { throw .wrongPassword }
        try await signIn.enable(password: password, deviceName: more[0], guardedBy: guardedBy)
        return Outcome(["Enabled: 'thumbturn sign-in now' takes your finger from here on."], [("state", "enabled")])
    }

    /// As the server knows it; where it can't be reached, as this device does.
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
