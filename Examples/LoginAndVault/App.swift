import Foundation
import LocalAuthentication
import Thumbturn

/// The two screens and the way between them.
@MainActor final class App {
    private let lock: AppLock
    private let watch = EnrolmentWatch(name: "login-and-vault.enrolment")
    private let terminal = Terminal()
    /// In English, as the program's own words are.
    private let texts = Texts(Locale(identifier: "en"))

    /// After a login by password, until the vault is locked. Otherwise the token stays in the keychain and is read for each note.
    private var tokenByPassword: String?
    private var isTypingPassword = false
    private var note: Account.Note?
    private var remark: String?

    init() {
        let authenticator = Authenticator(policy: .deviceOwnerAuthenticationWithBiometrics, texts: texts)
        authenticator.fallbackTitle = "Use password"
        lock = AppLock(authenticator, watch: watch)
    }

    func run() async {
        terminal.willPutAside = { [unowned self] in
            lock.suspended()
            // Under a prompt the lock stays as it is, and there is nothing of the vault on the screen yet.
            if lock.isLocked { forget() }
            terminal.show(["Vault · put aside", ""])
        }
        draw()
        await comeBack()
        draw()
        for await event in terminal.events {
            switch event {
            case .line("q") where !isTypingPassword: return leave()
            case .line(let line): await typed(line)
            case .cameBack: await comeBack()
            case .end: return leave()
            }
            draw()
        }
    }

    // MARK: Asking

    /// Whether the sensor may stand in for the password: it can be used, there is a token for it, and the same owner is enrolled.
    private var mayUseSensor: Bool {
        BiometrySupport.current().isAvailable && !watch.check().demandsLogin && TokenKeeper.isKept
    }

    private func comeBack() async {
        guard mayUseSensor else { return }
        await ask { await self.lock.becameActive() }
    }

    private func ask(_ how: () async -> AuthenticationResult?) async {
        let result = await terminal.lend(how)
        if result == .fallbackChosen { isTypingPassword = true }
        remark = result.flatMap { texts.text($0, BiometrySupport.current().sensor) }
    }

    private func typed(_ line: String) async {
        remark = nil
        if isTypingPassword { return logIn(line) }
        switch (lock.isLocked, line) {
        case (true, "s") where mayUseSensor: await ask { await self.lock.unlock(reason: "Open the vault") }
        case (true, "p"): isTypingPassword = true
        case (false, "l"):
            lock.lock()
            forget()
        case (false, _) where Int(line) != nil: open(Int(line).map { $0 - 1 } ?? -1)
        default: remark = "There is no such choice."
        }
    }

    /// The app's own login. Only after it is a new enrolment taken for the owner's, and the token kept for that one.
    private func logIn(_ password: String) {
        isTypingPassword = false
        if password.isEmpty { return }
        guard let token = Account.token(for: password) else {
            remark = "That isn't the password."
            return
        }
        TokenKeeper.keep(token)
        lock.loginSucceeded()
        tokenByPassword = token
    }

    // MARK: The vault

    private func open(_ number: Int) {
        note = nil
        // A context whose session was locked has nothing to show any more, whether or not anybody told this program.
        guard let token = tokenByPassword ?? lock.authenticator.context.flatMap(TokenKeeper.token) else {
            lock.sessionLocked()
            forget()
            remark = "The vault was locked meanwhile."
            return
        }
        note = Account.note(number, token: token)
        if note == nil { remark = "There is no such note." }
    }

    private func forget() {
        tokenByPassword = nil
        note = nil
        remark = nil
        isTypingPassword = false
    }

    private func leave() {
        terminal.hidesTyping = false
        print()
    }

    // MARK: Screens

    private func draw() {
        terminal.hidesTyping = isTypingPassword
        if isTypingPassword {
            terminal.show(["Vault · log in with your password", "", "Nothing you type is shown; an empty line goes back."])
        } else {
            terminal.show((lock.isLocked ? loginScreen : vaultScreen) + (remark.map { ["", $0] } ?? []))
        }
    }

    private var loginScreen: [String] {
        let support = BiometrySupport.current()
        var lines = ["Vault · locked", "", "\(texts.name(support.sensor)): \(texts.text(support))"]
        if support.isAvailable && watch.check() == .changed {
            lines += texts.text(.enrolmentChanged, support.sensor).map { [$0] } ?? []
        } else if !TokenKeeper.isKept {
            lines.append("Log in with the password once (here it is “\(Account.password)”).")
        }
        lines.append("")
        if mayUseSensor { lines.append("  s  \(texts.loginTitle(support))") }
        return lines + ["  p  Log in with your password", "  q  Quit"]
    }

    private var vaultScreen: [String] {
        let list = Account.titles.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
        let shown = note.map { ["", "\($0.title): \($0.text)"] } ?? []
        return ["Vault · open", ""] + list + shown + ["", "  l  Lock", "  q  Quit"]
    }
}
