import Foundation

/// Runs what blocks on a thread of its own: the pool that tests run on has only as many threads as the machine has cores. What is expected
/// there belongs to the test that called.
@concurrent public func onThread<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(ThreadOfItsOwn()) { () throws(Failure) in try body() }
}

/// Runs each part of a task on a new thread.
private final class ThreadOfItsOwn: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
