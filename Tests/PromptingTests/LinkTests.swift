import Foundation
import Testing
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_programs

@testable import ThumbPrompting

@Suite("A prompt's connection", .timeLimit(.minutes(5)))
struct LinkTests {
    @Test("a daemon that takes the connection and says nothing doesn't hold a prompt up for ever")
    func silent() async throws {
        let socket = NSTemporaryDirectory() + "thumbturn-silent-\(UInt32.random(in: 0 ... .max))"
        let listener = try UnixSocket.listen(at: socket).get()
        defer {
            UnixSocket.close(listener)
            unlink(socket)
        }
        let (isOver, isLinked) = (DispatchSemaphore(value: 0), Locked(true))
        Thread.detachNewThread {
            let ticket = Ticket(ticket: [UInt8](repeating: 1, count: WireLimit.ticketBytes), socket: socket)
            isLinked.withLock { $0 = Link(ticket, surface: nil) != nil }
            isOver.signal()
        }
        let isInTime = await onThread { isOver.wait(timeout: .now() + 120) == .success }
        #expect(isInTime)
        #expect(!isInTime || !isLinked.withLock { $0 })
    }
}
