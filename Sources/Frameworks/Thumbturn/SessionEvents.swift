#if os(Linux)
import ThumbAccess
import ThumbClient
#endif

/// What happens to the owner's session at this machine, as the device tells it: nothing of it takes D-Bus in your app.
///
/// ```swift
/// for await event in SessionEvents() where event == .locked { hideEverything() }
/// ```
///
/// Each sequence tells what happens from its first element on. If the session is locked or not in front by then, that comes first. A new
/// daemon, as after an update, is followed from your app's next call on. On Apple's systems nothing is told: an app hears of these things
/// from UIKit and AppKit there.
public struct SessionEvents: AsyncSequence, Sendable {
    /// Something that happened.
    public enum Event: Sendable, Hashable {
        /// The session was locked. What contexts had been shown is forgotten.
        case locked
        /// It was unlocked.
        case unlocked
        /// The machine is about to sleep. What contexts had been shown is forgotten.
        case asleep
        /// The machine is awake again.
        case awake
        /// Another session came to the front, as when another user logs in beside this one.
        case left
        /// The session is in front again.
        case returned
        /// The device is gone, so nobody tells what happens. Take it as a lock.
        case lost
    }

    public typealias AsyncIterator = AsyncStream<Event>.Iterator

    private let make: @Sendable () -> AsyncStream<Event>

    /// What the device tells.
    public init() { make = Self.toldByDevice }

    /// What `make` tells, for tests of an app.
    public init(_ make: @escaping @Sendable () -> AsyncStream<Event>) { self.make = make }

    public func makeAsyncIterator() -> AsyncIterator { make().makeAsyncIterator() }

    #if os(Linux)
    private static func toldByDevice() -> AsyncStream<Event> {
        AsyncStream { continuation in
            let number = DeviceClient.shared.watchSession { continuation.yield(Event($0)) }
            continuation.onTermination = { _ in DeviceClient.shared.stopWatchingSession(number) }
        }
    }
    #else
    private static func toldByDevice() -> AsyncStream<Event> { AsyncStream { $0.finish() } }
    #endif
}

#if os(Linux)
extension SessionEvents.Event {
    fileprivate init(_ event: SessionEvent?) {
        self =
            switch event {
            case .locked: .locked
            case .unlocked: .unlocked
            case .asleep: .asleep
            case .awake: .awake
            case .left: .left
            case .returned: .returned
            case nil: .lost
            }
    }
}
#endif
