import CThumbLinux
import ThumbAccess
import ThumbCommands

/// Under which rule a tool's new secrets are kept: as the line says, or else as variables of the environment do, for tools that start their
/// helper without options.
struct StoringTerms: Sendable {
    static let options = [Protection.option, Protection.classOption, Protection.staysHereOption]
    static let variables: [(name: String, meaning: String)] = settings.map {
        ($0.variable, "The same as --\($0.option.name) for what a tool keeps through its helper.")
    }

    private static let settings: [(variable: String, option: Option)] = [
        ("THUMBTURN_PROTECT", Protection.option), ("THUMBTURN_CLASS", Protection.classOption),
    ]

    let rule: AccessRule
    /// Whether anybody said anything about the rule, which then also replaces an older one.
    let isGiven: Bool

    init(_ invocation: Invocation) throws(Failure) {
        var values: [String: String] = [:]
        for (variable, option) in Self.settings {
            let set = unsafe getenv(variable).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
            if let set, let choices = option.value?.choices, !choices.contains(set) {
                throw .misuse(Misuse(.notAChoice(variable, choices), invocation.path))
            }
            values[option.name] = invocation.value(option) ?? set
        }
        isGiven = !values.isEmpty || invocation.has(Protection.staysHereOption)
        rule = try Protection.rule(
            values[Protection.option.name] ?? "presence", values[Protection.classOption.name] ?? "when-unlocked",
            staysHere: invocation.has(Protection.staysHereOption))
    }
}
