import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_programs

@Suite("The prompt in a window", .serialized)
struct WindowConversationTests {
    @Test("a finger is watched for while the passcode can be typed; a stranger's is told, the owner's ends it")
    func finger() async throws {
        let (first, missed, result, status) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            let first = try shown.reader.wait(for: "open the vault")
            try stage.display.keep("finger", of: shown.window)
            stage.see(owner: false)
            let missed = try shown.reader.wait(for: "Not recognized. Tries left: 2.", "Enter Password")
            try stage.display.keep("finger-missed", of: shown.window)
            stage.see(owner: true)
            return (first, missed, try Stage.outcome(shown.app), shown.program.status())
        }
        let names = first.map(\.name)
        #expect(names.contains("Touch the fingerprint reader, or type the passcode."))
        #expect(first.contains { $0.role == "image" && $0.name == "Fingerprint reader" })
        #expect(first.contains { $0.role == "text" && $0.name == "Passcode:" && $0.hasFocus && $0.isUsable })
        #expect(first.contains { $0.role == "push button" && $0.name == "Cancel" && $0.isUsable })
        #expect(first.contains { $0.role == "push button" && $0.name == "OK" && !$0.isUsable })
        // Who asks is the daemon's word, in a place of its own.
        #expect(
            names.contains { $0.hasPrefix("/") && $0.hasSuffix("/" + Running.ownName) } && names.contains("asks for you")
                && names.contains("In the program's own words:"))
        #expect(!names.contains("Enter Password"))
        #expect(missed.contains { $0.role == "push button" && $0.name == "Enter Password" })
        #expect(result == .success(.biometry) && status == 0)
    }

    @Test("a wrong passcode is told, the right one, accents and all, succeeds, and neither is ever to be read")
    func passcode() async throws {
        let (seen, result, status) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            var seen = try shown.reader.wait(for: "open the vault")
            try stage.display.type("wrong-guess-4711")
            seen += try shown.reader.wait { $0.contains { $0.name == "OK" && $0.isUsable } }
            try stage.display.keep("passcode", of: shown.window)
            try stage.display.press("Return")
            seen += try shown.reader.wait(for: "That passcode is not right.")
            try stage.display.type("x" + Stage.passcode)
            // Back over all of it, and once more.
            try stage.display.press("ctrl+u")
            try stage.display.type(Stage.passcode + "y")
            try stage.display.press("BackSpace", "Return")
            return (seen, try Stage.outcome(shown.app), shown.program.status())
        }
        #expect(!seen.contains { $0.name.contains("guess") || $0.name.contains("4711") })
        #expect(result == .success(.passcode) && status == 0)
    }

    @Test(
        "a passcode that was typed and sent is nowhere in the window's memory, whether or not it was shown",
        .enabled(if: geteuid() == 0, "takes root, to read another process's memory"), arguments: [false, true])
    func memory(isRevealed: Bool) async throws {
        let (hasReason, after) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            _ = try shown.reader.wait(for: "open the vault")
            try stage.display.type("wrong-guess-4711")
            _ = try shown.reader.wait { $0.contains { $0.name == "OK" && $0.isUsable } }
            if isRevealed { try shown.reveal(on: stage.display) }
            try stage.display.press("Return")
            _ = try shown.reader.wait(for: "That passcode is not right.")
            let hasReason = try !MemoryImage(of: shown.program.pid).found(["open the vault"]).isEmpty
            return (hasReason, try !MemoryImage(of: shown.program.pid).found(["wrong-gues"]).isEmpty)
        }
        // Else the search would find nothing whatever there was.
        #expect(hasReason)
        #expect(!after)
    }

    @Test("a letter of two keys is one letter")
    func composed() async throws {
        let result = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            try stage.display.type("staple w")
            try stage.display.press("dead_diaeresis", "o")
            try stage.display.type("rd-")
            try stage.display.press("dead_acute", "e")
            try stage.display.type(" 7731")
            try stage.display.press("Return")
            return try Stage.outcome(shown.app)
        }
        #expect(result == .success(.passcode))
    }

    @Test("with biometry alone there is no field, and the fallback stands there after a miss, under the app's own title")
    func biometryOnly() async throws {
        let (before, after, result) = try await onThread {
            let stage = try Stage()
            let words = PromptWords(reason: "pay", fallbackTitle: "Use the PIN", cancelTitle: "Not now")
            let shown = try stage.show(.biometrics, words)
            let before = try shown.reader.wait(for: "Touch the fingerprint reader.")
            // Keys go nowhere, and Return is no consent.
            try stage.display.type("12")
            stage.see(owner: false)
            let after = try shown.reader.wait(for: "Use the PIN")
            try stage.display.keep("fallback", of: shown.window)
            // From the cancelling button on to the next, by keyboard alone.
            try stage.display.press("Tab")
            _ = try shown.reader.wait { $0.contains { $0.name == "Use the PIN" && $0.hasFocus } }
            try stage.display.press("space")
            return (before, after, try Stage.outcome(shown.app))
        }
        #expect(!before.contains { $0.role == "text" } && !before.map(\.name).contains("Use the PIN"))
        #expect(before.contains { $0.name == "Not now" && $0.hasFocus })
        #expect(!after.map(\.name).contains("OK"))
        #expect(result == .failure(.userFallback))
    }

    @Test("Escape is the user's cancel, and so is the button by keyboard", arguments: [["Escape"], ["Tab", "Tab", "space"]])
    func cancel(keys: [String]) async throws {
        let (result, status) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            _ = try shown.reader.wait { $0.contains { $0.name == "Passcode:" && $0.hasFocus } }
            try stage.display.type("half")
            for key in keys { try stage.display.press(key) }
            return (try Stage.outcome(shown.app), shown.program.status())
        }
        #expect(result == .failure(.userCancel) && status == 1)
    }

    @Test("a lockout says that only the passcode helps, which it does")
    func lockout() async throws {
        let (locked, result) = try await onThread {
            let stage = try Stage()
            let first = try stage.show()
            for left in [2, 1] {
                stage.see(owner: false)
                _ = try first.reader.wait(for: "Not recognized. Tries left: \(left).")
            }
            try stage.display.press("Escape")
            _ = try Stage.outcome(first.app)
            _ = first.program.status()
            let second = try stage.show()
            _ = try second.reader.wait(for: "open the vault")
            for _ in 1...3 { stage.see(owner: false) }
            let locked = try second.reader.wait(for: "Too many tries. Only the passcode helps now.")
            try stage.display.keep("lockout", of: second.window)
            try stage.display.type(Stage.passcode)
            try stage.display.press("Return")
            return (locked, try Stage.outcome(second.app))
        }
        #expect(locked.contains { $0.role == "text" && $0.hasFocus })
        #expect(result == .success(.passcode))
    }

    @Test("while guesses have to wait the field is shut and says for how long, and opens when it is over")
    func delay() async throws {
        let (shut, open, result) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            for wrong in 1...4 {
                _ = try shown.reader.wait { parts in parts.contains { $0.role == "text" && $0.isUsable } }
                try stage.display.type("wrong")
                try stage.display.press("Return")
                // The next one isn't looked at before this one was judged.
                while stage.judged < wrong { _ = try shown.reader.wait { _ in true } }
            }
            let shut = try shown.reader.wait { parts in
                parts.contains { $0.role == "text" && !$0.isUsable }
                    && parts.contains { $0.name.hasPrefix("You can try the next passcode in ") }
            }
            stage.onLoop { $0.clock.advance(by: 10) }
            let open = try shown.reader.wait { $0.contains { $0.role == "text" && $0.isUsable } }
            try stage.display.type(Stage.passcode)
            try stage.display.press("Return")
            return (shut, open, try Stage.outcome(shown.app))
        }
        #expect(shut.contains { $0.name.hasPrefix("You can try the next passcode in ") })
        #expect(open.contains { $0.role == "text" && $0.hasFocus })
        #expect(result == .success(.passcode))
    }

    @Test("where one signs in and as whom stands there in its own words, and nothing of the app's")
    func signingIn() async throws {
        let (parts, product) = try await onThread {
            let stage = try Stage()
            let words = SignInWords(origin: "https://bank.example", account: "anna@bank.example", purpose: .signIn)
            let shown = try stage.showSigningIn(words)
            let parts = try shown.reader.wait(for: "Sign in to https://bank.example")
            try stage.display.keep("sign-in", of: shown.window)
            stage.see(owner: true)
            return (parts, try Stage.next(shown.app))
        }
        let names = parts.map(\.name)
        #expect(names.contains("Account: anna@bank.example"))
        #expect(!names.contains { $0.contains("other.example") } && !names.contains("In the program's own words:"))
        #expect(parts.contains { $0.role == "push button" && $0.name == "Cancel" })
        guard case .keyUsed = product else {
            Issue.record("not signed: \(product)")
            return
        }
    }

    @Test("what polkit asks for stands there whole, and is answered by a finger", .enabled(if: geteuid() == 0, "takes root"))
    func polkit() async throws {
        let (parts, result) = try await onThread {
            let stage = try Stage(place: .display(session: "2"), mode: .system)
            let words = PolkitWords(
                action: "org.freedesktop.policykit.exec",
                message: "Authentication is needed to run `/usr/bin/apt' as the super user", vendor: "The polkit project",
                icon: "dialog-password", command: "pkexec apt upgrade", asker: nil, account: "ada", isKept: true)
            let shown = try stage.showPolkit(words)
            let parts = try shown.reader.wait(for: words.message)
            try stage.display.keep("polkit", of: shown.window)
            stage.see(owner: true)
            return (parts, try Stage.outcome(shown.app))
        }
        let names = parts.map(\.name)
        let lines = names.first { $0.hasPrefix("Action: ") }?.split(separator: "\n").map(String.init)
        #expect(names.contains("Command: ‘pkexec apt upgrade’"))
        #expect(
            lines == [
                "Action: org.freedesktop.policykit.exec", "From: The polkit project", "Account: ada",
                "Polkit keeps your answer for some minutes, for this program.",
            ])
        #expect(names.contains("polkit") && names.contains("In the system's words:"))
        #expect(names.contains("Touch the fingerprint reader, or type the password."))
        #expect(parts.contains { $0.role == "text" && $0.name == "Password:" && $0.isUsable })
        #expect(result == .success(.biometry))
    }

    @Test("it speaks Japanese to whom it should")
    func japanese() async throws {
        let (parts, result) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show(.deviceOwner, PromptWords(reason: "open the vault"), ["LANG": "ja_JP.UTF-8"])
            let parts = try shown.reader.wait(for: "open the vault")
            stage.see(owner: false)
            _ = try shown.reader.wait(for: "認識できませんでした。残り2回です。")
            try stage.display.keep("japanese", of: shown.window)
            try stage.display.press("Escape")
            return (parts, try Stage.outcome(shown.app))
        }
        let names = parts.map(\.name)
        #expect(names.contains("が本人確認を求めています") && names.contains("指紋センサーに触れるか、パスコードを入力してください。"))
        #expect(parts.contains { $0.role == "push button" && $0.name == "キャンセル" })
        #expect(result == .failure(.userCancel))
    }

    @Test("it is light or dark as the desktop is", arguments: [false, true])
    func brightness(isDark: Bool) async throws {
        let brightness = try await onThread {
            let stage = try Stage(isDark: isDark)
            let shown = try stage.show()
            _ = try shown.reader.wait(for: "open the vault")
            try stage.display.keep(isDark ? "dark" : "light", of: shown.window)
            return try stage.display.brightness(of: shown.window)
        }
        #expect(isDark ? brightness < 80 : brightness > 200)
    }

    @Test("an app's words that turn the writing, end the line or pose as ours are shown and do nothing")
    func words() async throws {
        let parts = try await onThread {
            let stage = try Stage()
            let bad = "pay\u{202e}evil\u{1b}[2J\nthumbturn: <b>approved</b>"
            let shown = try stage.show(.deviceOwner, PromptWords(reason: bad, fallbackTitle: bad, cancelTitle: bad))
            let parts = try shown.reader.wait { $0.contains { $0.name.contains("approved") } }
            try stage.display.keep("hostile", of: shown.window)
            try stage.display.press("Escape")
            _ = try Stage.outcome(shown.app)
            return parts
        }
        let safe = "pay\u{fffd}evil\u{fffd}[2J thumbturn: <b>approved</b>"
        #expect(parts.contains { $0.role == "label" && $0.name == safe })
        #expect(parts.contains { $0.role == "push button" && $0.name == safe })
        #expect(!parts.contains { $0.name.contains("\u{202e}") || $0.name.contains("\n") })
    }
}
