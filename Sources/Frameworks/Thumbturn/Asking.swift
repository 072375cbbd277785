import LocalAuthentication

/// The failures of a call that asks the owner, as far as cancelling matters.
protocol AskingFailure: Error, Equatable {
    static var cancelled: Self { get }
    static var notAuthenticated: Self { get }
}

extension VaultError: AskingFailure {}
extension EnclaveKeyError: AskingFailure {}

/// One blocking call on a thread of its own.
struct Asking: @unchecked Sendable {
    // @unchecked: a context isn't `Sendable`, but its members may be called from any thread.
    private let context: LAContext
    /// Whether the context belongs to this call alone, and ends with it.
    private let isOwn: Bool

    init(_ context: LAContext?) {
        self.context = context ?? LAContext()
        isOwn = context == nil
    }

    nonisolated(nonsending) func run<Value: Sendable, Failure: AskingFailure>(
        _ body: @escaping @Sendable (LAContext) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(returning: Result { () throws(Failure) in try body(context) })
                }
            }
        } onCancel: {
            if isOwn { context.invalidate() }
        }
        if case .failure(let failure) = result, failure == .notAuthenticated, isOwn, Task.isCancelled { throw .cancelled }
        return try result.get()
    }
}
