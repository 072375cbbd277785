import Testing
import ThumbAccess

@testable import ThumbPrompting

@Suite("What a window shows in which state")
struct ViewTests {
    private static let texts = PromptTexts(.en)

    private static func view(
        _ change: (inout PromptContent) -> Void = { _ in }, sensor: BiometryKind = .none, waited: Double = 0,
        isRevealed: Bool = false, capsLock: Bool = false
    ) -> WindowView {
        var content = PromptContent(
            program: ProgramWords(name: "vault"), words: PromptWords(reason: "open the vault"), listening: .touchID,
            acceptsPasscode: true)
        change(&content)
        return WindowView(content, texts, sensor: sensor, waited: waited, isRevealed: isRevealed, capsLock: capsLock)
    }

    @Test("the prompt shows who asks apart from what the app says")
    func who() {
        let view = Self.view()
        #expect(view.caller == "vault" && view.asks == "asks for you" && view.title == "vault asks for you")
        #expect(view.reason == "open the vault" && view.reasonLabel == "In the program's own words:" && view.known == nil)
        let ours = Self.view { $0.words = PromptWords(ours: "make a recovery code") }
        #expect(ours.reason == "make a recovery code" && ours.reasonLabel == "What you would allow:")
        #expect(Self.view { $0.program.kind = .protected }.known == "A protected program")
        #expect(Self.view { $0.program.kind = .sandboxed }.title == "vault, in a sandbox, asks for you")
    }

    /// What a prompt says of a program that is known by its file.
    private static func plain(
        _ path: ExactName?, _ place: ProgramPlace = .changeable, claim: ExactName? = nil
    ) -> WindowView {
        view { $0.program = ProgramWords(path: path, place: place, claim: claim, process: 7) }
    }

    @Test("a program is called by its whole path: a file called thumbturn in a home is that, and no more")
    func posing() {
        let posing = Self.plain("/home/eve/bin/thumbturn")
        #expect(posing.caller == "/home/eve/bin/thumbturn" && posing.known == "In a folder that its user can change.")
        let real = Self.plain("/usr/bin/thumbturn", .system)
        #expect(real.title == "/usr/bin/thumbturn asks for you" && real.known == "Installed by the system.")
        #expect(Self.plain("/usr/bin/thumbturn", .gone).known == "Its file was replaced or removed since it began.")
        #expect(Self.plain("/usr/bin/thumbturn", .elsewhere).known?.contains("this path leads elsewhere for it") == true)
    }

    @Test(
        "what a program calls itself stands behind it as a claim, never where its name stands",
        arguments: ["thumbturn", "/usr/bin/thumbturn", "protected:vault", "com.example.bank", "Installed by the system."]
            as [ExactName])
    func claims(_ claim: ExactName) {
        let view = Self.plain("/home/eve/x", claim: claim)
        #expect(view.caller == "/home/eve/x" && view.title == "/home/eve/x asks for you")
        #expect(view.known == "In a folder that its user can change.\nIt calls itself “\(claim)”.")
    }

    @Test("a name that a program gave itself doesn't end our quotation", arguments: PromptLanguage.allCases)
    func quotation(language: PromptLanguage) {
        let texts = PromptTexts(language)
        let marks = "“”„‟‘’‚‛«»‹›「」『』\"'`"
        let content = PromptContent(
            program: ProgramWords(path: "/home/eve/x", place: .changeable, claim: ExactName("a\(marks)b")),
            words: PromptWords(reason: "x"),
            listening: .none, acceptsPasscode: true)
        let line = texts.about(content).last ?? ""
        let plain =
            texts.about(
                PromptContent(
                    program: ProgramWords(path: "/home/eve/x", place: .changeable, claim: "a"), words: PromptWords(reason: "x"),
                    listening: .none, acceptsPasscode: true)
            ).last ?? ""
        #expect(line.count { marks.contains($0) && $0 != "'" } == plain.count { marks.contains($0) && $0 != "'" })
    }

    @Test("a program that lets nobody look is said to hide, whatever it calls itself")
    func hiding() {
        let view = Self.plain(nil, claim: "thumbturn")
        #expect(view.caller == "A program that hides itself (process 7)" && view.known == "It calls itself “thumbturn”.")
    }

    @Test(
        "an interpreter is said to be one",
        arguments: ["/usr/bin/python3.11", "/usr/bin/sh", "/usr/bin/perl", "/lib64/ld-linux-x86-64.so.2"] as [ExactName])
    func interpreters(_ path: ExactName) {
        #expect(
            Self.plain(path, .system).known
                == "Installed by the system.\nIt runs another file, which can't be identified.")
        #expect(Self.plain("/usr/bin/pythonic", .system).known == "Installed by the system.")
    }

    @Test("an interpreter is said to run what it runs, if somebody knows")
    func running() {
        func known(_ runs: ProgramWords.Runs) -> String? {
            Self.view {
                $0.program = ProgramWords(path: "/usr/bin/python3.11", place: .changeable, runs: runs)
            }.known
        }
        #expect(known(.named("/home/ada/a\n.py")) == "In a folder that its user can change.\nIt runs /home/ada/a .py.")
        #expect(known(.commands) == "In a folder that its user can change.\nIt runs commands that it was given.")
    }

    @Test("what root protected is called by its name, with its path; a sandboxed app by the sandbox's name alone")
    func sure() {
        let vault = Self.view {
            $0.program = ProgramWords(kind: .protected, name: "vault", path: "/usr/bin/vault", place: .system)
        }
        #expect(vault.caller == "vault" && vault.known == "A protected program\n/usr/bin/vault")
        let app = Self.view { $0.program = ProgramWords(kind: .sandboxed, name: "org.example.Vault") }
        #expect(app.caller == "org.example.Vault" && app.known == "A program in a sandbox")
    }

    @Test("a path is one line without controls and without overrides, and so is a claim")
    func badPaths() {
        let view = Self.plain("/home/eve/a\u{202e}b\u{1b}[2Jc\nd", claim: "x\u{202e}y\u{1b}z\nw")
        #expect(view.caller == "/home/eve/a\u{fffd}b\u{fffd}[2Jc d")
        #expect(view.known?.contains("“x\u{fffd}y\u{fffd}z w”") == true)
        #expect(Self.plain("/a", claim: ExactName(String(repeating: "w", count: 1000))).known?.count ?? 1000 < 120)
    }

    @Test("an app's words are one line, without controls and without overrides, wherever they stand")
    func words() {
        let bad = "a\u{202e}b\u{1b}[2Jc\nd"
        let view = Self.view {
            $0.program.name = ExactName(bad)
            $0.words = PromptWords(reason: bad, fallbackTitle: bad, cancelTitle: bad)
            $0.offersFallback = true
        }
        for text in [view.caller, view.title, view.reason, view.fallback, view.cancel] {
            #expect(text?.contains("a\u{fffd}b\u{fffd}[2Jc d") == true)
        }
        let long = Self.view { $0.words = PromptWords(reason: "x", cancelTitle: String(repeating: "w", count: 1000)) }
        #expect(long.cancel == String(repeating: "w", count: 40) + "…")
    }

    @Test("what the account asks is one line, without controls and without overrides, and is cut")
    func accountQuestion() {
        func notice(_ text: String) -> String? {
            Self.view { $0.notice = .question(AccountQuestion(text: text, isHidden: true)) }.notice
        }
        #expect(notice("Code:") == "Your account asks: “Code:”")
        #expect(notice("a\u{202e}b\u{1b}[2Jc\nd") == "Your account asks: “a\u{fffd}b\u{fffd}[2Jc d”")
        let most = String(repeating: "w", count: 200)
        #expect(notice(most) == "Your account asks: “\(most)”" && notice(most + "w") == "Your account asks: “\(most)…”")
    }

    @Test("the passcode can be typed beside a live sensor")
    func beside() {
        let view = Self.view()
        #expect(view.picture == .init(sensor: .touchID, mood: .listening, label: "Fingerprint reader"))
        #expect(view.invitation == "Touch the fingerprint reader, or type the passcode.")
        #expect(view.field == .init(label: "Passcode:", isOpen: true, reveal: "Show the passcode") && view.accept == "OK")
    }

    @Test("with biometry alone there is no field, and no fallback before the daemon offers it")
    func biometryOnly() {
        let before = Self.view { $0.acceptsPasscode = false }
        #expect(before.field == nil && before.accept == nil && before.fallback == nil && before.cancel == "Cancel")
        #expect(before.invitation == "Touch the fingerprint reader.")
        let after = Self.view {
            $0.acceptsPasscode = false
            $0.offersFallback = true
            $0.notice = .missed(attemptsLeft: 2)
            $0.words.fallbackTitle = "Use the PIN"
        }
        #expect(after.fallback == "Use the PIN" && after.notice == "Not recognized. Tries left: 2.")
        #expect(after.picture.mood == .missed)
        #expect(Self.view { $0.offersFallback = true }.fallback == "Enter Password")
    }

    @Test("a lockout says what helps, and the sensor that was listening stands there resting")
    func lockout() {
        let view = Self.view(
            {
                $0.listening = .none
                $0.notice = .biometryLocked
            }, sensor: .touchID)
        #expect(view.notice == "Too many tries. Only the passcode helps now.")
        #expect(view.picture == .init(sensor: .touchID, mood: .resting, label: "Fingerprint reader"))
        #expect(view.field?.isOpen == true && view.invitation == nil)
    }

    @Test("while a passcode isn't looked at yet the field is shut, and the seconds run down")
    func wait() {
        func view(_ waited: Double) -> WindowView { Self.view({ $0.passcodeWait = 10 }, waited: waited) }
        #expect(view(0).field?.isOpen == false)
        #expect(view(0).invitation == "You can try the next passcode in 11 s.")
        #expect(view(9.5).invitation == "You can try the next passcode in 1 s.")
        #expect(view(60).invitation == "You can try the next passcode in 1 s.")
    }

    @Test("what is typed is shown to an owner who asks for it, and never in a field that is shut")
    func revealed() {
        let view = Self.view(isRevealed: true)
        #expect(view.field?.isRevealed == true && view.field?.reveal == "Hide the passcode")
        #expect(Self.view().field?.isRevealed == false)
        let shut = Self.view({ $0.passcodeWait = 10 }, isRevealed: true)
        #expect(shut.field?.isRevealed == false && shut.field?.reveal == "Show the passcode")
        #expect(Self.view({ $0.acceptsPasscode = false }, isRevealed: true).field == nil)
    }

    @Test("Caps Lock is told beside a field that can be typed into, and nowhere else")
    func capsLock() {
        #expect(Self.view(capsLock: true).capsLock == "Caps Lock is on." && Self.view().capsLock == nil)
        #expect(Self.view({ $0.passcodeWait = 10 }, capsLock: true).capsLock == nil)
        #expect(Self.view({ $0.acceptsPasscode = false }, capsLock: true).capsLock == nil)
    }

    @Test("braces in somebody's words are just braces")
    func braces() {
        let view = Self.plain("/home/{name}/{program}", claim: "{name} and {program}")
        #expect(view.title == "/home/{name}/{program} asks for you")
        #expect(view.known?.hasSuffix("It calls itself “{name} and {program}”.") == true)
    }

    @Test("where one signs in stands there whole, in our words, and nothing of the app's beside it")
    func signingIn() {
        let origin = "https://" + String(repeating: "a", count: 230) + ".bank.example"
        let view = Self.view {
            $0.signIn = SignInWords(origin: ExactName(origin), account: "anna@bank.example", purpose: .signIn)
        }
        #expect(view.signIn == ["Sign in to \(origin)", "Account: anna@bank.example"] && view.reason == nil)
        let bad = Self.view {
            $0.signIn = SignInWords(origin: "a\u{202e}b\u{1b}[2Jc", account: "d\u{1b}e\nf", purpose: .register)
        }
        #expect(bad.signIn == ["Register this device with a\u{fffd}b\u{fffd}[2Jc", "Account: d\u{fffd}e f"])
        #expect(Self.view().signIn.isEmpty)
        let japanese = WindowView(
            PromptContent(
                program: ProgramWords(name: "a"), words: PromptWords(reason: ""),
                signIn: SignInWords(origin: "https://bank.example", account: "anna", purpose: .signIn)), PromptTexts(.ja))
        #expect(japanese.signIn == ["サインイン先: https://bank.example", "アカウント: anna"])
        // Each thing that a finger may be asked for says so in words of its own, in every language.
        for texts in PromptLanguage.allCases.map({ PromptTexts($0) }) {
            let lines = StatementPurpose.allCases.map { texts.signIn($0, "https://bank.example") }
            #expect(Set(lines).count == 7 && lines.allSatisfy { $0.contains("https://bank.example") })
        }
        #expect(
            PromptTexts(.en).signIn(.deleteAccount, "https://bank.example") == "Delete your account at https://bank.example")
    }

    @Test("choosing a passcode says so in our words alone")
    func choosing() {
        let first = Self.view {
            $0.purpose = .choosePasscode
            $0.listening = .none
        }
        #expect(first.invitation == "Choose a new passcode." && first.field?.label == "New passcode:" && first.reason == nil)
        let second = Self.view {
            $0.purpose = .repeatPasscode
            $0.listening = .none
            $0.notice = .passcodeTooShort(least: 4)
        }
        #expect(second.field?.label == "Again:" && second.notice == "Use 4 to 256 bytes (a plain letter or digit is one byte).")
        #expect(second.picture.mood == .resting && second.picture.sensor == .none)
    }

    @Test("a companion's prompt says first on which machine the program asks, and a name can't draw anything else there")
    func otherMachine() {
        let view = Self.view {
            $0.program = ProgramWords(path: "/usr/bin/vault", place: .system)
            $0.companion = .asksFrom(machine: "desk")
        }
        #expect(view.known == "It asks on another machine of yours: desk\nInstalled by the system.")
        #expect(view.invitation == "Touch the fingerprint reader, or type the passcode.")
        let bad = Self.view { $0.companion = .asksFrom(machine: "desk\nInstalled by the system.\u{202e}“") }
        #expect(bad.known == "It asks on another machine of yours: desk Installed by the system.\u{fffd}'")
    }

    @Test("a prompt says which other machines may answer, beside what can be done here or alone")
    func companions() {
        let beside = Self.view { $0.companion = .mayAnswer(["laptop", "phone"]) }
        #expect(
            beside.invitation
                == "Touch the fingerprint reader, or type the passcode. You can answer on another machine: laptop, phone.")
        let alone = Self.view {
            ($0.listening, $0.acceptsPasscode) = (.none, false)
            $0.companion = .mayAnswer(["laptop"])
        }
        #expect(alone.invitation == "You can answer on another machine: laptop." && alone.field == nil && alone.known == nil)
        let bad = Self.view { $0.companion = .mayAnswer(["lap\u{1b}[2J\ntop“", String(repeating: "w", count: 61)]) }
        let cut = String(repeating: "w", count: 60) + "…"
        #expect(bad.invitation?.hasSuffix("on another machine: lap\u{fffd}[2J top', \(cut).") == true)
        #expect(Self.view { $0.companion = .mayAnswer([]) }.invitation == "Touch the fingerprint reader, or type the passcode.")
    }

    @Test("what polkit asks for is our lines with others' words in quotation marks, which those can't end")
    func polkit() {
        func view(_ words: PolkitWords) -> WindowView { Self.view { $0.polkit = words } }
        let bad = "id\u{1b}[2J\nAction: harmless’ ‘\u{202e}x"
        let shown = "id\u{fffd}[2J Action: harmless' '\u{fffd}x"
        let acting = view(
            PolkitWords(
                action: "org.example.act", message: "Do it", vendor: bad, command: bad, details: [.init(bad, bad)],
                account: "ada", isKept: true))
        #expect(acting.command == "Command: ‘\(shown)’" && acting.reasonLabel == "In the system's words:")
        let lines = [
            "\(shown): ‘\(shown)’", "Action: org.example.act", "From: \(shown)", "Account: ada",
            "Polkit keeps your answer for some minutes, for this program.",
        ]
        #expect(acting.polkit == lines.joined(separator: "\n"))
        let asking = view(PolkitWords(action: "org.example.act", message: "Do it", asker: bad, account: "ada"))
        #expect(asking.command == "Asked by: ‘\(shown)’" && asking.polkit == "Action: org.example.act\nAccount: ada")
    }

    @Test("where the system's password is asked for, nothing speaks of the passcode")
    func systemPassword() {
        func view(_ notice: PromptNotice?) -> WindowView {
            Self.view { ($0.purpose, $0.notice) = (.systemPassword, notice) }
        }
        #expect(view(.wrongPasscode).notice == "That password is not right.")
        #expect(view(.passcodeUnchecked).notice == "The password could not be checked. Try again.")
        #expect(view(.biometryLocked).notice == "Too many tries. Only the password counts now.")
        #expect(view(.missed(attemptsLeft: 2)).notice == "Not recognized. Tries left: 2.")
        #expect(view(nil).field?.label == "Password:")
        #expect(view(nil).invitation == "Touch the fingerprint reader, or type the password.")
    }
}
