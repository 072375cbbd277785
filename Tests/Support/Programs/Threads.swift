import Foundation

/// Runs what blocks on a thread of its own: the pool that tests run on has only as many threads as the machine has cores.
/// Expectations stay outside: on that thread nobody knows which test they belong to.
public func onThread<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { (done: CheckedContinuation<Result<Value, Failure>, Never>) in
        Thread.detachNewThread { done.resume(returning: Result(catching: body)) }
    }
    return try result.get()
}
