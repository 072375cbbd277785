import Testing

@Suite("secret-tool at the provider", .timeLimit(.minutes(10)))
struct SecretToolTests {
    @Test("it stores, finds, lists and clears; a secret keeps its newline, and its item a restart of the provider")
    func wholeLife() throws {
        let stage = try ProviderStage()
        #expect(try stage.run("printf 'first\\nsecond' | secret-tool store --label='A label' service s account a").status == 0)
        #expect(try stage.run("secret-tool lookup service s account a").output == "first\nsecond")
        let found = try stage.run("secret-tool search --all service s")
        #expect(found.output.contains("label = A label") && found.errors.contains("attribute.account = a"))
        stage.killProvider()
        try stage.startProvider()
        #expect(try stage.run("secret-tool lookup service s account a").output == "first\nsecond")
        #expect(try stage.run("printf other | secret-tool store --label=B service s account a").status == 0)
        #expect(try stage.run("secret-tool lookup service s account a").output == "other")
        #expect(try stage.run("secret-tool clear service s account a").status == 0)
        let gone = try stage.run("secret-tool lookup service s account a")
        #expect(gone.output.isEmpty && gone.status == 1)
        #expect(try stage.owner("prompts") == "ok\n")
    }
}
