/// A command line that was understood: what was given to its command.
public struct Invocation: Sendable {
    /// The words that lead to the command, from the program's name on: `thumbturn secret add`.
    public internal(set) var path: [String]
    public internal(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

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

    mutating func give(_ option: Option, _ value: String?) throws(Misuse) {
        if has(option) && !option.isRepeatable { throw Misuse(.givenTwice(option.flag), path) }
        if let value { values[option.name, default: []].append(value) } else { flags.insert(option.name) }
    }
}
