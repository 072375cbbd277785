import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbHelpers
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

extension TouchAttackTests {
    @Test("a prompt that only says that it is there loses the screen as one that says nothing")
    func hereUnshown() throws {
        var patience = PromptAgents.Patience.ofTests
        // The word comes within the first; the second is longer than anybody waits here.
        (patience.toShow, patience.ofSilence) = (2, 3600)
        let stand = try Stand(patience: patience)
        let greedy = Wish(stand, of: "greedy")
        let hog = try greedy.prompt()
        _ = try shows(hog)
        try hog.send(.here(acts: false))
        let outcome = greedy.outcome
        Tally.check("a prompt that never shows anything keeps the screen by a word", succeeded: outcome == nil)
        #expect(outcome == .failure(.systemCancel))
    }
}
