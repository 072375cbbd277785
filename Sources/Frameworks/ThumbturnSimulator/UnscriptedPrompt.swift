import ThumbAccess
import ThumbSimulation
import ThumbSystem

#if canImport(Testing)
import Testing
#endif

/// What happens when a prompt comes up that the test's script doesn't have: the test fails and says which prompt it was.
enum UnscriptedPrompt {
    static func report(_ prompt: ShownPrompt) {
        fail("a prompt nobody scripted an answer for: \(words(prompt))")
    }

    static func report(_ prompt: ShownPrompt, _ problem: String) {
        fail("the scripted answer doesn't fit the prompt (\(problem)): \(words(prompt))")
    }

    private static func words(_ prompt: ShownPrompt) -> String {
        let shown = prompt.contents.last
        let ways = [
            shown.map { $0.listening != .none } == true ? "the sensor listens" : nil,
            shown?.acceptsPasscode == true ? "a passcode may be typed" : nil,
            shown?.offersFallback == true ? "the fallback button is there" : nil,
        ].compactMap { $0 }
        return
            "“\(prompt.words.reason)” for \(prompt.callerName), where \(ways.isEmpty ? "only cancel is possible" : ways.joined(separator: ", "))"
    }

    private static func fail(_ message: String) {
        Transfer.say("SimulatedDevice: \(message)\n", to: 2)
        #if canImport(Testing)
        Issue.record(Comment(rawValue: message))
        #endif
    }
}
