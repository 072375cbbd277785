import ThumbCommands

/// `--field`, which names a field of a secret.
enum FieldOption {
    /// For the command that reads one.
    static let option = Option("field", "only this field of the secret", .text("FIELD"))
    /// For the commands that write them.
    static let several = Option(
        option.name, "a field to keep, instead of the whole secret; several are kept together", .text("FIELD"), isRepeatable: true
    )

    /// The one field that the line names; nil if it names none.
    static func one(_ invocation: Invocation) throws(Failure) -> String? {
        guard let name = invocation.value(option) else { return nil }
        try check(name, invocation)
        return name
    }

    /// All fields that the line names, in order.
    static func all(_ invocation: Invocation) throws(Failure) -> [String] {
        let names = invocation.values(several)
        for (place, name) in names.enumerated() {
            try check(name, invocation)
            if names[..<place].contains(name) { throw .usage(.fieldTwice(name), invocation.path) }
        }
        return names
    }

    private static func check(_ name: String, _ invocation: Invocation) throws(Failure) {
        guard Fields.isName(name) else { throw .usage(.fieldName, invocation.path) }
    }
}
