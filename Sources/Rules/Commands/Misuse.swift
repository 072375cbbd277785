import ThumbAccess

/// Why a command line couldn't be understood.
public struct Misuse: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case unknownCommand(String)
        case unknownOption(String)
        case givenTwice(String)
        case takesNoValue(String)
        case needsValue(String, String)
        case notAChoice(String, [String])
        case notANumber(String, ClosedRange<Int>)
        case notSeconds(String)
        case notAbsolute(String)
        case missing(String)
        /// The surplus word isn't repeated, because it may be a secret in the wrong place.
        case tooMuch(String?)
        case programWithoutDashes
    }

    public let kind: Kind
    /// The words that lead to the command that was reached.
    public let path: [String]
    /// What was most likely meant instead of an unknown word, as it would be typed.
    public let meant: [String]

    public init(_ kind: Kind, _ path: [String], meant: [String] = []) {
        (self.kind, self.path, self.meant) = (kind, path, meant)
    }

    /// What is wrong, as a sentence.
    public var message: String {
        switch kind {
        case .unknownCommand(let word): "There is no command '\(SafeText(word, limit: 40))'."
        case .unknownOption(let word): "There is no option '\(SafeText(word, limit: 40))'."
        case .givenTwice(let flag): "\(flag) can be given only once."
        case .takesNoValue(let flag): "\(flag) takes no value."
        case .needsValue(let flag, let name): "\(flag) needs a value: \(name)."
        case .notAChoice(let place, let choices): "\(place) must be one of: \(choices.joined(separator: ", "))."
        case .notANumber(let place, let range):
            "\(place) must be a number from \(range.lowerBound) to \(range.upperBound)."
        case .notSeconds(let place): "\(place) must be a number of seconds."
        case .notAbsolute(let place): "\(place) must be an absolute path."
        case .missing(let name): "\(name) is missing."
        case .tooMuch(let words): words ?? "The line has more words than the command takes."
        case .programWithoutDashes: "The program to run must follow '--'."
        }
    }

    /// What to do about it, as a sentence.
    public var advice: String {
        guard let last = meant.last else { return Self.advice(path) }
        let others = meant.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return "Did you mean \(others.isEmpty ? "" : others + " or ")'\(last)'? " + Self.advice(path)
    }

    /// Where to read about a command, as a sentence.
    public static func advice(_ path: [String]) -> String { "Run '\(path.joined(separator: " ")) --help' to see how it is used." }
}

/// Why a program can't do what a line asks although it was understood: a sentence.
public struct LineProblem: Error, Sendable, Hashable {
    public let message: String

    public init(_ message: String) { self.message = message }
}
