import Foundation

/// Writes all of it to a descriptor, or as much as somebody reads. Nobody reading any more is no reason for this process to die:
/// tests run in it side by side, and one of them wants the signal as it is by default.
public func writeQuietly(_ bytes: [UInt8], to fd: Int32) {
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
    }
    // The signal is this thread's own; it is taken here, so that unblocking doesn't let it loose.
    var now = timespec()
    if !rest.isEmpty { _ = sigtimedwait(&pipe, nil, &now) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
}
