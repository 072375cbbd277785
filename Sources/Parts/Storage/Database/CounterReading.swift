import ThumbSecrets

/// A counter's value, which is read on a thread of its own while the items are opened. A chip takes its time.
final class CounterReading: @unchecked Sendable {
    // @unchecked: `result` is touched under the condition's lock.
    private let condition = Condition()
    private var result: Result<UInt64?, StorageError>?

    init(_ anchor: Anchor) {
        NamedThread("counter") { [self] in
            let read = Result { () throws(StorageError) in try anchor.count() }
            condition.withLock { _ in result = read }
            condition.broadcast()
        }.detach()
    }

    /// Waits for the value; nil if the chip has no counter of ours.
    func value() throws(StorageError) -> UInt64? {
        try condition.withLock { held in
            while result == nil { held.wait() }
            return result
        }?.get() ?? nil
    }
}
