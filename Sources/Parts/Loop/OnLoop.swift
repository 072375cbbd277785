/// The isolation of everything that runs on the event loop.
@globalActor public actor OnLoop {
    public static let shared = OnLoop()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe EventLoop.shared.asUnownedSerialExecutor() }

    /// Calls a loop-isolated closure from code that is known to run on the loop's thread. Traps on any other thread.
    public static func assumed<Value>(_ body: @OnLoop () throws -> Value) rethrows -> Value {
        EventLoop.shared.checkIsolated()
        // A function isolated to a global actor differs from the same function without isolation only in its type, and the check above has
        // just shown that the isolation holds. The standard library offers this only for the main actor. The compiler counts the letters of
        // this file's path into the program before it maps the checkout's part away (`make reproduce`). A fixed name has the same count
        // wherever the program is built. It counts at the end of the function, so the name holds until there.
        #sourceLocation(file:"OnLoop.assumed",line:1)
        return try withoutActuallyEscaping(body) { isolated in
            try unsafe unsafeBitCast(isolated, to: (() throws -> Value).self)()
        }
    }
    #sourceLocation()
}
