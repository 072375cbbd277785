import CThumbLinux
import Foundation

/// Says each half second, over a prompt's connection, that the prompt is still there: what a test's own prompt must say too.
public final class PromptBeat: @unchecked Sendable {
    // @unchecked: the descriptor is this object's own, and only its thread uses it until `deinit` has ended that.
    private let fd: Int32
    private let end = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// Whose turn it is to write: a word between the two halves of another would be none.
    private let turn = DispatchSemaphore(value: 1)

    /// *here*, with nothing done at it: see docs/PROTOCOL.md.
    private static let word: [UInt8] = [0, 0, 0, 6, 65, 0, 0, 0, 0, 0]

    /// - Parameter connection: the prompt's; it stays its owner's.
    public init(_ connection: Int32) {
        fd = dup(connection)
        let (fd, end, ended, turn) = (fd, end, ended, turn)
        Thread.detachNewThread {
            repeat {
                turn.wait()
                let sent = send(fd, Self.word, Self.word.count, Int32(MSG_NOSIGNAL))
                turn.signal()
                // A small frame goes whole or not at all; where nobody hears it any more there is nothing left to do.
                if sent != Self.word.count { break }
            } while end.wait(timeout: .now() + 0.5) == .timedOut
            ended.signal()
        }
    }

    /// Lets the prompt say something of its own.
    public func speak<Value>(_ body: () throws -> Value) rethrows -> Value {
        turn.wait()
        defer { turn.signal() }
        return try body()
    }

    deinit {
        end.signal()
        ended.wait()
        close(fd)
    }
}
