import ThumbAccess

@testable import ThumbPolkitAgent

/// What polkit's helper prints: what PAM's modules ask and say, in GLib's escapes.
enum PolkitLineTarget {
    static let target = FuzzTarget(
        "polkit-lines", longest: 1024, sources: ["Sources/Parts/PolkitAgent/HelperLine.swift"],
        seeds: { seeds.map { Array($0.utf8) } },
        parse: { input in
            switch HelperLine(input) {
            case .asks(let question):
                try must(question.text.utf8.count <= AccountQuestion.textBytes, "a question is longer than the wire takes")
                return Array(question.text.utf8)
            case .says(let text): return Array(text.utf8)
            case .success, .failure:
                try must([Array("SUCCESS".utf8), Array("FAILURE".utf8)].contains(input), "another line is an end")
                return nil
            case nil: return nil
            }
        })

    private static let seeds = [
        "SUCCESS", "FAILURE", "PAM_PROMPT_ECHO_OFF Password: ", "PAM_PROMPT_ECHO_ON Code\\072 ", "PAM_ERROR_MSG \\303\\251\\n",
        "PAM_TEXT_INFO \\\"\\b\\f\\r\\t\\v\\\\", "PAM_TEXT_INFO",
    ]
}
