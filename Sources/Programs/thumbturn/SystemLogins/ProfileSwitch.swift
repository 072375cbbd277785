import CThumbLinux
import ThumbCommands

/// Why a profile's use isn't changed.
enum ProfileFailure: Error, Sendable {
    /// The command that needs root.
    case notRoot(String)
    /// A choice that root can't make for others; and one that needs root's first.
    case eachUsersOwn, loginIsOff
    case userMode
    case noTool, noProfile
    /// A service whose file doesn't include what all have in common.
    case stranger(String)
    case noCopy
    case toolFailed
    /// Whether the profile was to be used.
    case notUpdated(isUsed: Bool)
    /// A service whose own file names our module, or fprintd's.
    case writtenByHand(String), fprintdByHand(String)
    case recordNotWritten, recordNotRemoved
}

/// A machine where one of our profiles is in use, or isn't.
struct ProfileSwitch {
    let profile: PAMProfile
    private let isSystemMode: Bool
    private let pam: CommonPAM
    /// The command, for whoever has to run it again as root.
    private let command: String

    static let root = Option("root", "work on a system that lies in this folder", .folder("FOLDER"))

    init(_ profile: PAMProfile, _ invocation: Invocation) throws(Failure) {
        try self.init(profile, root: invocation.value(Self.root), command: invocation.path.joined(separator: " "))
    }

    init(_ profile: PAMProfile, root: String?, command: String) throws(Failure) {
        let machine = try ModeSwitch(root: root)
        (self.profile, self.command) = (profile, command)
        (isSystemMode, pam) = (machine.isOn, CommonPAM(root: machine.root))
    }

    // MARK: Looking

    private var isOn: Bool { pam.uses(profile) || pam.writtenByHand(profile) != nil }
    private var waitsForFprintd: Bool { pam.usesFprintd || pam.fprintdByHand(profile) != nil }
    /// Whether a finger counts.
    var isInForce: Bool { isOn && isSystemMode && !waitsForFprintd }

    var state: Notice {
        if waitsForFprintd { return .waitForFprintd(profile) }
        if !isOn { return .takeNoFingers(profile) }
        return isSystemMode ? .takeFingers(profile) : .needSystemMode(profile)
    }

    /// What is said, and how it is here now.
    func outcome(_ notices: Notice..., facts: [(String, JSON)] = [], exit: Exit = .done) -> Outcome {
        outcome(notices, facts: facts, exit: exit)
    }

    func outcome(_ notices: [Notice], facts: [(String, JSON)], exit: Exit = .done) -> Outcome {
        let facts: [(String, JSON)] =
            [("isOn", .flag(isOn)), ("isInForce", .flag(isInForce)), ("waitsForFprintd", .flag(waitsForFprintd))] + facts
        return Outcome(lines: notices.map(\.text), json: .object([("\(profile)", .object(facts))]), exit: exit)
    }

    // MARK: Switching

    /// Switches a profile on or off as a command line says, and says how it is then.
    static func turn(_ profile: PAMProfile, on isWanted: Bool, _ invocation: Invocation) throws(Failure) -> Outcome {
        let machine = try ProfileSwitch(profile, invocation)
        try machine.turn(on: isWanted, isSure: invocation.has(Confirmation.force))
        return isWanted
            ? machine.outcome(.takeFingers(profile), .tryFingers(profile)) : machine.outcome(.takeNoFingers(profile))
    }

    private func turn(on isWanted: Bool, isSure: Bool) throws(Failure) {
        try failing { () throws(ProfileFailure) in try check(isWanted) }
        if pam.isDone(profile, isUsed: isWanted), !(isWanted && pam.usesFprintd) { return }
        guard pam.hasTool else { throw .profile(.noTool) }
        let changes = try failing { () throws(ProfileFailure) in try pam.preview(profile, isUsed: isWanted) }
        // It leaves alone what an administrator changed.
        guard !changes.isEmpty else { throw .profile(.notUpdated(isUsed: isWanted)) }
        for line in changes { Output.say(line) }
        if !isSure { try Confirmation.ask(.pamChanges) }
        try failing { () throws(ProfileFailure) in try pam.change(profile, isUsed: isWanted) }
    }

    private func check(_ isWanted: Bool) throws(ProfileFailure) {
        guard geteuid() == 0 else { throw .notRoot(command) }
        // What somebody wrote is theirs to remove. The profile beside it would ask a second time.
        if let service = pam.writtenByHand(profile) { throw .writtenByHand(service) }
        guard isWanted else { return }
        if let service = pam.fprintdByHand(profile) { throw .fprintdByHand(service) }
        guard isSystemMode else { throw .userMode }
        guard pam.has(profile) else { throw .noProfile }
        if let stranger = pam.stranger(profile) { throw .stranger(stranger) }
    }

    private func failing<Value>(_ step: () throws(ProfileFailure) -> Value) throws(Failure) -> Value {
        do throws(ProfileFailure) { return try step() } catch { throw .profile(error) }
    }
}
