import Foundation
import VaultScreens

/// The screens in a terminal.
@MainActor final class App {
    private let screens = Screens()
    private let terminal = Terminal()
    private var mistake: String?

    func run() async {
        terminal.willPutAside = { [unowned self] in
            screens.putAside()
            terminal.show(["Vault · put aside", ""])
        }
        screens.lockedMeanwhile = { [unowned self] in draw() }
        draw()
        await terminal.lend { await screens.comeBack() }
        draw()
        for await event in terminal.events {
            switch event {
            case .line("q") where screens.place != .password: return leave()
            case .line(let line): await typed(line)
            case .cameBack: await terminal.lend { await screens.comeBack() }
            case .end: return leave()
            }
            draw()
        }
    }

    private func typed(_ line: String) async {
        mistake = nil
        switch (screens.place, line) {
        case (.password, ""): screens.leavePassword()
        case (.password, _):
            screens.logIn(line)
            // The screen before says why, and offers the way back here.
            if screens.place == .password { backToLogin() }
        case (.login, "s") where screens.mayUseSensor: await terminal.lend { await screens.unlock() }
        case (.login, "c") where screens.mayGivePasscode: await terminal.lend { await screens.givePasscode() }
        case (.login, "p"): screens.startPassword()
        case (.vault, "l"): screens.lockNow()
        case (.vault, _) where Int(line) != nil: screens.open(Int(line).map { $0 - 1 } ?? -1)
        default: mistake = "There is no such choice."
        }
    }

    private func backToLogin() {
        mistake = screens.remark
        screens.leavePassword()
    }

    private func leave() {
        terminal.hidesTyping = false
        print()
    }

    // MARK: Drawing

    private func draw() {
        terminal.hidesTyping = screens.place == .password
        let remark = (mistake ?? screens.remark).map { ["", $0] } ?? []
        switch screens.place {
        case .password:
            terminal.show(["Vault · log in with your password", "", "Nothing you type is shown; an empty line goes back."])
        case .login: terminal.show(loginScreen + remark)
        case .vault: terminal.show(vaultScreen + remark)
        }
    }

    private var loginScreen: [String] {
        var lines = ["Vault · locked", ""] + screens.explanation + [""]
        if screens.mayUseSensor { lines.append("  s  \(screens.texts.loginTitle(screens.support))") }
        if screens.mayGivePasscode { lines.append("  c  Give the passcode") }
        return lines + ["  p  Log in with your password", "  q  Quit"]
    }

    private var vaultScreen: [String] {
        let list = AccountServer.titles.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
        let shown = screens.note.map { ["", "\($0.title): \($0.text)"] } ?? []
        return ["Vault · open", ""] + list + shown + ["", "  l  Lock", "  q  Quit"]
    }
}
