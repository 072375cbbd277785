public import ThumbAccess
public import ThumbAuthentication
import ThumbConversation
public import ThumbLoop
import ThumbSecrets

/// A camera behind a PAM service of its own, in a process of its own. The service reports a match that was made on this machine,
/// and doesn't say which faces it knows. So its level is convenience, and its enrolment is unknown.
@OnLoop public final class FaceSensor {
    private let uid: UInt32
    private let isThere: () -> Bool
    private let connect: () -> Int32?
    private let log: (String) -> Void
    private var run: HelperRun?
    /// Counts the watches, so that words from an earlier watch's helper can be dropped.
    private var watches = 0
    private var report: ((BiometryReport) -> Void)?

    /// - Parameters:
    ///     - isThere: whether the machine has such a service.
    ///     - connect: makes a connection to a fresh helper, which this takes over; nil if there is none.
    public init(
        uid: UInt32, isThere: @escaping () -> Bool, connect: @escaping () -> Int32?, log: @escaping (String) -> Void
    ) {
        self.uid = uid
        self.isThere = isThere
        self.connect = connect
        self.log = log
    }

    private func look() {
        let watch = watches
        guard let fd = connect() else {
            log("the face service can't be reached")
            return EventLoop.shared.post { [self] in tell(.failed, watch) }
        }
        run = HelperRun(fd, Look(uid: uid), asking: OwnerPasscode.unasked) { [weak self] verdict in
            self?.saw(verdict, watch)
        }
    }

    private func saw(_ verdict: AccountVerdict, _ watch: Int) {
        guard watch == watches else { return }
        run = nil
        switch verdict {
        case .right: tell(.match(.unknown), watch)
        case .wrong:
            tell(.miss, watch)
            // If the watch is still wanted, one miss doesn't end it.
            if watch == watches, report != nil { look() }
        case .expired, .locked, .unavailable:
            log("the face service failed")
            tell(.failed, watch)
        }
    }

    private func tell(_ word: BiometryReport, _ watch: Int) {
        guard watch == watches else { return }
        report?(word)
    }
}

extension FaceSensor: @OnLoop Biometry {
    public var kind: BiometryKind { .faceID }
    public var level: BiometryLevel { .convenience }
    public var enrolment: Enrolment { .unknown }

    public func condition(for caller: Caller) -> BiometryCondition { isThere() ? .ready : .notAvailable }

    public func listen(_ report: @escaping (BiometryReport) -> Void) {
        stop()
        self.report = report
        look()
    }

    public func stop() {
        watches += 1
        report = nil
        run?.end()
        run = nil
    }
}
