import CThumbLinux

/// What a descriptor is ready for.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let readable = Readiness(rawValue: 1)
    public static let writable = Readiness(rawValue: 2)
    /// The other end is gone. Always reported; there may still be something to read.
    public static let hungUp = Readiness(rawValue: 4)

    init(epoll: UInt32) {
        var ready: Readiness = []
        if epoll & UInt32(EPOLLIN.rawValue) != 0 { ready.insert(.readable) }
        if epoll & UInt32(EPOLLOUT.rawValue) != 0 { ready.insert(.writable) }
        if epoll & UInt32(EPOLLHUP.rawValue | EPOLLERR.rawValue | EPOLLRDHUP.rawValue) != 0 { ready.insert(.hungUp) }
        self = ready
    }

    var epoll: UInt32 {
        var events: UInt32 = 0
        if contains(.readable) { events |= UInt32(EPOLLIN.rawValue | EPOLLRDHUP.rawValue) }
        if contains(.writable) { events |= UInt32(EPOLLOUT.rawValue) }
        return events
    }
}

/// A descriptor that the loop watches until `remove()`. Remove it before you close the descriptor.
@OnLoop public final class Watch {
    nonisolated let fd: Int32
    private let handler: @OnLoop (Readiness) -> Void
    /// Whether its handler must be called in the loop's next turn even if its descriptor isn't ready.
    private(set) var isDue = false
    /// The turn of the loop in which its handler was last called.
    private(set) var latestTurn: UInt64 = 0
    public private(set) var interest: Readiness

    public init(_ fd: Int32, _ interest: Readiness, _ handler: @escaping @OnLoop (Readiness) -> Void) {
        self.fd = fd
        self.interest = interest
        self.handler = handler
        EventLoop.shared.add(self)
    }

    public func change(to interest: Readiness) {
        guard interest != self.interest else { return }
        self.interest = interest
        EventLoop.shared.change(self)
    }

    /// Has the handler called in the loop's next turn, even if the descriptor isn't ready. It serves for bytes that were read but not
    /// looked at yet.
    public func turnAgain() {
        if isDue { return }
        isDue = true
        EventLoop.shared.turnAgain(self)
    }

    func call(_ ready: Readiness, in turn: UInt64) {
        isDue = false
        latestTurn = turn
        handler(ready)
    }

    public func remove() { EventLoop.shared.remove(self) }
}
