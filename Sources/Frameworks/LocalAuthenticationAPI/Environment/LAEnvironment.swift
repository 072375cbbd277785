public import Foundation
import ThumbAccess
import ThumbSecrets
import ThumbSecurityAPI

/// How the owner can authenticate on this device, and how to observe changes of that.
public final class LAEnvironment: NSObject, Sendable {
    /// An object that is told when the environment has changed.
    public protocol Observer: NSObjectProtocol {
        /// Called on a private queue, after `environment.state` shows the new state. Optional: the default does nothing.
        func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: State)
    }

    private struct Watching {
        // Weak, so that an observer goes away by itself. It is only compared, and called on the queue for news, as its protocol says.
        weak var observer: (any Observer)?
    }

    private struct Watch: @unchecked Sendable {  // Touched only under the lock; observers are called on the queue for news.
        var watching: [Watching] = []
        var last: State?
        var isWatching = false
    }

    /// The environment of the user this program runs as.
    public static let currentUser = LAEnvironment(device: AppDevice.client)

    private let device: any AuthenticationDevice
    private let watch = Locked(Watch())
    /// Held while the device is looked at and what it says is compared: a look from before a change, compared after one from behind it,
    /// would hide the next change. Nobody waits for it to remove an observer.
    private let looking = Lock()
    /// Where observers are told, of one change after the other.
    private let news = DispatchQueue(label: "thumbturn.environment")

    package init(device: any AuthenticationDevice) { self.device = device }

    /// How the owner can authenticate just now. Asks the device each time.
    public var state: State {
        let context = device.makeContext()
        defer { device.release(context: context) }
        return State(
            biometry: device.capability(of: .biometrics, context: context),
            owner: device.capability(of: .deviceOwner, context: context), companions: device.companionState())
    }

    /// Registers an observer, to which it keeps a weak reference.
    public func addObserver(_ observer: any Observer) {
        let isFirst = watch.withLock { watch in
            defer { watch.isWatching = true }
            return !watch.isWatching
        }
        if isFirst { device.watchEnvironment { [weak self] in self?.deviceMayHaveChanged() } }
        let added = Watching(observer: observer)
        looking.withLock {
            // If nobody was watching, the last state is out of date. Asked after the watch began, so that no change in between is missed.
            let isAlone = watch.withLock { $0.watching.allSatisfy { $0.observer == nil } }
            let now = isAlone ? state : nil
            watch.withLock { watch in
                watch.watching.removeAll { $0.observer == nil || $0.observer === observer }
                if let now { watch.last = now }
                watch.watching.append(added)
            }
        }
    }

    /// Removes an observer.
    public func removeObserver(_ observer: any Observer) {
        watch.withLock { watch in watch.watching.removeAll { $0.observer == nil || $0.observer === observer } }
    }

    /// Looks again, and tells the observers if anything has changed. Called when the device says that something may have.
    package func deviceMayHaveChanged() {
        // Not on the thread that brings the message: if that thread asked the device, it would wait for itself.
        news.async {
            let (old, new, observers) = self.looking.withLock { () -> (State?, State?, [Watching]) in
                // If there is nobody to tell, don't ask. The question must not start a device that has gone.
                if self.watch.withLock({ $0.watching.allSatisfy { $0.observer == nil } }) { return (nil, nil, []) }
                let new = self.state
                return self.watch.withLock { watch in
                    defer { watch.last = new }
                    return (watch.last, new, watch.watching)
                }
            }
            guard let old, old != new else { return }
            for watching in observers {
                watching.observer?.environment(self, stateDidChangeFromOldState: old)
            }
        }
    }
}

extension LAEnvironment.Observer {
    /// Does nothing.
    public func environment(
        _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
    ) {}
}
