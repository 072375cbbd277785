import Testing
import ThumbAccess
import ThumbAuthentication

/// Who is asked next. Programs are letters here, and a program's connections are numbers.
@Suite("The line before the screen")
final class PromptLineTests {
    private var line = PromptLine()

    /// Lets a wish enter, and its prompt's process come at once unless told otherwise.
    private func enter(
        _ wish: UInt64, _ program: ExactName = "a", client: UInt64? = nil, isFirst: Bool = false, stands: Bool = true
    ) {
        let isTaken = line.enter(wish, of: program, client: client ?? wish, isFirst: isFirst)
        #expect(isTaken)
        if stands { line.stands(wish) }
    }

    /// Ends the wish on the screen; which one has it then.
    private func turn() -> UInt64? {
        if let shown = line.shown { line.leave(shown) }
        return line.next()
    }

    @Test("4,096 wishes wait, and no more; one that leaves makes room")
    func limit() {
        for wish in 1...UInt64(PromptLine.limit) { enter(wish, stands: false) }
        var isTaken = line.enter(9999, of: "b", client: 9999, isFirst: true)
        #expect(PromptLine.limit == 4096 && !isTaken)
        line.leave(7)
        isTaken = line.enter(9999, of: "b", client: 9999, isFirst: true)
        #expect(isTaken)
    }

    @Test("nobody gets the screen before its prompt has come, nor while another has it")
    func standing() {
        enter(1, stands: false)
        #expect(line.next() == nil)
        enter(2, "b")
        #expect(line.next() == 2 && line.shown == 2)
        line.stands(1)
        #expect(line.next() == nil && line.shown == 2)
        #expect(turn() == 1)
        #expect(turn() == nil && line.shown == nil)
        // A prompt that comes for no wish doesn't stand for one that comes later.
        line.stands(3)
        enter(3, "c", stands: false)
        #expect(line.next() == nil)
    }

    @Test("a program that never had the screen doesn't go before another such one that came first, whatever it asks")
    func strangers() {
        enter(1, "a")
        enter(2, "b", isFirst: true)
        #expect(line.next() == 1)
    }

    @Test("programs take turns: the next one is the one that had the screen longest ago")
    func programs() {
        for wish: UInt64 in 1...3 { enter(wish, "crowd") }
        enter(4, "honest")
        enter(5, "late")
        var order: [UInt64] = []
        while let wish = turn() { order.append(wish) }
        #expect(order == [1, 4, 5, 2, 3])
        // The last turns are remembered: the crowd had the latest.
        enter(6, "crowd")
        enter(7, "late")
        enter(8, "honest")
        order = []
        while let wish = turn() { order.append(wish) }
        #expect(order == [8, 7, 6])
    }

    @Test("within a program its connections take turns in the same way, and equal ones keep their order")
    func clients() {
        for wish: UInt64 in 1...3 { enter(wish, client: 1) }
        enter(4, client: 2)
        enter(5, client: 3)
        var order: [UInt64] = []
        while let wish = turn() { order.append(wish) }
        #expect(order == [1, 4, 5, 2, 3])
    }

    @Test("a wish that replaces another goes before the others of its own program, and before no other program's")
    func replacing() {
        enter(1, "a")
        #expect(line.next() == 1)
        enter(2, "a")
        enter(3, "b")
        enter(4, "a", isFirst: true)
        #expect(turn() == 3)
        #expect(turn() == 4)
        #expect(turn() == 2)
    }

    @Test("one prompt is called for on each connection, and the one that replaces another before the others")
    func wanted() {
        #expect(line.wanted() == [])
        enter(1, client: 1, stands: false)
        enter(2, client: 1, stands: false)
        enter(3, client: 2, stands: false)
        enter(4, client: 1, isFirst: true, stands: false)
        #expect(line.wanted() == [4, 3])
        line.leave(4)
        #expect(line.wanted() == [1, 3])
        // A connection whose prompt has the screen is called for nothing more until that has left.
        line.stands(1)
        #expect(line.next() == 1 && line.wanted() == [3])
        line.leave(1)
        #expect(line.wanted() == [2, 3])
    }

    @Test("how many programs wait is counted by program, of those whose prompts have come, without the one on the screen")
    func waiting() {
        #expect(line.waiting == 0)
        enter(1, "a")
        #expect(line.waiting == 1)
        #expect(line.next() == 1 && line.waiting == 0)
        enter(2, "a")
        #expect(line.waiting == 0)
        enter(3, "b")
        enter(4, "b")
        enter(5, "c", stands: false)
        #expect(line.waiting == 1)
        line.stands(5)
        #expect(line.waiting == 2)
        line.leave(1)
        #expect(line.waiting == 3)
    }

    @Test("a program's wishes are all of its own, the one on the screen first, and nobody else's")
    func wishes() {
        enter(1, "a", stands: false)
        enter(2, "b")
        enter(3, "a")
        enter(4, "a", stands: false)
        #expect(line.next() == 2 && line.wishes(of: "a") == [1, 3, 4])
        #expect(turn() == 3 && line.wishes(of: "a") == [3, 1, 4] && line.wishes(of: "b") == [])
        line.leave(3)
        #expect(line.wishes(of: "a") == [1, 4] && line.wishes(of: "none") == [])
    }

    @Test("names that look alike are two programs")
    func alike() {
        enter(1, "caf\u{e9}")
        enter(2, "caf\u{e9}")
        enter(3, "cafe\u{301}")
        #expect(line.next() == 1)
        #expect(turn() == 3)
        #expect(turn() == 2)
    }

    @Test("the turns of 1,024 programs are remembered; the next one begins the memory anew")
    func remembered() {
        func name(_ number: UInt64) -> ExactName { ExactName("p\(number)") }
        for number: UInt64 in 1...1023 {
            enter(number, name(number))
            #expect(turn() == number)
        }
        // Remembered: the fifth had the screen after the third.
        enter(2005, name(5))
        enter(2003, name(3))
        #expect(turn() == 2003)
        #expect(turn() == 2005)
        // The last that is remembered, and the first that isn't.
        for number: UInt64 in 1024...1025 {
            enter(number, name(number))
            #expect(turn() == number)
        }
        // Forgotten: whoever came first is first.
        enter(4005, name(5))
        enter(4003, name(3))
        #expect(turn() == 4005)
    }

    @Test("the turns of 1,024 connections are remembered too, even if all of them are one program's")
    func rememberedClients() {
        for client: UInt64 in 1...1023 {
            enter(client, client: client)
            #expect(turn() == client)
        }
        // Remembered: the fifth had the screen after the third.
        enter(2005, client: 5)
        enter(2003, client: 3)
        #expect(turn() == 2003)
        #expect(turn() == 2005)
        // The last that is remembered, and the first that isn't.
        for client: UInt64 in 1024...1025 {
            enter(client, client: client)
            #expect(turn() == client)
        }
        // Forgotten: whoever came first is first.
        enter(4005, client: 5)
        enter(4003, client: 3)
        #expect(turn() == 4005)
    }
}
