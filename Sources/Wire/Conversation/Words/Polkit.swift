public import ThumbAccess

// What polkit's agent says. The password that is typed for it is checked with the words of a helper: the agent runs polkit's own.

/// Has the owner asked for what polkit wants: for a finger, if it is the owner's word that polkit wants, or for the account's password.
public struct AskForPolkit: Call {
    public static let wireKind = WordKind.askForPolkit
    public typealias Reply = EvaluationReply
    public typealias Failure = Never

    /// The account whose word polkit wants.
    public let uid: UInt32
    public let words: PolkitWords
    /// Whether a finger may answer. It can't where PAM asks for none.
    public let takesFinger: Bool

    public init(uid: UInt32, _ words: PolkitWords, takesFinger: Bool) {
        (self.uid, self.words, self.takesFinger) = (uid, words, takesFinger)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(uid, words, takesFinger) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(uid: try decoder.value(), try decoder.value(), takesFinger: try decoder.value())
    }
}

/// Lends the owner's touch to the process that runs PAM for polkit, where our module asks for it. The answer says whether there was one.
public struct LendTouch: Call {
    public static let wireKind = WordKind.lendTouch
    public typealias Reply = Flag
    public typealias Failure = Never

    public let process: UInt32

    public init(to process: UInt32) { self.process = process }
    public func encode(to encoder: inout Encoder) { encoder.put(process) }
    public init(from decoder: inout Decoder) throws(Refusal) { process = try decoder.value() }
}

extension PolkitWords: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(action, message, vendor, icon, command, asker)
        encoder.put(details, account, isKept, isWhole)
    }
    public init(from decoder: inout Decoder) throws(Refusal) {
        let (action, message): (ExactName, String) = (try decoder.value(), try decoder.value())
        let (vendor, icon): (String?, String?) = (try decoder.value(), try decoder.value())
        let (command, asker): (String?, String?) = (try decoder.value(), try decoder.value())
        let details: [Detail] = try decoder.value()
        let account: ExactName = try decoder.value()
        let (isKept, isWhole): (Bool, Bool) = (try decoder.value(), try decoder.value())
        self.init(
            action: action, message: message, vendor: vendor, icon: icon, command: command, asker: asker, details: details,
            account: account, isKept: isKept, isWhole: isWhole)
        // What is longer than what is shown, or names no icon, comes from nobody who has words of polkit's.
        guard
            (self.action, self.message, self.account, self.isWhole) == (action, message, account, isWhole),
            (self.vendor, self.icon, self.command, self.asker, self.details) == (vendor, icon, command, asker, details)
        else { throw .malformed }
    }
}

extension PolkitWords.Detail: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(name, value) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), try decoder.value()) }
}
