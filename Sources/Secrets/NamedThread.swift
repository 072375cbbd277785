import CThumbLinux

/// A thread that runs one closure.
///
/// The process's signals are never delivered to it; the first thread gets them.
@safe public final class NamedThread: @unchecked Sendable {
    // @unchecked: the handle is written once, before anybody else has this object.
    private var handle = pthread_t()

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts the thread. Its maker must join or detach it, once.
    ///
    /// The name has at most 15 letters and is for people who look at the process. If there is no memory for a thread, the process ends.
    public init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let own = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
        let result = unsafe pthread_create(
            &handle, nil,
            { own in
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                if let own = unsafe own { unsafe Unmanaged<Start>.fromOpaque(own).takeRetainedValue().body() }
                return nil
            }, own)
        precondition(result == 0, "a thread could not be started")
        _ = unsafe thumb_pthread_setname_np(handle, name)
    }

    /// Lets the thread run by itself. Nobody can wait for it any more.
    public func detach() { pthread_detach(handle) }

    /// Waits until the closure has returned.
    public func join() { _ = pthread_join(handle, nil) }
}
