public import ThumbAccess
public import ThumbSecrets

// The three ports through which evaluating a policy reaches the world. Whatever implements one lives on the loop. It reports through the
// closure that it was given last, and never after it was told to stop.

/// Whether a sensor could be used just now.
public enum BiometryCondition: UInt8, Sendable, Hashable {
    case ready
    /// Switched off, the lid closed, or refused by the owner for this app.
    case notAvailable
    case notEnrolled
    /// A removable one that knew the owner when it was last here, and isn't plugged in.
    case disconnected
}

/// What is known about who is enrolled.
public enum Enrolment: Sendable, Hashable {
    /// A digest over the sensor and everything enrolled in it: equal while nothing changed.
    case known([UInt8])
    case empty
    /// The reader is away or can't be read. Nothing may be concluded from this, and nothing is changed.
    case unknown
}

/// What a listening sensor reports.
public enum BiometryReport: Sendable, Hashable {
    /// The owner, under the enrolment that was read both before and after the match.
    case match(Enrolment)
    case miss
    /// Not read well enough to say. It counts as neither.
    case retry(RetryHint)
    /// The sensor can't go on.
    case failed
    /// The sensor was unplugged.
    case disconnected
}

/// A sensor of fingers or faces.
public protocol Biometry: AnyObject {
    var kind: BiometryKind { get }
    func condition(for caller: Caller) -> BiometryCondition
    var enrolment: Enrolment { get }
    /// How much a match proves.
    var level: BiometryLevel { get }
    /// Its name, and what keeps it from working.
    var facts: SensorFacts { get }
    /// Determines what `kind`, `condition` and `enrolment` will say, and calls back; at once if that is already known. `isCasual` means
    /// that an earlier result will do.
    func prepare(isCasual: Bool, _ then: @escaping () -> Void)
    /// Watches for the owner until it is told to stop, and reports each finding. A finger that lay on the sensor before the watch began
    /// doesn't count, as far as the driver can tell.
    func listen(_ report: @escaping (BiometryReport) -> Void)
    func stop()
    /// For this many seconds after a match, or after another prompt, nothing that it sees counts: such a touch was meant for the question
    /// before.
    var rest: Double { get }
}

/// The limits of touches.
public enum TouchLimit {
    /// Long enough to lift a finger and to notice another question, short enough to go unnoticed.
    public static let rest = 1.0
}

extension Biometry {
    public var rest: Double { TouchLimit.rest }
    public var level: BiometryLevel { .strong }
    public var facts: SensorFacts { SensorFacts(tellsEnrolments: enrolment != .unknown) }

    /// A sensor that needs to ask nobody always knows.
    public func prepare(isCasual: Bool, _ then: @escaping () -> Void) { then() }
}

/// What enrolling a finger reports.
public enum EnrollingReport: Sendable, Hashable {
    case progress(EnrollingProgress)
    /// The last report; nil if the finger is enrolled.
    case ended(EnrollingFailure?)
}

/// A reader whose fingers can be changed. The caller has made sure that the owner wants that.
public protocol FingerKeeper: AnyObject {
    /// Answers once, later.
    func fingers(_ answer: @escaping (Result<EnrolledFingers, EnrollingFailure>) -> Void)
    /// Enrols a finger and reports as it goes; the last report says that it ended. One at a time; a second is busy.
    func enroll(_ finger: Finger, _ report: @escaping (EnrollingReport) -> Void)
    func stopEnrolling()
    /// Forgets one finger, or all. Answers once, later: nil if they are gone.
    func forget(_ finger: Finger?, _ answer: @escaping (EnrollingFailure?) -> Void)
}

/// The result of checking a typed passcode.
public enum PasscodeVerdict: Sendable, Hashable {
    /// It opened the passcode slot.
    case right
    case wrong
    /// The slot could not be tried: nothing is counted.
    case failed
    /// The account takes this password, but the slot is still under an earlier one: nothing is opened, nothing is counted.
    case changedElsewhere
    /// It is the account's password, and has expired: nothing is opened, nothing is counted.
    case expired
    /// The account may not be used: nothing is opened, nothing is counted.
    case locked
    /// The hardware that counts guesses has had too many and takes none for a while: nothing is counted here.
    case waits

    /// What the system's judge of passwords says.
    public init(_ verdict: AccountVerdict) {
        switch verdict {
        case .right: self = .right
        case .wrong: self = .wrong
        case .expired: self = .expired
        case .locked: self = .locked
        case .unavailable: self = .failed
        }
    }
}

/// Keeps the passcode slot.
public protocol Passcode: AnyObject {
    var isSet: Bool { get }
    /// Where the passcode in the slot comes from.
    var source: PasscodeSource { get }
    /// Whether the passcode was given since the device started, so that the classes it protects are available.
    var wasGiven: Bool { get }
    var hasRecoveryCode: Bool { get }
    /// Tries the slot, and leaves it open if the passcode is right; answers once, later.
    func check(_ passcode: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void)
    /// Replaces the passcode that was just given, if there is one, by a new one. Answers once, later, whether it is on disk.
    func set(_ passcode: SecretBytes, from source: PasscodeSource, _ answer: @escaping (Bool) -> Void)
    /// Removes the passcode, and with it everything sealed under it.
    func remove() throws
    /// A new recovery code; the earlier one is void.
    func makeRecoveryCode() throws -> SecretBytes
    /// Opens the recovery slot, so that a new passcode can be set; answers once, later.
    func checkRecoveryCode(_ code: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void)
    /// Forgets the keys the passcode opens, until it is given again.
    func dropKeys()
    /// Whether a login by finger opens what the passcode protects until the first unlock.
    var opensAtLogin: Bool { get }
    /// Whether such a login did, and the passcode hasn't been given since.
    var wasOpenedAtLogin: Bool { get }
    /// Has logins by finger open it from now on, or no longer. The passcode was just given. Answers once, later.
    func setOpensAtLogin(_ opens: Bool, _ answer: @escaping (Result<Void, KeychainFailure>) -> Void)
    /// The owner logs in by finger; answers once, later, whether that opened it.
    func openAtLogin(_ answer: @escaping (Bool) -> Void)
    /// Forgets what such a login opened, unless the passcode was given since.
    func shutAtLogin()
}

/// Where there is no chip, nothing but the passcode can open it.
extension Passcode {
    public var opensAtLogin: Bool { false }
    public var wasOpenedAtLogin: Bool { false }
    public func setOpensAtLogin(_ opens: Bool, _ answer: @escaping (Result<Void, KeychainFailure>) -> Void) {
        answer(opens ? .failure(.custodianAbsent) : .success(()))
    }
    public func openAtLogin(_ answer: @escaping (Bool) -> Void) { answer(false) }
    public func shutAtLogin() {}
}

/// The system's own judge of account passwords.
public protocol AccountPassword: AnyObject {
    /// Has a password judged; answers once, later. A question that comes before that is answered through its closure; nil ends
    /// it.
    func check(
        _ password: SecretBytes, asking: @escaping (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void,
        _ answer: @escaping (AccountVerdict) -> Void)
}

/// Other machines of the owner's that say yes for this one.
public protocol Companions: AnyObject {
    /// The names of those that can be asked now, as the owner knows them. One question goes to all of them.
    var near: [String] { get }
    /// Changes when a pairing is made or removed; nil if nothing is paired.
    var digest: [UInt8]? { get }
    /// Grows when a pairing is removed: what a companion said before counts no more.
    var revision: UInt64 { get }
    /// Asks them all, and reports until the first yes, until none is left, or until it is told to stop. One question at a time: a new one
    /// takes the earlier one back.
    func ask(_ question: CompanionQuestion, _ report: @escaping (CompanionReport) -> Void)
    func stop()
}

/// What a person did at a prompt, and what the prompt says about itself. There is no "approved": only a sensor or the passcode slot can say
/// that.
public enum PromptAnswer: Sendable {
    /// Its process has come and waits for its turn. Said once, first.
    case stands(PromptSpot)
    /// Its first content is on the screen.
    case shown
    /// The owner is doing something there: typing a passcode.
    case acts
    case typed(SecretBytes)
    case cancel
    case fallback
    /// The owner refuses everything that this program asks, now and for a while.
    case dismissProgram
    /// The prompt was taken away by something else (its process died or stopped, the session locked).
    case interrupted
    /// There is nowhere to show a prompt.
    case unavailable
}

/// Where a person is asked.
public protocol Prompt: AnyObject {
    /// Calls for the prompt's process. Nothing is on the screen before the first `show`.
    func summon(_ answer: @escaping (PromptAnswer) -> Void)
    /// Tells a waiting prompt how many programs are asked before it.
    func wait(behind programs: Int)
    func show(_ content: PromptContent)
    func dismiss(_ ending: PromptEnding)
}

/// Makes prompts, and lets a prompt's own process join the prompt that it was started for.
public protocol PromptSource: AnyObject {
    /// A prompt for a caller. `offer` tells the caller's client that a prompt with this ticket is wanted.
    func makePrompt(for caller: Caller, offer: @escaping ([UInt8]) -> Void) -> any Prompt
    /// A prompt's process presents its ticket. What it says goes to the returned function. nil if the ticket isn't good.
    func attach(_ screen: any PromptScreen, ticket: [UInt8], uid: UInt32, at spot: PromptSpot) -> ((PromptWord) -> Void)?
    /// The client could start no prompt for this ticket.
    func refuse(ticket: [UInt8], uid: UInt32)
    /// Tells an agent of all prompts of one user's session from now on. Returns false if that session has an agent already.
    func register(_ agent: any PromptAgent, uid: UInt32, session: String) -> Bool
    /// Whether an agent shows prompts where the caller's user sits.
    func hasAgent(for caller: Caller) -> Bool
    /// The agent can show no prompt for this ticket.
    func decline(ticket: [UInt8], by agent: any PromptAgent)
    /// The agent is gone.
    func unregister(_ agent: any PromptAgent)
}

/// What a prompt's process says.
public enum PromptWord: Sendable {
    /// It was let in and knows it. From now on it can be given contents.
    case welcomed
    /// The first content is on the screen.
    case shown
    /// It is still there, and whether its owner did something at it since it last said so.
    case here(acts: Bool)
    case typed(SecretBytes)
    case cancelled
    case fallback
    case dismissProgram
    /// Its connection is closed.
    case gone
}

/// A process that shows prompts in a window, as the daemon talks to it.
public protocol PromptAgent: AnyObject {
    /// A prompt with this ticket is wanted.
    func want(ticket: [UInt8])
}

/// A prompt's process, as the daemon talks to it.
public protocol PromptScreen: AnyObject {
    func wait(behind programs: Int)
    func show(_ content: PromptContent)
    func dismiss(_ ending: PromptEnding)
}

/// Where the owner is: whether a touch could be the owner's, and meant for what a prompt shows.
public protocol OwnerSeat: AnyObject {
    /// Whether a touch may count for what this caller asks, if its prompt is where it should be.
    func mayTouch(for caller: Caller) -> Bool
    /// Where a prompt is that a process of this user's shows.
    func spot(of pid: Int32, uid: UInt32, on surface: PromptSurface) -> PromptSpot
    /// Whether a touch counts at this moment for a prompt at this spot.
    func counts(_ spot: PromptSpot, for uid: UInt32) -> Bool
    /// Whether a process is in no session that the login manager knows.
    func isOutsideSessions(_ pid: Int32) -> Bool
    /// The text console on which a process of the system's login asks before there is a session; nil if it asks elsewhere.
    func loginConsole(of pid: Int32) -> String?
}

/// Keeps the counters of misses where a restart can't lose them.
public protocol AttemptLedger: AnyObject {
    var attempts: Attempts { get }
    /// Returns only once the new state is on disk.
    func commit(_ attempts: Attempts) throws
}

/// The time, as an injected clock. It only moves forward and doesn't follow changes of the wall clock.
public protocol HouseClock: AnyObject {
    /// Seconds since some fixed moment of this boot.
    var now: Double { get }
    /// Seconds since the reference date, for showing and for dates on items.
    var date: Double { get }
    /// Calls back once after that many of its seconds.
    func after(_ seconds: Double, _ body: @escaping () -> Void)
}
