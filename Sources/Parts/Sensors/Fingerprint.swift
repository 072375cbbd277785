public import ThumbAccess
public import ThumbAuthentication
import ThumbBus
public import ThumbLoop

/// A fingerprint reader behind fprintd, for one user.
///
/// It sends nothing over the bus before somebody asks about the sensor. A match counts only if fprintd, running as the expected user,
/// reported it while we had claimed the reader, and if the enrolment was the same before and after.
@OnLoop public final class Fingerprint {
    public struct Place: Sendable {
        /// Where the bus listens.
        public var bus: String
        /// Who fprintd must run as.
        public var ownerUser: UInt32
        /// fprintd's own folder of templates.
        public var templates: String
        /// The user whose fingers are meant.
        public var user: String

        public init(bus: String, ownerUser: UInt32 = 0, templates: String = "/var/lib/fprint", user: String) {
            self.bus = bus
            self.ownerUser = ownerUser
            self.templates = templates
            self.user = user
        }

        /// The machine's own fprintd, without a user yet.
        public static var machines: Place { Place(bus: Bus.systemAddress, user: "") }
    }

    /// How many seconds after an enrolment no touch counts, because the enrolment's last touch answers no question.
    public var restAfterEnrolling = TouchLimit.rest
    /// For how many seconds casual questions believe that there is no reader. After that the next one has us look again.
    var absencePatience = 10.0

    /// How many seconds an answer about the sensor stays good.
    private static let freshness = 1.0
    /// How many seconds a question about the sensor waits for fprintd. After that it is answered with what is known.
    private static let questionPatience = 5.0

    let place: Place
    let hash: ([UInt8]) -> [UInt8]?
    /// Whether finger names alone may stand for an enrolment if templates can't be read.
    public var allowsWeakEnrolment: () -> Bool = { false }
    let log: (String) -> Void

    private(set) var line: FprintLine?
    private(set) var reader: FprintReader?
    private var fingers: [Finger] = []
    /// Whether the user, from where they sit, may not even ask which fingers are enrolled.
    private var isRefused = false
    /// Whether fprintd itself answered when it was last asked.
    private var isServed = true
    private var lookedAt: Double?
    private var isLooking = false
    private var questions: [Question] = []
    private(set) var absences: Set<ReaderAbsence> = []
    /// Whether the reader's driver has ever reported a finger on it. Then it also reports when the finger leaves.
    private var tellsFingers = false
    /// Whether the finger that answered an earlier question may still lie there.
    private var mayLieThere = false
    private var saysForgery = true
    /// How many statuses came from somebody other than fprintd.
    public private(set) var forgeries = 0
    /// Called with each of them.
    public var onForgery: (() -> Void)?

    /// The line in which everything waits until the reader is released. If several users share the reader, it is the line of all of them.
    private let turns: ReaderLine
    /// How many of this user's flows have the reader or wait for it.
    public private(set) var flows = 0
    /// Called when one of these flows is over.
    public var onFlowEnd: () -> Void = {}
    private var settling: [CheckedContinuation<Void, Never>] = []
    private var listening: (inbox: StatusInbox, turn: ReaderLine.Turn)?
    var enrolling: StatusInbox?
    var enrollingTurn: ReaderLine.Turn?
    /// The inbox that gets the reader's statuses now.
    var inbox: StatusInbox?

    /// - Parameters:
    ///   - turns: the line for the reader, if several users share it.
    ///   - hash: a collision-resistant digest; nil if none can be made.
    public init(
        _ place: Place, turns: ReaderLine = ReaderLine(), hash: @escaping ([UInt8]) -> [UInt8]?,
        log: @escaping (String) -> Void
    ) {
        self.place = place
        self.turns = turns
        self.hash = hash
        self.log = log
    }

    /// Says that the reader is out of reach or back: the machine sleeps, or the lid is closed over it.
    public func set(_ absence: ReaderAbsence, _ isAway: Bool) {
        let changed = isAway ? absences.insert(absence).inserted : absences.remove(absence) != nil
        guard changed else { return }
        inbox?.put(.awayChanged)
        if inbox !== listening?.inbox { listening?.inbox.put(.awayChanged) }
    }

    // MARK: The line

    func connected() throws(BusError) -> FprintLine {
        if let line, line.isUsable { return line }
        let line = try FprintLine(address: place.bus, ownerUser: place.ownerUser)
        line.onStatus = { [weak self] path, name, isDone in
            guard let self, path == self.reader?.path else { return }
            self.inbox?.put(.status(name, isDone: isDone))
        }
        line.onFinger = { [weak self] path, isPresent, isNeeded in
            guard let self, path == self.reader?.path else { return }
            if isPresent == true { self.tellsFingers = true }
            self.inbox?.put(.finger(isPresent: isPresent, isNeeded: isNeeded))
        }
        line.onOwnerLost = { [weak self] in self?.inbox?.put(.ownerLost) }
        line.onForgery = { [weak self] in self?.forged() }
        self.line = line
        return line
    }

    private func forged() {
        forgeries += 1
        if saysForgery { log("a verdict that didn't come from fprintd was ignored") }
        saysForgery = false
        onForgery?()
    }

    /// Closes the connection to fprintd, which releases the reader even if fprintd doesn't answer any more.
    func dropLine() {
        line?.drop()
        line = nil
    }

    // MARK: What is known

    private func look() async {
        do {
            let line = try connected()
            let found = try await line.defaultReader()
            reader = found
            isRefused = false
            isServed = true
            guard let found else { return }
            do {
                fingers = try await line.fingers(found, of: place.user)
            } catch  where FprintRefusal(error) == .notPermitted {
                isRefused = true
            }
        } catch {
            // No bus, no fprintd, or not the right one: there is no reader.
            if error.code == .wrongOwner { log("fprintd's name belongs to another user; there is no reader") }
            // Whoever has claimed the reader meanwhile still hears of it.
            if inbox == nil { reader = nil }
            isServed = false
        }
    }

    /// Looks again. Callers that ask meanwhile get the same answer.
    func lookAgain() {
        if isLooking { return }
        isLooking = true
        EventLoop.shared.spawn { [weak self] in
            await self?.look()
            guard let self else { return }
            self.isLooking = false
            self.lookedAt = EventLoop.now
            self.answerQuestions()
        }
    }

    private func answerQuestions() {
        let answered = questions
        questions = []
        for question in answered { question.answer() }
    }

    func know(_ fingers: [Finger]) { self.fingers = fingers }

    /// Whether the user has a finger enrolled.
    var isEnrolled: Bool { !fingers.isEmpty }

    /// What fprintd last said about the reader and this user.
    public var presence: ReaderPresence {
        if let reader { return isRefused ? .unknown : .here(name: reader.name, isEnrolled: isEnrolled) }
        return isServed && lookedAt != nil ? .away : .unknown
    }

    /// fprintd reported that the reader was unplugged, but may list it for another moment.
    func readerIsGone() {
        reader = nil
        (tellsFingers, mayLieThere) = (false, false)
        lookedAt = EventLoop.now
    }

    /// Something went wrong, so everything has to be asked again.
    func doubt() { if reader != nil { lookedAt = nil } }

    func found(_ reader: FprintReader) { self.reader = reader }

    /// Whether the sensor may still see the earlier touch. Only drivers that report fingers let us rule that out.
    var isDoubtful: Bool { tellsFingers && mayLieThere }
    func fingerHasLeft() { mayLieThere = false }
    func wasListenedTo() { mayLieThere = true }

    /// The present enrolment, as far as it can be known.
    func presentEnrolment(_ fingers: [Finger]) -> Enrolment {
        guard let reader else { return .unknown }
        if fingers.isEmpty { return .empty }
        do {
            let files = try Templates(folder: place.templates, user: place.user).files()
            // If the folder lacks a finger that fprintd lists, it isn't fprintd's, or is being changed just now.
            let names = Set(files.map { String($0.name) })
            guard fingers.allSatisfy({ names.contains($0.templateName) }) else { return .unknown }
            return known(EnrolmentDigest.strong(reader.name, files, hash))
        } catch .outOfReach where allowsWeakEnrolment() {
            return known(EnrolmentDigest.weak(reader.name, fingers, hash))
        } catch {
            // The names don't stand for templates that can only not be read just now: an item would die of the difference.
            return .unknown
        }
    }

    private func known(_ digest: [UInt8]?) -> Enrolment { digest.map(Enrolment.known) ?? .unknown }

    // MARK: Turns

    /// Runs a flow once the previous one has released the reader. A flow that was given up runs at once, and finds that it is over.
    func begin(for inbox: StatusInbox, _ flow: @escaping @OnLoop @Sendable () async -> Void) -> ReaderLine.Turn {
        flows += 1
        let turn = turns.join(place.user) { inbox.put(.mustEnd) }
        EventLoop.shared.spawn { [self] in
            await turn.comes()
            // The previous user may have left a finger on the reader, too.
            if let latest = turns.latest, latest != place.user { wasListenedTo() }
            await flow()
            turn.end()
            flowIsOver()
        }
        return turn
    }

    private func flowIsOver() {
        flows -= 1
        onFlowEnd()
        guard flows == 0 else { return }
        let settled = settling
        settling = []
        for waiter in settled { waiter.resume() }
    }

    /// Waits until none of our flows has the reader.
    public func settle() async {
        await withCheckedContinuation { waiter in
            if flows == 0 { waiter.resume() } else { settling.append(waiter) }
        }
    }
}

extension Fingerprint: @OnLoop Biometry {
    public var kind: BiometryKind { reader == nil ? .none : .touchID }

    public func condition(for caller: Caller) -> BiometryCondition {
        if reader == nil || isRefused || !absences.isEmpty { return .notAvailable }
        return fingers.isEmpty ? .notEnrolled : .ready
    }

    public var enrolment: Enrolment { presentEnrolment(fingers) }

    public var facts: SensorFacts {
        let hindrance: SensorHindrance? =
            if reader == nil {
                isServed ? .noReader : .noService
            } else if isRefused {
                .notPermitted
            } else if absences.contains(.asleep) {
                .asleep
            } else {
                absences.contains(.lidClosed) ? .lidClosed : nil
            }
        return SensorFacts(
            name: reader?.name ?? "", hindrance: hindrance, tellsEnrolments: enrolment != .unknown,
            tellsFingers: tellsFingers)
    }

    public func prepare(isCasual: Bool, _ then: @escaping () -> Void) {
        if let lookedAt {
            let age = EventLoop.now - lookedAt
            if age < Self.freshness { return then() }
            if isCasual {
                // A reader that comes back has to be noticed, but no casual question waits for that.
                if reader == nil, age >= absencePatience { lookAgain() }
                return then()
            }
        }
        // While a finger is awaited, enough is known about the reader, and fprintd shouldn't be disturbed.
        if lookedAt != nil, inbox != nil { return then() }
        let question = Question(then)
        questions.append(question)
        _ = EventLoop.shared.after(Self.questionPatience) { question.answer() }
        lookAgain()
    }

    public func listen(_ report: @escaping (BiometryReport) -> Void) {
        stop()
        let inbox = StatusInbox()
        let watching = FingerWatching(self, inbox, report)
        let turn = begin(for: inbox) {
            await watching.run()
            self.wasListenedTo()
        }
        listening = (inbox, turn)
    }

    public func stop() {
        listening?.inbox.put(.stopped)
        listening?.turn.giveUp()
        listening = nil
    }
}

/// A question about the sensor. It is answered once, and keeps nobody alive afterwards.
@OnLoop private final class Question {
    private var then: (() -> Void)?

    init(_ then: @escaping () -> Void) { self.then = then }

    func answer() {
        let then = then
        self.then = nil
        then?()
    }
}
