public import ThumbAccess
public import ThumbSecrets

// A prompt on its way to the screen, what it shows, and what its owner does there.

/// To the app: the call waits until a prompt has come with this ticket.
public struct PromptNeeded: Word {
    public static let wireKind = WordKind.promptNeeded
    public var isLast: Bool { false }

    public let ticket: [UInt8]

    public init(ticket: [UInt8]) { self.ticket = ticket }
    public func encode(to encoder: inout Encoder) { encoder.put(ticket) }
    public init(from decoder: inout Decoder) throws(Refusal) { ticket = try decoder.value() }
}

/// The same, to a caller in a graphical session at this machine.
public struct WindowNeeded: Word {
    public static let wireKind = WordKind.windowNeeded
    public var isLast: Bool { false }

    public let ticket: [UInt8]

    public init(ticket: [UInt8]) { self.ticket = ticket }
    public func encode(to encoder: inout Encoder) { encoder.put(ticket) }
    public init(from decoder: inout Decoder) throws(Refusal) { ticket = try decoder.value() }
}

/// To an agent: show a prompt for this ticket.
public struct PromptWanted: Word {
    public static let wireKind = WordKind.promptWanted
    public var isLast: Bool { false }

    public let ticket: [UInt8]

    public init(ticket: [UInt8]) { self.ticket = ticket }
    public func encode(to encoder: inout Encoder) { encoder.put(ticket) }
    public init(from decoder: inout Decoder) throws(Refusal) { ticket = try decoder.value() }
}

/// From the app or an agent: no prompt can be shown for this ticket.
public struct PromptUnavailable: Word {
    public static let wireKind = WordKind.promptUnavailable

    public let ticket: [UInt8]

    public init(ticket: [UInt8]) { self.ticket = ticket }
    public func encode(to encoder: inout Encoder) { encoder.put(ticket) }
    public init(from decoder: inout Decoder) throws(Refusal) { ticket = try decoder.value() }
}

// MARK: What is to be seen

/// It is this prompt's turn, and this is what it shows its owner.
extension PromptContent: Word {
    public static let wireKind = WordKind.show
    public var isLast: Bool { false }

    public func encode(to encoder: inout Encoder) {
        encoder.put(purpose, program, words, words.areOurs, signIn, polkit, listening)
        encoder.put(acceptsPasscode, offersFallback, notice, passcodeWait, waiting, companion)
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            purpose: try decoder.value(), program: try decoder.value(), words: try Self.words(from: &decoder),
            signIn: try decoder.value(), polkit: try decoder.value(), listening: try decoder.value(),
            acceptsPasscode: try decoder.value(), offersFallback: try decoder.value(), notice: try decoder.value(),
            passcodeWait: try decoder.value())
        waiting = try decoder.value()
        companion = try decoder.value()
    }

    private static func words(from decoder: inout Decoder) throws(Refusal) -> PromptWords {
        let words = try decoder.value(PromptWords.self)
        guard try decoder.value() else { return words }
        // The daemon's own prompts have the usual titles.
        guard words.fallbackTitle == nil, words.cancelTitle == nil else { throw .malformed }
        return PromptWords(ours: words.reason)
    }
}

extension CompanionWords: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .asksFrom(let machine): encoder.put(UInt8(1), machine)
        case .mayAnswer(let names): encoder.put(UInt8(2), names)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .asksFrom(machine: try decoder.value())
        case 2: self = .mayAnswer(try decoder.value())
        default: throw .malformed
        }
    }
}

extension ProgramWords: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(kind, name, path, place, claim, runs, process) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            kind: try decoder.value(), name: try decoder.value(), path: try decoder.value(), place: try decoder.value(),
            claim: try decoder.value(), runs: try decoder.value(), process: try decoder.value())
    }
}

extension ProgramWords.Runs: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .named(let name): encoder.put(UInt8(1), name)
        case .commands: encoder.put(UInt8(2))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .named(try decoder.value())
        case 2: self = .commands
        default: throw .malformed
        }
    }
}

extension PromptNotice: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .missed(let left): encoder.put(UInt8(1), UInt8(clamping: left))
        case .retry(let hint): encoder.put(UInt8(2), hint)
        case .wrongPasscode: encoder.put(UInt8(3))
        case .passcodeUnchecked: encoder.put(UInt8(4))
        case .biometryLocked: encoder.put(UInt8(5))
        case .passcodesDiffer: encoder.put(UInt8(6))
        case .passcodeTooShort(let least): encoder.put(UInt8(7), UInt8(clamping: least))
        case .question(let question): encoder.put(UInt8(8), question)
        case .accountPasswordChanged: encoder.put(UInt8(9))
        case .accountPasswordExpired: encoder.put(UInt8(10))
        case .accountLocked: encoder.put(UInt8(11))
        case .passcodeWaits: encoder.put(UInt8(12))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .missed(attemptsLeft: Int(try decoder.value(UInt8.self)))
        case 2: self = .retry(try decoder.value())
        case 3: self = .wrongPasscode
        case 4: self = .passcodeUnchecked
        case 5: self = .biometryLocked
        case 6: self = .passcodesDiffer
        case 7: self = .passcodeTooShort(least: Int(try decoder.value(UInt8.self)))
        case 8: self = .question(try decoder.value())
        case 9: self = .accountPasswordChanged
        case 10: self = .accountPasswordExpired
        case 11: self = .accountLocked
        case 12: self = .passcodeWaits
        default: throw .malformed
        }
    }
}

/// To a prompt whose turn hasn't come: how many programs are before it.
public struct WaitBehind: Word {
    public static let wireKind = WordKind.wait
    public var isLast: Bool { false }

    public let programs: UInt16

    public init(programs: UInt16) { self.programs = programs }
    public func encode(to encoder: inout Encoder) { encoder.put(programs) }
    public init(from decoder: inout Decoder) throws(Refusal) { programs = try decoder.value() }
}

/// The prompt's turn is over.
extension PromptEnding: Word, WireChoice {
    public static let wireKind = WordKind.dismiss
    public var isLast: Bool { false }
}

// MARK: What its owner does

/// A prompt's first content is on the screen.
public struct Shown: BareWord {
    public static let wireKind = WordKind.shown
    public init() {}
}

/// A prompt is still there.
public struct Here: Word {
    public static let wireKind = WordKind.here

    /// Whether its owner did something at it since the last such word.
    public let acts: Bool

    public init(acts: Bool) { self.acts = acts }
    public func encode(to encoder: inout Encoder) { encoder.put(acts) }
    public init(from decoder: inout Decoder) throws(Refusal) { acts = try decoder.value() }
}

/// What the owner typed.
public struct Typed: Word {
    public static let wireKind = WordKind.typed

    public let passcode: SecretBytes

    public init(_ passcode: SecretBytes) { self.passcode = passcode }
    public func encode(to encoder: inout Encoder) { encoder.put(passcode) }
    public init(from decoder: inout Decoder) throws(Refusal) { passcode = try decoder.value() }
}

/// The owner cancelled.
public struct Cancelled: BareWord {
    public static let wireKind = WordKind.cancelled
    public init() {}
}

/// The owner chose the app's fallback.
public struct Fallback: BareWord {
    public static let wireKind = WordKind.fallback
    public init() {}
}

/// The owner wants no more prompts of this prompt's program for now.
public struct DismissProgram: BareWord {
    public static let wireKind = WordKind.dismissProgram
    public init() {}
}
