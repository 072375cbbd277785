import CThumbLinux

/// Threads that nobody joins.
enum AgentThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// false if no more threads can be started.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { body in
                // This is the body that is passed below.
                unsafe Unmanaged<Body>.fromOpaque(body!).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard result == 0 else {
            unsafe body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
