public import Foundation
import ThumbAccess
import ThumbSecrets
import ThumbSecurityAPI

/// How the owner can authenticate on this device, and word of changes.
public final class LAEnvironment: NSObject, Sendable {
    /// Learns when the environment changed.
    public protocol Observer: NSObjectProtocol {
        /// Called on a private queue, after `environment.state` shows the new state. Optional: the default does nothing.
        func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: State)
    }

    private struct Watching {
        // Weak, so that an observer goes away by itself. It is only compared and called, on the reply queue, as its protocol
        // says.
        weak var observer: (any Observer)?
    }

    private struct Watch: @unchecked Sendable {  // Touched under the lock alone; observers are called on the reply queue.
        var watching: [Watching] = []
        var last: State?
        var isWatching = false
    }

    /// The environment of the user this program runs as.
    public static let currentUser = LAEnvironment(device: AppDevice.client)

    private let device: any AuthenticationDevice
    private let watch = Locked(Watch())

    package init(device: any AuthenticationDevice) { self.device = device }

    /// How one can authenticate just now; asks the device each time.
    public var state: State {
        let context = device.makeContext()
        defer { device.release(context: context) }
        return State(
            biometry: device.capability(of: .biometrics, context: context),
            owner: device.capability(of: .deviceOwner, context: context))
    }

    /// Registers an observer, which is held weakly.
    public func addObserver(_ observer: any Observer) {
        let isFirst = watch.withLock { watch in
            defer { watch.isWatching = true }
            return !watch.isWatching
        }
        if isFirst { device.watchEnvironment { [weak self] in self?.deviceMayHaveChanged() } }
        // Asked after the watch began, and answered after that, so no change is missed in between.
        let now = state
        let added = Watching(observer: observer)
        watch.withLock { watch in
            watch.watching.removeAll { $0.observer == nil || $0.observer === observer }
            // If nobody has been looking, the last state is old.
            if watch.watching.isEmpty { watch.last = now }
            watch.watching.append(added)
        }
    }

    /// Removes an observer.
    public func removeObserver(_ observer: any Observer) {
        watch.withLock { watch in watch.watching.removeAll { $0.observer == nil || $0.observer === observer } }
    }

    /// Looks again, and tells the observers if anything is different. Called when the device says that something may be.
    package func deviceMayHaveChanged() {
        // Not on the thread that brings the message: asking the device from there would wait for itself.
        replyQueue.async {
            // If there is nobody to tell, the question must not call a device back that has gone.
            if self.watch.withLock({ watch in watch.watching.allSatisfy { $0.observer == nil } }) { return }
            let new = self.state
            let (old, observers) = self.watch.withLock { watch -> (State?, Watch) in
                defer { watch.last = new }
                return (watch.last, watch)
            }
            guard let old, old != new else { return }
            for watching in observers.watching {
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
