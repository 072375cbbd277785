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
    private let streams = FindingStreams()

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

    /// What a check says now, and again each time that it says something else: because the ways to authenticate have changed, or because
    /// the app's own login succeeded.
    public func findings() -> AsyncStream<Finding> {
        let (stream, continuation) = AsyncStream.makeStream(of: Finding.self)
        let number = streams.add(continuation)
        // It holds this watch for as long as somebody reads the stream.
        let observer = EnvironmentObserver { Task { @MainActor in self.streams.tell(self.check()) } }
        LAEnvironment.currentUser.addObserver(observer)
        // The environment holds the observer weakly.
        continuation.onTermination = { [streams] _ in
            LAEnvironment.currentUser.removeObserver(observer)
            Task { @MainActor in streams.remove(number) }
        }
        streams.tell(check())
        return stream
    }

    /// Saves the present enrolment. Call it only after the app's own login.
    ///
    /// Returns false, and saves nothing, if biometry can't be used now. Later runs then still compare with the old enrolment.
    @discardableResult
    public func loginSucceeded() -> Bool {
        guard let now = enrolment else { return false }
        values.keep(now, name)
        streams.tell(.unchanged)
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

/// Those who are told a watch's findings.
@MainActor private final class FindingStreams {
    private var streams: [Int: (last: EnrolmentWatch.Finding?, continuation: AsyncStream<EnrolmentWatch.Finding>.Continuation)] =
        [:]
    private var lastNumber = 0

    nonisolated init() {}

    func add(_ continuation: AsyncStream<EnrolmentWatch.Finding>.Continuation) -> Int {
        lastNumber += 1
        streams[lastNumber] = (nil, continuation)
        return lastNumber
    }

    func remove(_ number: Int) { streams[number] = nil }

    /// Tells a finding to everybody who wasn't told the same last.
    func tell(_ finding: EnrolmentWatch.Finding) {
        for (number, stream) in streams where stream.last != finding {
            streams[number]?.last = finding
            stream.continuation.yield(finding)
        }
    }
}

private final class EnvironmentObserver: NSObject, LAEnvironment.Observer, Sendable {
    private let changed: @Sendable () -> Void

    init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) { changed() }
}
