import Testing
import ThumbAccess
import ThumbSecretService
import ThumbSecrets

@Suite("How clients, prompts and questions go")
struct MannerTests {
    private func place(_ number: UInt64) -> ItemPlace { ItemPlace(.login, number) }
    private let burst = SecretServiceLimit.burstSeconds

    @Test("what a reader asks within a moment is one question, and each item is in it once")
    func oneQuestion() throws {
        var line = QuestionLine()
        try line.ask([place(1), place(2)], by: 1, of: "a", at: 10)
        try line.ask([place(2), place(3)], by: 2, of: "a", at: 10.1)
        #expect(line.due(at: 10.1).isEmpty)
        #expect(line.nextTime() == 10 + burst)
        let questions = line.due(at: 10 + burst)
        #expect(questions.map(\.places) == [[place(1), place(2), place(3)]])
        #expect(line.end("a").map(\.asker) == [1, 1, 2, 2])
        #expect(line.isEmpty)
    }

    @Test("a question has as many items as may be, and the rest is in the next one, after the answer")
    func most() throws {
        var line = QuestionLine()
        let most = SecretServiceLimit.questionItems
        try line.ask((1...UInt64(most + 1)).map { place($0) }, by: 1, of: "a", at: 0)
        #expect(line.due(at: 1).first?.places.count == most)
        #expect(line.due(at: 2).isEmpty)
        #expect(line.end("a").count == most)
        #expect(line.due(at: 2).first?.places == [place(UInt64(most + 1))])
    }

    @Test("readers are asked for side by side up to a limit, and then in turn")
    func turns() throws {
        var line = QuestionLine()
        let limit = SecretServiceLimit.questions
        for number in 0...limit { try line.ask([place(1)], by: UInt64(number), of: ExactName("\(number)"), at: Double(number)) }
        #expect(line.due(at: 100).map(\.reader) == (0..<limit).map { ExactName("\($0)") })
        #expect(line.nextTime() == nil)
        _ = line.end("0")
        try line.ask([place(2)], by: 100, of: "0", at: 100)
        #expect(line.due(at: 200).map(\.reader) == [ExactName("\(limit)")])
    }

    @Test("other questions are put side by side up to a limit, one of each reader, and readers take turns")
    func readersTurns() throws {
        var line = ReaderTurns<String>()
        for number in 1...3 { try line.add("greedy \(number)", of: "greedy") }
        #expect(line.next() == "greedy 1" && line.next() == nil)
        try line.add("another", of: "a")
        #expect(line.next() == "another" && line.next() == nil)
        let limit = SecretServiceLimit.questions
        for number in 2..<limit { try line.add("\(number)", of: ExactName("\(number)")) }
        for number in 2..<limit { #expect(line.next() == "\(number)") }
        try line.add("last", of: "last")
        #expect(line.next() == nil)
        // The greedy one's next was there first, and it had its turn.
        line.end("greedy")
        try line.add("another's next", of: "a")
        #expect(line.next() == "greedy 2" && line.next() == nil)
        line.end("greedy")
        #expect(line.next() == "last")
    }

    @Test("a reader may have 64 questions waiting, and no more, whatever others have")
    func readersWait() throws {
        var line = ReaderTurns<Int>()
        for number in 0..<64 { try line.add(number, of: "a") }
        #expect(throws: ServiceFailure.tooMuch) { try line.add(64, of: "a") }
        try line.add(0, of: "b")
        #expect(line.next() == 0)
        try line.add(64, of: "a")
    }

    @Test("a question that nobody waits for any more is withdrawn, and one that somebody waits for isn't")
    func withdrawn() throws {
        var line = QuestionLine()
        try line.ask([place(1)], by: 1, of: "a", at: 0)
        try line.ask([place(1)], by: 2, of: "a", at: 0)
        _ = line.due(at: 1)
        #expect(line.withdraw(1).isEmpty)
        #expect(line.withdraw(2) == ["a"])
        // Its end is still to come.
        #expect(line.end("a").isEmpty && line.isEmpty)
    }

    @Test("what somebody takes back before it is asked isn't asked, and what others wait for is")
    func withdrawnEarly() throws {
        var line = QuestionLine()
        try line.ask([place(1)], by: 1, of: "a", at: 0)
        try line.ask([place(2)], by: 2, of: "a", at: 0)
        // No question is withdrawn, since none has been put.
        #expect(line.withdraw(1).isEmpty)
        #expect(line.due(at: 1).map(\.places) == [[place(2)]])
        var alone = QuestionLine()
        try alone.ask([place(1)], by: 1, of: "a", at: 0)
        _ = alone.withdraw(1)
        #expect(alone.due(at: 1).isEmpty)
        #expect(alone.isEmpty && alone.nextTime() == nil)
    }

    @Test("a reader that waits for as many items as may be waits for no more")
    func waiting() throws {
        var line = QuestionLine()
        let most = (1...UInt64(SecretServiceLimit.waitingItems)).map { place($0) }
        try line.ask(most, by: 1, of: "a", at: 0)
        #expect(throws: ServiceFailure.tooMuch) { try line.ask([place(1)], by: 2, of: "a", at: 0) }
        try line.ask([place(1)], by: 3, of: "b", at: 0)
    }

    @Test("a released secret is fetched once, by the client it was released to, within its time")
    func pickUps() throws {
        var pickUps = PickUps()
        let secret = try SecretBytes(copying: [1, 2, 3])
        pickUps.leave(secret, of: place(1), for: ":1.1", at: 0)
        #expect(pickUps.take(place(1), for: ":1.2", at: 0) == nil)
        #expect(pickUps.has(place(1), for: ":1.1", at: 0))
        #expect(pickUps.take(place(1), for: ":1.1", at: 29.9) == secret)
        #expect(pickUps.take(place(1), for: ":1.1", at: 29.9) == nil)
        pickUps.leave(secret, of: place(1), for: ":1.1", at: 0)
        #expect(pickUps.expire(at: 29.9) == SecretServiceLimit.pickUpSeconds)
        #expect(pickUps.take(place(1), for: ":1.1", at: 30) == nil)
        pickUps.leave(secret, of: place(1), for: ":1.1", at: 40)
        #expect(pickUps.expire(at: 70) == nil && pickUps.isEmpty)
        pickUps.leave(secret, of: place(1), for: ":1.1", at: 80)
        pickUps.leave(":1.1")
        #expect(pickUps.isEmpty)
    }

    @Test("a session is its client's, up to as many as one may have, and ends with it")
    func sessions() throws {
        var book = SessionBook<Int>()
        var last: UInt64 = 0
        for number in 1...SecretServiceLimit.sessions { last = try book.open(":1.1", number) }
        #expect(throws: ServiceFailure.tooMuch) { try book.open(":1.1", 0) }
        #expect(try book.cipher(of: last, for: ":1.1") == SecretServiceLimit.sessions)
        #expect(throws: ServiceFailure.noSession) { try book.cipher(of: last, for: ":1.2") }
        #expect(throws: ServiceFailure.noSession) { try book.close(last, of: ":1.2") }
        try book.close(last, of: ":1.1")
        #expect(throws: ServiceFailure.noSession) { try book.cipher(of: last, for: ":1.1") }
        book.leave(":1.1")
        #expect(book.count == 0)
    }

    @Test("a prompt is shown once, by its client; one more than a client may have isn't made")
    func prompts() throws {
        var prompts = PromptStates()
        let first = try prompts.make(for: ":1.1")
        #expect(throws: ServiceFailure.noSuchObject) { try prompts.show(first, by: ":1.2") }
        try prompts.show(first, by: ":1.1")
        #expect(throws: ServiceFailure.invalid) { try prompts.show(first, by: ":1.1") }
        #expect(try prompts.dismiss(first, by: ":1.1"))
        #expect(prompts.end(first) == nil)
        for _ in 0..<SecretServiceLimit.prompts { _ = try prompts.make(for: ":1.1") }
        #expect(throws: ServiceFailure.tooMuch) { try prompts.make(for: ":1.1") }
        #expect(prompts.leave(":1.1").count == SecretServiceLimit.prompts && prompts.numbers.isEmpty)
    }

    @Test("a prompt is dismissed by its client alone, who hears whether it was shown")
    func dismissing() throws {
        var prompts = PromptStates()
        let first = try prompts.make(for: ":1.1")
        let second = try prompts.make(for: ":1.1")
        #expect(throws: ServiceFailure.noSuchObject) { try prompts.dismiss(first, by: ":1.2") }
        #expect(prompts.has(first))
        let wasShown = try prompts.dismiss(first, by: ":1.1")
        #expect(!wasShown && !prompts.has(first))
        try prompts.show(second, by: ":1.1")
        #expect(throws: ServiceFailure.noSuchObject) { try prompts.dismiss(second, by: ":1.2") }
        let isShown = try prompts.dismiss(second, by: ":1.1")
        #expect(isShown && prompts.numbers.isEmpty)
    }

    @Test("a no holds for the connection that asked, and for nobody else")
    func refusals() {
        var refusals = Refusals()
        refusals.refuse(place(1), to: ":1.1")
        #expect(
            refusals.has(place(1), for: ":1.1") && !refusals.has(place(2), for: ":1.1") && !refusals.has(place(1), for: ":1.2"))
        refusals.leave(":1.1")
        #expect(!refusals.has(place(1), for: ":1.1"))
    }

    @Test("every failure has a name of the bus's and words that say something")
    func failures() {
        let names = Set(ServiceFailure.allCases.map(\.name))
        #expect(names.count == ServiceFailure.allCases.count)
        for failure in ServiceFailure.allCases { #expect(!failure.message.isEmpty) }
    }
}
