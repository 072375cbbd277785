import Testing
import ThumbAccess
import ThumbPrompting

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

    @Test("all of it is said in both languages, and nothing of one in the other")
    func both() {
        let (english, japanese) = (Self.all(.english), Self.all(.japanese))
        #expect(english.count == japanese.count && !english.isEmpty)
        #expect(english.allSatisfy { $0.unicodeScalars.allSatisfy(\.isASCII) && !$0.isEmpty })
        #expect(japanese.allSatisfy { !$0.unicodeScalars.allSatisfy(\.isASCII) })
    }

    @Test(
        "the language is that of the user's messages",
        arguments: [
            ([:], PromptLanguage.english), (["LANG": "ja_JP.UTF-8"], .japanese), (["LANG": "ja"], .japanese),
            (["LANG": "C.UTF-8", "LC_MESSAGES": "ja_JP.eucJP"], .japanese), (["LANG": "ja_JP.UTF-8", "LC_ALL": "C"], .english),
            (["LANG": "ja_JP.UTF-8", "LC_ALL": ""], .japanese), (["LANG": "de_DE.UTF-8"], .english), (["LANG": "jam"], .english),
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
