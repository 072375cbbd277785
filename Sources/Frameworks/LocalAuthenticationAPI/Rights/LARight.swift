public import Foundation
public import Observation

/// Something that only the owner may do, and whether the owner has shown that they are there.
///
/// It is only this process's memory of a yes. If something must not happen without the owner, put it behind an `LAPersistedRight`, whose
/// key and secret the daemon guards. Keep a strong reference to an authorized right: dropping it ends what it authorized. You needn't
/// hold it while a call is pending.
///
/// The class is open, so that apps can replace it in their tests. It isn't `Sendable`, and neither is `LAContext`; its own members except
/// `tag` may still be called from any thread.
open class LARight: NSObject {
    /// How far a right's authorization has come.
    public enum State: Int, Sendable, BitwiseCopyable {
        /// Nobody has been asked yet.
        case unknown = 0
        /// The owner is being asked.
        case authorizing = 1
        /// The owner was there.
        case authorized = 2
        /// The owner refused or wasn't there, or the authorization was taken back.
        case notAuthorized = 3
    }

    let core: RightCore

    /// A number for the app's own use. It isn't stored with the right.
    open var tag = 0

    /// Makes a right with the default requirement: a finger, a face or the passcode.
    public override convenience init() { self.init(requirement: .default) }

    /// Makes a right with this requirement.
    public init(requirement: LAAuthenticationRequirement) {
        core = RightCore(requirement)
        super.init()
    }

    init(core: RightCore) {
        self.core = core
        super.init()
    }

    deinit { core.drop() }

    /// The right's state. You can observe it with `withObservationTracking`.
    open var state: State { core.standing }

    // MARK: Asking

    /// Asks the owner for what the right requires, and returns at once.
    ///
    /// `handler` is called once, on a private queue: with nil, or with an `LAError`. An authorized right isn't asked about
    /// again, and a caller that comes while the owner is being asked gets the same answer. An empty reason is a programming
    /// error and traps.
    @preconcurrency
    open func authorize(localizedReason: String, completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        let kept = HeldRight(self)
        core.authorize(localizedReason) { error in
            withExtendedLifetime(kept) { handler(error) }
        }
    }

    /// Asks the owner for what the right requires; throws as the form with a handler fails.
    nonisolated(nonsending) open func authorize(localizedReason: String) async throws {
        try await ending { core.authorize(localizedReason, $0) }
    }

    /// Finds out whether the right could be authorized now. `handler` is called on a private queue, with nil if it could, and otherwise
    /// with an `LAError`.
    ///
    /// Shows nothing and doesn't change the state.
    @preconcurrency
    open func checkCanAuthorize(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        replyQueue.async { [core] in handler(core.preflight()) }
    }

    /// Throws if the right couldn't be authorized just now. Shows nothing and doesn't change the state.
    nonisolated(nonsending) open func checkCanAuthorize() async throws {
        try await ending { ending in replyQueue.async { [core] in ending(core.preflight()) } }
    }

    /// Forgets that the owner was there. Never fails. `handler` is called on a private queue.
    ///
    /// A prompt that is up is closed, and its caller gets `LAError.appCancel`.
    @preconcurrency
    open func deauthorize(completion handler: @escaping @Sendable () -> Void) {
        core.deauthorize()
        replyQueue.async { handler() }
    }

    /// Forgets that the owner was there. Never fails.
    nonisolated(nonsending) open func deauthorize() async { core.deauthorize() }
}

extension LARight: Observable {}

/// A right that a pending call keeps.
private final class HeldRight: @unchecked Sendable {
    // @unchecked: it is only kept, and nobody reads it.
    private let right: LARight

    init(_ right: LARight) { self.right = right }
}

/// Waits for a call that reports its failure, if it has one.
nonisolated(nonsending) func ending(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        call { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}
