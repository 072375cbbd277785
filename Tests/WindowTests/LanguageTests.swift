import Testing
import ThumbAccess
import ThumbPrompting
import thumbturn_test_programs

@Suite("The window in every language", .serialized)
struct LanguageTests {
    @Test("all of it is in the language, whole, and no wider than a small screen", arguments: PromptLanguage.allCases)
    func whole(language: PromptLanguage) async throws {
        let texts = PromptTexts(language)
        var content = PromptContent(
            program: ProgramWords(), words: PromptWords(reason: "-"), listening: .touchID, acceptsPasscode: true)
        let invitation = texts.invitation(content) ?? ""
        content.notice = .missed(attemptsLeft: 2)
        let missed = texts.notice(of: content) ?? ""
        let (first, second, width, result) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show(
                .deviceOwner, PromptWords(reason: "-reason-"), ["LANG": "\(language.rawValue).UTF-8"])
            let first = try shown.reader.wait(for: "-reason-", invitation)
            stage.see(owner: false)
            let second = try shown.reader.wait(for: missed, texts.fallback)
            try stage.display.keep("language-\(language.rawValue)", of: shown.window)
            let width = try stage.display.width(of: shown.window)
            try stage.display.press("Escape")
            return (first, second, width, try Stage.outcome(shown.app))
        }
        let names = first.map(\.name)
        for text in [texts.asks, texts.ownWords, texts.cancel, texts.accept, texts.dismiss, texts.reveal(false)] {
            #expect(names.contains(text), "\(text)")
        }
        #expect(!first.map(\.name).contains(texts.fallback))
        // The path of the program that asks is as long as it is, and no language's doing.
        let program = first.filter { $0.name.contains("thumbturnPackageTests") }.map(\.place.width).max() ?? 0
        #expect(program > 0 && width > 0 && width <= max(560, program + 48))
        for part in second where part.role != "application" {
            #expect(part.place.left >= 0 && part.place.left + part.place.width <= width, "\(part.name)")
        }
        #expect(result == .failure(.userCancel))
    }
}
