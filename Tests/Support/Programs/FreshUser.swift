import Foundation

/// Users that the machine hasn't, each given to one test: their daemons' sockets lie in folders that are named after them, which all tests
/// share.
public enum FreshUser {
    private static let range: ClosedRange<UInt32> = 61_000...64_980
    private static let lock = NSLock()
    /// Two runs at once begin at different places.
    nonisolated(unsafe) private static var latest = UInt32.random(in: range)

    /// One that no other test of this run has, and the two after it.
    public static var next: UInt32 {
        lock.withLock {
            latest = latest + 3 > range.upperBound ? range.lowerBound : latest + 3
            return latest
        }
    }
}
