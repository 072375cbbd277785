import Testing
import ThumbAccess

@testable import ThumbPolkitAgent

@Suite("Lines of polkit's helper")
struct HelperLineTests {
    private func line(_ text: String) -> HelperLine? { HelperLine(Array(text.utf8)) }

    @Test("a question is told apart by whether its answer is hidden, and ends and messages are what they are")
    func words() {
        #expect(line("PAM_PROMPT_ECHO_OFF Password: ") == .asks(AccountQuestion(text: "Password: ", isHidden: true)))
        #expect(line("PAM_PROMPT_ECHO_ON Code: ") == .asks(AccountQuestion(text: "Code: ", isHidden: false)))
        #expect(line("PAM_ERROR_MSG no") == .says("no") && line("PAM_TEXT_INFO well") == .says("well"))
        #expect(line("SUCCESS") == .success && line("FAILURE") == .failure)
    }

    @Test("what GLib escaped is read as it was: letters, octal numbers, and bytes of a character")
    func escapes() {
        #expect(line(#"PAM_TEXT_INFO a\n\t\"\\\'b"#) == .says("a\n\t\"\\'b"))
        #expect(line(#"PAM_TEXT_INFO \303\251t\303\251 \1x\0"#) == .says("été \u{1}x\u{0}"))
        #expect(line(#"PAM_TEXT_INFO end\"#) == .says("end\\"))
        #expect(line(#"PAM_TEXT_INFO \777"#) == .says("\u{fffd}"))
    }

    @Test(
        "nothing else is a line of the helper's",
        arguments: ["", "SUCCESS ", "success", "PAM_PROMPT_ECHO_OFF", "X y", " SUCCESS"])
    func others(text: String) { #expect(line(text) == nil) }
}
