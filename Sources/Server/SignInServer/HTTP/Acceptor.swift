import CThumbHTTP
import CThumbLinux
import ThumbSecrets
import ThumbSignIn
import ThumbSystem

/// The thread that accepts new connections, and does what has to be done once a second.
final class Acceptor: @unchecked Sendable {
    // @unchecked: `thread` is set while this is being made, and joined by whoever ends it; everything else is constant.
    private let listener: Listener
    private let line: Locked<Line>
    private let serving: Serving
    private let isSecure: Bool
    private let logs: Bool
    /// Readable when the thread has to end.
    private let ending: Int32
    private var thread: NamedThread?

    /// HTTP's threads: those that get new connections, and those that only finish what they have, since that second.
    private struct Line {
        var threads: [HTTPThread]
        var retired: [(thread: HTTPThread, since: UInt64)] = []
    }

    init(_ listener: Listener, _ threads: [HTTPThread], _ serving: Serving, isSecure: Bool, logs: Bool) {
        self.listener = listener
        line = Locked(Line(threads: threads))
        self.serving = serving
        self.isSecure = isSecure
        self.logs = logs
        ending = eventfd(0, Int32(EFD_CLOEXEC))
        thread = NamedThread("accept") { [self] in run() }
    }

    func end() {
        _ = eventfd_write(ending, 1)
        thread?.join()
        listener.close()
        CThumbLinux.close(ending)
    }

    /// Gives new connections to other threads from now on. The old ones let each of their clients go after its next answer.
    func replace(_ threads: [HTTPThread]) {
        let now = Uptime.seconds()
        let old = line.withLock { line in
            let old = line.threads
            line.threads = threads
            line.retired += old.map { ($0, now) }
            return old
        }
        for thread in old { thread.peers.retire() }
    }

    /// All of HTTP's threads that haven't ended.
    var threads: [HTTPThread] { line.withLock { $0.threads + $0.retired.map(\.thread) } }

    /// Ends the retired threads whose last client is gone. One that has just been replaced may still have a connection on its way to it.
    private func endRetired(at now: UInt64) {
        let over = line.withLock { line in
            let over = line.retired.filter { now >= $0.since + Limits.grace && $0.thread.peers.isEmpty }
            line.retired.removeAll { one in over.contains { $0.thread === one.thread } }
            return over
        }
        for (thread, _) in over { thread.end() }
    }

    private func run() {
        var ticked = Uptime.seconds()
        var turn = 0
        var isFull = false
        while true {
            // If no descriptor is left, new connections wait until the next second.
            var waits = [
                pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isFull ? -1 : listener.socket, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&waits, 2, 1000)
            if waits[0].revents != 0 { return }
            isFull = !acceptAll(&turn)
            let now = Uptime.seconds()
            guard now != ticked else { continue }
            ticked = now
            tick()
        }
    }

    /// - Parameter isForced: Whether to forget what is over even if nothing was done since the last time.
    func tick(isForced: Bool = false) {
        let now = Uptime.seconds()
        for thread in threads { thread.peers.sweep(at: now, isSecure: isSecure) }
        endRetired(at: now)
        // What is over is forgotten soon, so that there is never much of it to wait for. Under load the writer does more of this.
        if serving.writer.hasSettledMore() || isForced {
            serving.writer.settle(.forget(before: serving.flows.now() + -SignInLimit.secondsRemembered)) { _ in }
        }
        writeLog()
    }

    func writeLog() {
        for records in serving.metrics.records {
            // While the log's reader stands still, lines wait where those that are too many are counted.
            if !serving.log.hasRoom { return }
            let lines = records.takeLog()
            if logs, !lines.isEmpty { serving.log.write(lines) }
        }
    }

    /// - Returns: false if the process has no descriptor left.
    private func acceptAll(_ turn: inout Int) -> Bool {
        while true {
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let isTaken: Bool? = unsafe withUnsafeMutablePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    let socket = uninterrupted {
                        unsafe thumb_accept4(
                            listener.socket, address, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
                    }
                    guard socket >= 0 else {
                        let error = SystemError.last
                        return error.isWantOfDescriptors ? false : error.number == ECONNABORTED ? true : nil
                    }
                    unsafe give(socket, address, length, &turn)
                    return true
                }
            }
            guard let isTaken else { return true }
            if !isTaken { return false }
        }
    }

    private func give(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t, _ turn: inout Int) {
        let client = unsafe Client(address)
        guard serving.metrics.connections.enter(client) else {
            CThumbLinux.close(socket)
            return
        }
        var on: Int32 = 1
        unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        let threads = line.withLock { $0.threads }
        turn = (turn + 1) % threads.count
        if unsafe !threads[turn].add(socket, address, length) { serving.metrics.connections.leave(client) }
    }
}
