import Testing
import ThumbAccess

@testable import ThumbPrompting

@Suite("A prompt's languages and keys")
struct TextsTests {
    private static let notices: [PromptNotice] =
        [
            .missed(attemptsLeft: 2), .missed(attemptsLeft: 0), .wrongPasscode, .passcodeUnchecked, .passcodeWaits,
            .biometryLocked, .passcodesDiffer, .passcodeTooShort(least: 4), .accountPasswordChanged, .accountPasswordExpired,
            .accountLocked,
        ] + [.again, .tooShort, .centre, .liftAndRepeat].map(PromptNotice.retry)

    /// Everything that can be said in a language.
    private static func all(_ language: PromptLanguage) -> [String] {
        let texts = PromptTexts(language)
        var said = [texts.takenBack, texts.failed, texts.cancelled, texts.cancelKey, texts.wait(4)]
        for place in ProgramPlace.allCases {
            for path: ExactName? in ["/usr/bin/sh", nil] {
                let program = ProgramWords(path: path, place: place)
                let view = WindowView(PromptContent(program: program, words: PromptWords(reason: "")), texts)
                said += path == nil ? [view.caller] : view.known?.split(separator: "\n").map(String.init) ?? [""]
            }
        }
        for purpose: PromptPurpose in [.evaluate, .choosePasscode, .repeatPasscode, .accountPassword] {
            for sensor: BiometryKind in [.none, .touchID, .faceID] {
                for takesPasscode in [true, false] {
                    for kind: CallerClass in [.consented, .sandboxed, .protected] {
                        for notice in notices {
                            let content = PromptContent(
                                purpose: purpose, program: ProgramWords(kind: kind, name: ""), words: PromptWords(reason: "-"),
                                listening: sensor, acceptsPasscode: takesPasscode, offersFallback: true, notice: notice)
                            let view = WindowView(content, texts)
                            said += [
                                view.title, view.asks, view.reasonLabel, view.picture.label, view.cancel, view.fallback ?? "",
                            ]
                            said += [view.known, view.invitation, view.notice, view.field?.label].compactMap { $0 }
                        }
                    }
                }
            }
        }
        for companion in [CompanionWords.asksFrom(machine: "-"), .mayAnswer(["-"])] {
            for sensor: BiometryKind in [.none, .touchID] {
                var content = PromptContent(program: ProgramWords(name: ""), words: PromptWords(reason: ""), listening: sensor)
                content.companion = companion
                let view = WindowView(content, texts)
                said += [view.known, view.invitation].compactMap { $0 }
            }
        }
        return said
    }

    @Test("every language has every text, and hardly one that is the English one", arguments: PromptLanguage.allCases)
    func every(language: PromptLanguage) {
        #expect(PromptText.allCases.count > 60)
        #expect(PromptText.allCases.allSatisfy { !PromptTexts(language)[$0].isEmpty })
        let (english, said) = (Self.all(.en), Self.all(language))
        #expect(said.count == english.count && said.allSatisfy { !$0.isEmpty })
        guard language != .en else {
            #expect(english.allSatisfy { $0.unicodeScalars.allSatisfy(\.isASCII) })
            return
        }
        // A word may be the same in two languages. A file that was copied and not translated has more of them.
        let same = Set(zip(english, said).filter { $0 == $1 }.map(\.0))
        #expect(same.count * 10 < Set(english).count, "\(same)")
    }

    @Test("what is filled in stands in every language's sentence", arguments: PromptLanguage.allCases)
    func filled(language: PromptLanguage) {
        let texts = PromptTexts(language)
        var content = PromptContent(
            program: ProgramWords(kind: .sandboxed, name: "org.example.Vault", claim: "the claim"),
            words: PromptWords(reason: "-"),
            signIn: SignInWords(origin: "https://bank.example", account: "anna", purpose: .signIn))
        content.waiting = 7
        #expect(texts.asking(content).contains("org.example.Vault"))
        #expect(texts.about(content).contains { $0.contains("the claim") })
        #expect(texts.signIn(content).first?.contains("https://bank.example") == true)
        #expect(texts.signIn(content).last?.contains("anna") == true)
        #expect(texts.waiting(content)?.contains("7") == true && texts.before(12).contains("12"))
        #expect(texts.wait(4).contains("4"))
        let hidden = PromptContent(program: ProgramWords(process: 4711), words: PromptWords(reason: "-"))
        #expect(texts.caller(hidden).contains("4711"))
        for (notice, words) in [
            (.missed(attemptsLeft: 3), ["3"]), (.passcodeTooShort(least: 6), ["6", String(PasscodeLimit.most)]),
        ] as [(PromptNotice, [String])] {
            let said = texts.notice(of: PromptContent(program: ProgramWords(), words: PromptWords(reason: "-"), notice: notice))
            #expect(words.allSatisfy { said?.contains($0) == true })
        }
    }

    @Test(
        "the language is that of the user's messages",
        arguments: [
            ([:], PromptLanguage.en), (["LANG": "ja_JP.UTF-8"], .ja), (["LANG": "ja"], .ja),
            (["LANG": "C.UTF-8", "LC_MESSAGES": "ja_JP.eucJP"], .ja), (["LANG": "ja_JP.UTF-8", "LC_ALL": "C"], .en),
            (["LANG": "ja_JP.UTF-8", "LC_ALL": ""], .ja), (["LANG": "en_GB.UTF-8"], .en), (["LANG": "jam"], .en),
            (["LANG": "de_DE.UTF-8"], .de), (["LANG": "de_AT@euro"], .de), (["LANG": "fr_CA"], .fr),
            (["LANG": "es_MX.UTF-8"], .es), (["LANG": "zh_CN.UTF-8"], .zhCN), (["LANG": "zh_SG"], .zhCN), (["LANG": "zh"], .zhCN),
            // The other Chinese, for whom there may be a file one day.
            (["LANG": "zh_TW.UTF-8"], PromptLanguage(rawValue: "zh_TW") ?? .en),
            (["LANG": "zh_HK"], PromptLanguage(rawValue: "zh_TW") ?? .en), (["LANG": "xx_YY.UTF-8"], .en), (["LANG": "_"], .en),
        ] as [([String: String], PromptLanguage)])
    func language(environment: [String: String], expected: PromptLanguage) {
        #expect(PromptLanguage { environment[$0] } == expected)
    }

    @Test("a key is text, a word of the field's, or somebody else's")
    func keys() {
        func meaning(_ key: UInt32, _ character: UInt32 = 0, command: Bool = false, control: Bool = false) -> KeyMeaning {
            KeyMeaning(key: key, character: character, isCommand: command || control, isControl: control)
        }
        #expect(meaning(0x61, 0x61) == .character("a") && meaning(0x10020ac, 0x20ac) == .character("€"))
        #expect(meaning(0x20, 0x20) == .character(" "))
        #expect(meaning(0x61, 0x61, command: true) == .other && meaning(0x61, 0x61, control: true) == .other)
        #expect(meaning(0x75, 0x75, control: true) == .clear && meaning(0x75, 0x75) == .character("u"))
        #expect(meaning(0xff0d, 0x0d) == .enter && meaning(0xff8d, 0x0d) == .enter && meaning(0xff1b, 0x1b) == .cancel)
        #expect(meaning(0xff08, 0x08) == .removeLast && meaning(0xff09, 0x09) == .other && meaning(0xffff, 0x7f) == .other)
        #expect(meaning(0xfe51) == .composing && meaning(0xff20) == .composing && meaning(0xffe1) == .other)
        #expect(meaning(0x1, 0xd800) == .other)
    }
}
