public import LocalAuthentication

/// Notices that a finger or a face was enrolled or removed since the app's own login was last used.
///
/// The first run saves the enrolment, and later runs compare with it. A change stays a change until `loginSucceeded()`: only the app's own
/// login saves the new enrolment. Every check uses its own context and asks about biometry alone. A success by passcode says nothing about
/// the enrolment, so it is never compared and never overwrites what was saved.
///
/// This decides what an app shows. If an item must die with the enrolment, put it into the keychain under `.biometryCurrentSet`.
@MainActor public final class EnrolmentWatch {
    /// The result of a check.
    public enum Finding: Sendable, Hashable {
        /// Nothing was saved before; the enrolment is saved now.
        case firstRun
        /// The enrolment is as it was saved.
        case unchanged
        /// The enrolment isn't as it was saved.
        case changed
        /// Biometry can't be used just now, so nobody knows: no sensor, nobody enrolled, locked out, or not permitted.
        case cannotTell

        /// Whether the app's own login has to come first. An enrolment that can't be determined counts as changed.
        public var demandsLogin: Bool { self == .changed || self == .cannotTell }
    }

    private let values: any KeptValues
    private let name: String
    private let makeContext: @MainActor () -> LAContext

    /// Makes a watch that keeps the enrolment in `values` under `name`; `makeContext` is for tests.
    public init(
        values: any KeptValues = UserDefaults.standard, name: String = "thumbturn.enrolment",
        makeContext: @escaping @MainActor () -> LAContext = { LAContext() }
    ) {
        self.values = values
        self.name = name
        self.makeContext = makeContext
    }

    /// Compares the enrolment with the saved one, and saves it if none was saved yet. Shows nothing.
    ///
    /// If the first run can't determine the enrolment, this is remembered. A finger that is enrolled later is then a change, and not
    /// another first run.
    public func check() -> Finding {
        let now = enrolment
        guard let saved = values.keptData(name) else {
            values.keep(now ?? Self.nothing, name)
            return now == nil ? .cannotTell : .firstRun
        }
        guard let now else { return .cannotTell }
        return now == saved ? .unchanged : .changed
    }

    /// What a check says now, and again each time that it says something else because the ways to authenticate have changed.
    public func findings() -> AsyncStream<Finding> {
        let (stream, continuation) = AsyncStream.makeStream(of: Finding.self)
        let told = Told()
        let observer = EnvironmentObserver { [weak self] in
            Task { @MainActor in
                guard let self else { return continuation.finish() }
                if let new = told.next(self.check()) { continuation.yield(new) }
            }
        }
        LAEnvironment.currentUser.addObserver(observer)
        // The environment holds it weakly.
        continuation.onTermination = { _ in LAEnvironment.currentUser.removeObserver(observer) }
        if let first = told.next(check()) { continuation.yield(first) }
        return stream
    }

    /// Saves the present enrolment. Call it only after the app's own login.
    ///
    /// Returns false, and saves nothing, if biometry can't be used now. Later runs then still compare with the old enrolment.
    @discardableResult
    public func loginSucceeded() -> Bool {
        guard let now = enrolment else { return false }
        values.keep(now, name)
        return true
    }

    /// Stands for an enrolment that couldn't be determined. No enrolment equals it.
    private static let nothing = Data()

    private var enrolment: Data? {
        let context = makeContext()
        guard unsafe context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else { return nil }
        guard let state = context.evaluatedPolicyDomainState, state != Self.nothing else { return nil }
        return state
    }
}

/// The finding that was told last.
@MainActor private final class Told {
    private var last: EnrolmentWatch.Finding?

    /// The finding, unless it was told already.
    func next(_ finding: EnrolmentWatch.Finding) -> EnrolmentWatch.Finding? {
        defer { last = finding }
        return finding == last ? nil : finding
    }
}

private final class EnvironmentObserver: NSObject, LAEnvironment.Observer, Sendable {
    private let changed: @Sendable () -> Void

    init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) { changed() }
}
