import Testing
import ThumbSystem

@Suite("What a terminal can do")
struct TerminalAbilityTests {
    @Test("It is told by TERM, and NO_COLOR takes the styles")
    func environment() {
        func ability(_ variables: [String: String]) -> TerminalAbility { TerminalAbility { variables[$0] } }
        for variables in [[:], ["TERM": ""], ["TERM": "dumb"], ["TERM": "dumb", "NO_COLOR": "1"]] {
            #expect(!ability(variables).rewritesLines && !ability(variables).isStyled)
        }
        #expect(ability(["TERM": "xterm"]).isStyled && ability(["TERM": "xterm"]).rewritesLines)
        #expect(ability(["TERM": "xterm", "NO_COLOR": ""]).isStyled)
        let plain = ability(["TERM": "xterm", "NO_COLOR": "0"])
        #expect(!plain.isStyled && plain.rewritesLines)
    }
}
