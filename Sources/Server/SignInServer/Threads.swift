internal import CThumbHTTP
internal import CThumbLinux
internal import ThumbSecrets

/// A thread that runs one closure and can be waited for.
@safe final class Thread: @unchecked Sendable {
    // The handle is written once, before anybody else has this object.
    private var handle = pthread_t()

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// - Parameter name: At most 15 letters, for those who look at the process.
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let own = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
        let result = unsafe pthread_create(
            &handle, nil,
            { own in
                // The process's signals are the first thread's.
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                if let own = unsafe own { unsafe Unmanaged<Start>.fromOpaque(own).takeRetainedValue().body() }
                return nil
            }, own)
        precondition(result == 0, "a thread could not be started")
        _ = unsafe thumb_pthread_setname_np(handle, name)
    }

    func join() { _ = pthread_join(handle, nil) }
}

/// Seconds and nanoseconds of a clock that nobody sets.
enum Uptime {
    static func seconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec)
    }

    static func nanoseconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
