import ThumbAccess

/// Where a program's options can be set besides its command line: in variables of the environment, and in a file. The line goes before the
/// variables, and these before the file.
///
/// Every option of the program itself is a setting, with the same name and the same values. A flag is `yes` or `no`.
public struct SettingPlaces: Sendable {
    /// The option that names the file. It can be a variable, but not a line of a file.
    public let file: Option
    /// The file that is read if none is named.
    public let usualFile: String
    /// The beginning of every variable's name.
    let prefix: String

    public init(file: Option, usualFile: String, prefix: String) {
        (self.file, self.usualFile, self.prefix) = (file, usualFile, prefix)
    }

    /// The variable that sets an option.
    func variable(_ option: Option) -> String {
        prefix + String(option.name.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    /// The line of a file that sets an option, with the name of its value.
    func line(_ option: Option) -> String { "\(option.name) = \(option.value?.name ?? "yes or no")" }
}

/// A value that an option has, and where it was set, in words for a message.
private struct Setting {
    let value: String
    let place: String
}

extension Program {
    /// The file of settings that the line or a variable names; nil if none does.
    public func settingsFile(_ given: Invocation, variable: (String) -> String?) -> String? {
        guard let settings else { return nil }
        return given.value(settings.file) ?? Self.value(of: settings.file, variable, settings)?.value
    }

    /// The line, with what variables and the file's text set and the line doesn't.
    ///
    /// Fails with a sentence that names the place. Nothing that is wrong is passed over, in the file not even a line for an option that was
    /// set elsewhere. A variable for no option is ignored, because the environment is everybody's.
    public func completed(
        _ given: Invocation, variable: (String) -> String?, file: [UInt8]?, named name: String
    ) throws(LineProblem) -> Invocation {
        guard let settings else { return given }
        let options = overview.settable
        let lines = try file.map { text throws(LineProblem) in try Self.lines(text, named: name, options) } ?? [:]
        var whole = given
        for option in options {
            let set = Self.value(of: option, variable, settings) ?? lines[option.name]
            guard let set else { continue }
            try Self.check(set, option)
            if !given.has(option) { whole.take(option, set.value, from: set.place) }
        }
        for option in options { if let line = lines[option.name] { try Self.check(line, option) } }
        return whole
    }

    /// An empty variable is none.
    private static func value(of option: Option, _ variable: (String) -> String?, _ settings: SettingPlaces) -> Setting? {
        let name = settings.variable(option)
        return variable(name).flatMap { $0.isEmpty ? nil : Setting(value: $0, place: name) }
    }

    private static func check(_ set: Setting, _ option: Option) throws(LineProblem) {
        guard let kind = option.value else {
            guard Invocation.words.contains(set.value) else { throw LineProblem("\(set.place) must be yes or no.") }
            return
        }
        if let objection = kind.objection(to: set.value, at: set.place) { throw LineProblem(Misuse(objection, []).message) }
    }

    /// The settings of a file, by their options' names: a line for each, `name = value`, and comments after `#` on lines of their own.
    private static func lines(
        _ text: [UInt8], named file: String, _ options: [Option]
    ) throws(LineProblem) -> [String: Setting] {
        guard let text = String(validating: text, as: UTF8.self) else { throw LineProblem("\(file) isn't UTF-8.") }
        var found: [String: Setting] = [:]
        for (number, line) in zip(1..., text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)) {
            let line = trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let place = "\(file), line \(number)"
            guard let equals = line.firstIndex(of: "=") else { throw LineProblem("\(place), isn't NAME = VALUE.") }
            let name = trimmed(line[..<equals])
            guard let option = options.first(where: { $0.name == name }) else {
                throw LineProblem("\(place): there is no setting '\(SafeText(String(name), limit: 40))'.")
            }
            guard found[option.name] == nil else { throw LineProblem("\(place): \(option.name) is set already.") }
            let value = trimmed(line[line.index(after: equals)...])
            found[option.name] = Setting(value: String(value), place: "\(option.name) (\(place))")
        }
        return found
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension Overview {
    /// The options that can be set besides the line.
    var settable: [Option] {
        guard let settings else { return [] }
        return places[0].listedOptions.filter { ![settings.file, .help, .version].contains($0) }
    }

    /// What help says of them.
    var settingsHelp: [String] {
        guard let settings, let first = settable.first(where: { $0.value != nil }) else { return [] }
        let text =
            "Each option is also a setting: `\(settings.line(first))` in \(settings.usualFile), or `\(settings.variable(first))` in the "
            + "environment. The command line overrides the environment, and the environment overrides the file."
        return Prose.wrapped(text, indent: 0) + [""]
    }

    /// The man page of the file.
    var settingsPage: FurtherPage? {
        guard let settings else { return nil }
        let rows = settable.map { option in
            (settings.line(option), "\(Help.described(option.help, option.value)) (`\(settings.variable(option))`)")
        }
        return FurtherPage(
            "\(name)-settings", section: 5, "settings of \(name)", synopsis: [settings.usualFile],
            paragraphs: [
                "Each line is `NAME = VALUE`. Names and values are those of \(name)'s options; a flag is `yes` or `no`. Empty lines and "
                    + "lines that begin with `#` mean nothing. Anything else is an error, so that no setting is passed over.",
                "Each setting can also be a variable of the environment, named in parentheses below; an empty one isn't set. The command "
                    + "line overrides the environment, and the environment overrides the file.",
                "`\(settings.file.flag)` or `\(settings.variable(settings.file))` names another file. The file must belong to root or to the "
                    + "user who runs the program, and nobody else may write it.",
            ], lists: [("SETTINGS", rows)], seeAlso: ["\(name)(\(manual.section))"])
    }
}
