/// A word after a command's name that isn't an option.
public struct Operand: Sendable, Hashable {
    public enum Extent: Sendable, Hashable {
        case one
        /// One word, which may be left out.
        case optional
        /// One word or more.
        case several
        /// Any number of words.
        case any
        /// Another program and its arguments: everything after `--`, unchanged.
        case program
    }

    public let value: Value
    public let help: String
    public let extent: Extent

    public init(_ value: Value, _ help: String, _ extent: Extent = .one) {
        (self.value, self.help, self.extent) = (value, help, extent)
    }

    public var name: String { value.name }

    var isNeeded: Bool { extent == .one || extent == .several || extent == .program }
    var takesMany: Bool { extent == .several || extent == .any || extent == .program }
}

/// A word that begins with two dashes.
public struct Option: Sendable, Hashable {
    public let name: String
    /// The same as one letter after one dash: `-h`; nil if there is none.
    public let short: String?
    public let help: String
    /// nil: a flag.
    public let value: Value?
    /// Whether it may be given more than once.
    public let isRepeatable: Bool
    /// Whether only the parser knows it, and help doesn't show it.
    public let isHidden: Bool

    public init(
        _ name: String, _ help: String, _ value: Value? = nil, isRepeatable: Bool = false, isHidden: Bool = false,
        letter: Character? = nil
    ) {
        (self.name, self.help, self.value) = (name, help, value)
        short = letter.map { "-\($0)" }
        (self.isRepeatable, self.isHidden) = (isRepeatable, isHidden)
    }

    public var flag: String { "--" + name }
    /// The option as help shows it: `--label LABEL`, or `--help, -h`.
    public var shown: String { flag + (value.map { " " + $0.name } ?? "") + (short.map { ", " + $0 } ?? "") }

    public static let help = Option("help", "explain how to use the command", letter: "h")
    public static let version = Option("version", "print the version", letter: "V")
}

/// What an operand or option accepts, under its name in help.
public enum Value: Sendable, Hashable {
    case text(String)
    case file(String, isAbsolute: Bool = false)
    case folder(String, isAbsolute: Bool = false)
    case choice(String, [String])
    case number(String, ClosedRange<Int>)
    /// A time of any length, with or without a fraction.
    case seconds(String)
    /// The name of something that exists. Shells complete it with what `names KIND` prints, a command of the program's own
    /// (`Command.names`). With `afterEquals` the name stands behind the first `=` of the word.
    case listed(String, kind: String, afterEquals: Bool = false)

    public var name: String {
        switch self {
        case .text(let name), .file(let name, _), .folder(let name, _), .choice(let name, _), .number(let name, _),
            .seconds(let name), .listed(let name, _, _):
            name
        }
    }

    public var choices: [String] { if case .choice(_, let choices) = self { choices } else { [] } }

    /// What is wrong with a word in this place, which the line calls `place`; nil if nothing is wrong.
    func objection(to word: String, at place: String) -> Misuse.Kind? {
        switch self {
        // Whether there is such a thing is for the command to find out.
        case .text, .listed: return nil
        case .file(_, let isAbsolute), .folder(_, let isAbsolute):
            return isAbsolute && !word.hasPrefix("/") ? .notAbsolute(place) : nil
        case .choice(_, let choices): return choices.contains(word) ? nil : .notAChoice(place, choices)
        case .number(_, let range):
            if let number = Int(word), range.contains(number) { return nil }
            return .notANumber(place, range)
        case .seconds:
            if let seconds = Double(word), seconds.isFinite, seconds >= 0 { return nil }
            return .notSeconds(place)
        }
    }
}
