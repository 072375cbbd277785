public import CThumbLinux

// A signal may interrupt a call that waits, and the call then fails with EINTR although nothing is wrong. This is the only place that
// handles it: a call is made again; for a wait with a time limit, the caller computes the rest of the time.

/// Repeats a call as long as a signal interrupts it. The caller gets every other result.
public func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        guard result < 0, thumb_errno() == EINTR else { return result }
    }
}

/// The same for a call that returns its error's number, or 0. It has a different name, because a call that returns descriptor 4 hasn't been
/// interrupted.
public func uninterruptedError(of call: () -> Int32) -> Int32 {
    while true {
        let number = call()
        guard number == EINTR else { return number }
    }
}

/// Waits until one of `waits` has something, at most that many milliseconds. Returns how many have something.
///
/// A signal ends the wait early, with 0. If you wait until a certain moment, look at the time and wait again.
public func polled(_ waits: inout [pollfd], milliseconds: Int32) throws(SystemError) -> Int {
    let count = unsafe poll(&waits, nfds_t(waits.count), milliseconds)
    if count >= 0 { return Int(count) }
    let error = SystemError.last
    guard error.number == EINTR else { throw error }
    // An interrupted call leaves meaningless values there.
    for place in waits.indices { waits[place].revents = 0 }
    return 0
}
