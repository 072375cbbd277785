import Testing
import thumbturn_test_programs

/// Questions that aren't about a release: to open, to delete.
@Suite("Questions of several programs at one provider", .timeLimit(.minutes(10)))
struct OwnersTurnTests {
    private static let open = "print(prompt(service.Unlock([R + '/collection/login'])[1]))"
    private static let isOpen = "(False, ['/org/freedesktop/secrets/collection/login'])\n"

    /// A provider whose store is shut. At two prompts its owner does nothing until told.
    private static func shut() throws -> ProviderStage {
        let stage = try ProviderStage(answers: ["nothing", "nothing"])
        _ = try PythonClient.run(stage, "maker", "make({'s': 'x'}, b'mine')")
        _ = try stage.owner("restart")
        return stage
    }

    private static func prompts(_ stage: ProviderStage) throws -> [Substring] {
        try stage.owner("prompts").split(separator: "\n").dropLast()
    }

    /// A second program asks too. Nothing tells that its question waits; if it takes the other one's place, that is seen here.
    private static func beginSecond(_ stage: ProviderStage) throws {
        try PythonClient.begin(stage, "two", open)
        for _ in 0..<20 where try prompts(stage).count == 1 {}
        let onScreen = try prompts(stage)
        #expect(onScreen.count == 1 && onScreen[0].hasPrefix("up "), "\(onScreen)")
    }

    @Test("two programs that want a shut store opened have the screen in turn, and neither takes the other's question off it")
    func together() async throws {
        let (said, prompts) = try await onThread {
            let stage = try Self.shut()
            try PythonClient.begin(stage, "one", Self.open)
            #expect(try stage.waits { try Self.prompts(stage).count == 1 })
            try Self.beginSecond(stage)
            _ = try stage.owner("approve")
            return ([PythonClient.said(stage, "one"), PythonClient.said(stage, "two")], try Self.prompts(stage))
        }
        #expect(said == [Self.isOpen, Self.isOpen], "\(said)")
        #expect(prompts.count == 2 && prompts.allSatisfy { $0.hasPrefix("success ") }, "\(prompts)")
        #expect(prompts.map { $0.contains("one.py") } == [true, false], "\(prompts)")
    }

    @Test("a program that takes its question back leaves the question of the next one")
    func takenBack() async throws {
        let (said, prompts) = try await onThread {
            let stage = try Self.shut()
            try PythonClient.begin(
                stage, "one",
                """
                p = at(service.Unlock([R + '/collection/login'])[1], 'Prompt')
                p.Prompt('')
                while not __import__('os').path.exists(sys.argv[1] + '-go'): time.sleep(0.05)
                p.Dismiss()
                print('dismissed')
                """)
            #expect(try stage.waits { try Self.prompts(stage).count == 1 })
            try Self.beginSecond(stage)
            _ = try stage.file("one-task-go", "")
            #expect(try stage.waits { try Self.prompts(stage).count == 2 })
            _ = try stage.owner("approve")
            return ([PythonClient.said(stage, "one"), PythonClient.said(stage, "two")], try Self.prompts(stage))
        }
        #expect(said == ["dismissed\n", Self.isOpen], "\(said)")
        #expect(prompts.count == 2 && prompts[1].hasPrefix("success "), "\(prompts)")
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
