/// A command line that was understood: what was given to its command.
public struct Invocation: Sendable {
    /// The words that lead to the command, from the program's name on: `thumbturn secret add`.
    public internal(set) var path: [String]
    public internal(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []
    /// Where options were set that the line doesn't have, by their names.
    private var places: [String: String] = [:]

    init(_ path: [String]) { self.path = path }

    /// Whether an option was given.
    public func has(_ option: Option) -> Bool { flags.contains(option.name) || values[option.name] != nil }

    /// An option's value; the first one if it was repeated.
    public func value(_ option: Option) -> String? { values[option.name]?.first }

    /// A repeatable option's values, in order.
    public func values(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// The value of an option that takes a number. Parsing has made sure that it is one.
    public func number(_ option: Option) -> Int? { value(option).flatMap { Int($0) } }

    /// The value of an option that takes a time. Parsing has made sure that it is one.
    public func seconds(_ option: Option) -> Double? { value(option).flatMap { Double($0) } }

    /// What a message calls the place where an option's value stands: its flag, a variable, or a line of a file.
    public func place(of option: Option) -> String { places[option.name] ?? option.flag }

    /// What a flag may be set to besides the line.
    static let words = ["yes", "no"]

    /// Takes a value that was set elsewhere. It has been checked.
    mutating func take(_ option: Option, _ value: String, from place: String) {
        places[option.name] = place
        if option.value != nil {
            values[option.name] = [value]
        } else if value == Self.words[0] {
            flags.insert(option.name)
        }
    }

    mutating func give(_ option: Option, _ value: String?) throws(Misuse) {
        if has(option) && !option.isRepeatable { throw Misuse(.givenTwice(option.flag), path) }
        if let value { values[option.name, default: []].append(value) } else { flags.insert(option.name) }
    }
}
