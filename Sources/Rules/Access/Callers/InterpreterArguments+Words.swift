// Interpreters whose options are whole words.

extension InterpreterArguments {
    // MARK: Node

    private static let nodeOptions = [
        "--no-warnings", "--trace-warnings", "--no-deprecation", "--trace-deprecation", "--enable-source-maps", "--expose-gc",
        "--expose_gc", "--preserve-symlinks", "--preserve-symlinks-main", "--input-type=module", "--input-type=commonjs",
    ]
    private static let nodeValues = [
        "--max-old-space-size=", "--max_old_space_size=", "--stack-size=", "--unhandled-rejections=",
    ]

    static func node(_ words: [OptionWord]) -> Run {
        var text: [UInt8]?
        var rest = words[...]
        while let word = rest.first, word.isOption {
            rest = rest.dropFirst()
            if word.is("--") { break }
            if nodeOptions.contains(where: word.is) || nodeValues.contains(where: word.begins) { continue }
            var value: [UInt8]?
            if ["-e", "-p", "-pe", "--eval", "--print"].contains(where: word.is) {
                value = rest.popFirst()?.bytes
                // `-p -e TEXT` runs the text, and `-e` isn't it.
                if value?.first == UInt8(ascii: "-") { return .unknown }
            } else if let name = ["--eval=", "--print="].first(where: word.begins) {
                value = Array(word.bytes.dropFirst(name.utf8.count))
            }
            // Every option not listed, such as one that loads a module before the script, and a second text.
            guard let value, text == nil else { return .unknown }
            text = value
        }
        if let text { return .text(text) }
        guard let script = rest.first, !script.is("-") else { return .interactive }
        // These words are commands of its own.
        return ["inspect", "debug"].contains(where: script.is) ? .unknown : .script(script.bytes)
    }

    // MARK: Java

    private static let javaOptions = ["-server", "-client", "-ea", "-da", "-esa", "-dsa", "-enableassertions"]
    private static let javaSizes = ["-Xmx", "-Xms", "-Xss"]
    /// Properties with which the virtual machine, and not only the program, can be told to load something else.
    private static let javaProperties = ["java.", "javax.", "jdk.", "sun.", "com.sun."]

    static func java(_ words: [OptionWord]) -> Run {
        var rest = words[...]
        while let word = rest.popFirst(), word.isOption {
            if word.is("-jar") { return rest.first.map { .script($0.bytes) } ?? .unknown }
            if javaOptions.contains(where: word.is) || javaSizes.contains(where: word.begins) { continue }
            guard word.begins("-D"), !javaProperties.contains(where: { word.begins("-D" + $0) }) else { return .unknown }
        }
        // A class of the class path, which isn't one file.
        return .unknown
    }

    // MARK: PHP

    static func php(_ words: [OptionWord]) -> Run {
        var run: Run?
        var rest = words[...]
        while let word = rest.first, word.isOption {
            rest = rest.dropFirst()
            // What follows are the arguments of a text, or of what is sent to it.
            if word.is("--") { return run ?? .interactive }
            if word.is("-n") || word.is("-q") { continue }
            guard run == nil else { return .unknown }
            if word.is("-a") {
                run = .interactive
            } else if word.is("-r") || word.is("-f"), let value = rest.popFirst()?.bytes {
                run = word.is("-r") ? .text(value) : .script(value)
            } else {
                return .unknown
            }
        }
        if let run { return run }
        guard let script = rest.first, !script.is("-") else { return .interactive }
        return .script(script.bytes)
    }

    // MARK: Lua, GNOME's JavaScript, Tcl

    static func lua(_ words: [OptionWord]) -> Run {
        var lines: [[UInt8]] = []
        var rest = words[...]
        while let word = rest.first, word.isOption {
            rest = rest.dropFirst()
            if word.is("--") { break }
            if word.is("-E") || word.is("-W") { continue }
            guard word.begins("-e"), let line = word.bytes.count > 2 ? Array(word.bytes.dropFirst(2)) : rest.popFirst()?.bytes
            else { return .unknown }
            lines.append(line)
        }
        switch (lines.isEmpty, rest.first) {
        case (true, nil): return .interactive
        case (true, let script?): return script.is("-") ? .interactive : .script(script.bytes)
        case (false, nil): return .text(Array(lines.joined(separator: [0x0a])))
        // The text and the script both run.
        case (false, _?): return .unknown
        }
    }

    static func gjs(_ words: [OptionWord]) -> Run {
        var rest = words[...]
        while let word = rest.first, word.isOption {
            rest = rest.dropFirst()
            if word.is("-m") || word.is("--module") { continue }
            guard word.is("-c"), let text = rest.first, rest.count == 1 else { return .unknown }
            return .text(text.bytes)
        }
        guard let script = rest.first else { return .interactive }
        return script.is("-") ? .unknown : .script(script.bytes)
    }

    static func tclsh(_ words: [OptionWord]) -> Run {
        guard let script = words.first else { return .interactive }
        return script.bytes.first == UInt8(ascii: "-") ? .unknown : .script(script.bytes)
    }
}
