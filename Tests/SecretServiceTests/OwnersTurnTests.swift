import Testing
import thumbturn_test_programs

/// Questions that aren't about a release: to open, to delete.
@Suite("Questions of several programs at one provider", .timeLimit(.minutes(10)))
struct OwnersTurnTests {
    private static func prompts(_ stage: ProviderStage) throws -> [Substring] {
        try stage.owner("prompts").split(separator: "\n").dropLast()
    }

    @Test("a question that is taken back before its connection to the daemon stands is never asked")
    func early() async throws {
        let (said, prompts) = try await onThread {
            let stage = try ProviderStage(answers: ["match"])
            _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
            let said = try PythonClient.run(
                stage, "other",
                """
                import os, signal
                item = search(s='x')[1][0]
                p = at(at(item, 'Item').Delete(), 'Prompt')
                os.kill(\(stage.device), signal.SIGSTOP)
                p.Prompt('')
                p.Dismiss()
                os.kill(\(stage.device), signal.SIGCONT)
                print(prompt(at(item, 'Item').Delete())[0], len(search(s='x')[1]))
                """)
            return (said, try Self.prompts(stage))
        }
        // The owner's one answer is for the second question.
        #expect(said == "False 0\n", "\(said)")
        #expect(prompts.count == 1, "\(prompts)")
    }
}
