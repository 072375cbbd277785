import ThumbSystem

/// Takes the connections that come to a listening socket, until `stop()`.
///
/// While this process has no descriptor left for another one, they wait in the socket's line. It looks again after a moment, because the
/// socket would report them without end.
@OnLoop public final class Listener {
    private static let secondsWithoutDescriptors = 0.1

    private let fd: Int32
    private let take: @OnLoop (Int32) -> Void
    private var watch: Watch?
    private var pause: LoopTimer?

    public init(_ fd: Int32, _ take: @escaping @OnLoop (Int32) -> Void) {
        (self.fd, self.take) = (fd, take)
        watch = Watch(fd, .readable) { [weak self] _ in self?.accept() }
    }

    /// Takes no more connections. Call it before you close the socket.
    public func stop() {
        pause?.cancel()
        watch?.remove()
        (pause, watch) = (nil, nil)
    }

    private func accept() {
        if let connection = UnixSocket.accept(fd, waiting: false) { return take(connection) }
        guard SystemError.last.isWantOfDescriptors else { return }
        watch?.change(to: [])
        pause = EventLoop.shared.after(Self.secondsWithoutDescriptors) { [weak self] in self?.watch?.change(to: .readable) }
    }
}
