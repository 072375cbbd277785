import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbHelpers
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

/// One after the other: some of them take half of the descriptors that a process usually has.
@Suite("Who is let in, and how many", .serialized)
struct CrowdTests {
    @Test("a user has 256 connections; one more is told so, and there is room again when one leaves")
    func connections() throws {
        let stand = try Stand()
        var peers = try (0..<WireLimit.connectionsPerUser).map { _ in try stand.app() }
        #expect(try stand.connect().refusal() == .tooManyConnections)
        peers.removeLast().close()
        #expect(stand.population.wait { $0.last == WireLimit.connectionsPerUser - 1 }.last == WireLimit.connectionsPerUser - 1)
        #expect(throws: Never.self) { try stand.app() }
    }

    @Test(
        "a user who has all of their connections takes no other user's place, though that one has said nothing yet",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func fullUser() throws {
        // Nobody is closed for their silence alone.
        let stand = try Stand(secondsForHello: 3600, onlyUser: nil)
        let path = try stand.listen()
        let theirs = Peer(try Nobody.connect(to: path), of: stand)
        #expect(stand.population.wait { $0.last == 1 }.last == 1)
        let ours = try (0..<WireLimit.connectionsPerUser).map { _ in try stand.app() }
        #expect(try stand.connect().refusal() == .tooManyConnections)
        try theirs.send(.hello(Hello(role: .app)))
        guard case .welcome? = try theirs.next() else { throw Peer.Surprise() }
        #expect(try ours[0].isHeard())
    }

    @Test("a user has 4,096 calls that wait; one more is refused, and they end with their connection")
    func calls() throws {
        // The ticket outlasts all of these calls, however long a slow machine takes for them.
        var patience = PromptAgents.Patience.ofTests
        patience.forTicket = 3600
        let stand = try Stand(patience: patience)
        let app = try stand.app()
        let rule = try AccessRule(.whenUnlocked, .userPresence)
        try app.send(
            .add(NewItem(itemClass: .genericPassword, attributes: [.account: .text("a")], rule: rule, secret: secret("s"))))
        guard case .page? = try app.next() else { throw Peer.Surprise() }
        let find = FindItems(Query(itemClass: .genericPassword, shape: .data))
        for call in 1...UInt32(WireLimit.callsPerUser) { try app.send(find, call: call) }
        _ = try app.ticket()
        // All of them wait behind the one prompt: what is answered next is the call after them.
        try app.send(.status, call: 9_000)
        guard case .status? = try app.next() else { throw Peer.Surprise() }
        let other = try stand.app()
        try other.send(find)
        #expect(try other.refusal() == .tooManyCalls)
        try app.send(find, call: 9_001)
        #expect(try app.refusal() == .tooManyCalls)
        #expect(stand.isEmpty())
        let next = try stand.app()
        try next.send(find)
        #expect(try next.ticket().count == WireLimit.ticketBytes)
    }

    @Test("a connection has 10,000 contexts; one more is refused, and a released one makes room")
    func contexts() throws {
        let stand = try Stand()
        let app = try stand.app()
        func invalidate(_ context: UInt64) throws -> Bool {
            try app.send(.invalidate(context: context))
            guard case .done? = try app.next() else { return false }
            return true
        }
        for context in 1...UInt64(WireLimit.contextsPerConnection) { try #require(try invalidate(context)) }
        try app.send(.release(context: 1))
        #expect(try invalidate(20_000))
        #expect(try invalidate(20_000))
        try app.send(.invalidate(context: 20_001))
        #expect(try app.refusal() == .tooManyContexts)
    }

    @Test("a call's number used twice at once is malformed: there would be two answers to one question")
    func sameNumber() throws {
        let stand = try Stand()
        let app = try stand.app()
        let evaluate = Evaluate(
            EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "r")))
        try app.send(evaluate, call: 5)
        _ = try app.ticket()
        try app.send(evaluate, call: 5)
        #expect(try app.refusal() == .malformed)
    }

    @Test("a connection of another user is closed unheard, and the log says so without saying who")
    func otherUser() throws {
        // To a service of another user, we are the other user.
        let stand = try Stand(onlyUser: getuid() + 1)
        #expect(try stand.connect().isAtEnd())
        #expect(stand.log.all == ["a connection of another user was closed unheard"])
    }

    @Test(
        "nobody, in earnest, is closed unheard where root is served",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func nobody() throws {
        let stand = try Stand()
        let path = try stand.listen()
        let theirs = Peer(try Nobody.connect(to: path))
        // It may speak or not: it hears nothing.
        try? theirs.send(.hello(Hello(role: .app)))
        #expect((try? theirs.isAtEnd()) ?? true)
        let ours = Peer(try UnixSocket.connect(to: path).get())
        try ours.send(.hello(Hello(role: .app)))
        guard case .welcome? = try ours.next() else { throw Peer.Surprise() }
    }
}

/// A thread of this process with the rights of nobody: to the kernel, and so to whoever asks it, that is another user.
enum Nobody {
    static let uid = 65534

    /// Waits on the caller's thread: who suspends here may come back after the time that a connection has for its first word,
    /// where all tests run at once.
    static func connect(to path: String) throws -> Int32 {
        let (done, outcome) = (DispatchSemaphore(value: 0), Outcome())
        Thread.detachNewThread {
            // The bare call changes this thread alone, which ends afterwards.
            if thumb_syscall(Int(SYS_setresuid), uid, uid, uid, 0) == 0 {
                outcome.result = Result { try UnixSocket.connect(to: path).get() }
            } else {
                outcome.result = .failure(Errno(thumb_errno()))
            }
            done.signal()
        }
        done.wait()
        return try outcome.result.get()
    }

    private final class Outcome: @unchecked Sendable {
        // @unchecked: written before the semaphore is signalled, read after.
        var result: Result<Int32, any Error> = .failure(Errno(0))
    }
}
