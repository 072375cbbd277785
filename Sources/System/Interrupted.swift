public import CThumbLinux

// A signal may interrupt a call that waits, and the call then fails with EINTR although nothing is wrong. What to do about it stands
// here and nowhere else: a call is made again, and a wait with an end in time is counted anew by whoever waits.

/// Makes a call again for as long as a signal interrupts it; every other result is the caller's.
public func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        guard result < 0, thumb_errno() == EINTR else { return result }
    }
}

/// The same for a call that returns its error's number, 0 for none. It has a name of its own, because a call that returns 4 for a
/// descriptor isn't one that was interrupted.
public func uninterruptedError(of call: () -> Int32) -> Int32 {
    while true {
        let number = call()
        guard number == EINTR else { return number }
    }
}

/// Waits until one of `waits` has something, at most so many milliseconds; how many have something.
///
/// A signal ends the wait early, with 0: whoever waits until some moment looks at the time and waits again.
public func polled(_ waits: inout [pollfd], milliseconds: Int32) throws(SystemError) -> Int {
    let count = unsafe poll(&waits, nfds_t(waits.count), milliseconds)
    if count >= 0 { return Int(count) }
    let error = SystemError.last
    guard error.number == EINTR else { throw error }
    // What an interrupted call leaves there says nothing.
    for place in waits.indices { waits[place].revents = 0 }
    return 0
}
