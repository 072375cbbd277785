/// What an interpreter's command line says it runs.
///
/// Each family of interpreters has a reader of its own, which never guesses: an option that it doesn't know may take the next word as its
/// value, or name one more file to run. Then nobody knows what runs. Such a process has no identity, because any other answer would let a
/// stranger's script pass for the one that the owner agreed to.
public enum InterpreterArguments {
    /// What a command line says.
    public enum Run: Sendable, Hashable {
        /// The script in the file of that name, which may be relative to the process's folder.
        case script([UInt8])
        case text([UInt8])
        case module(ExactName)
        /// It runs what somebody types or sends to it.
        case interactive
        case unknown
    }

    /// - Parameters:
    ///   - arguments: all of the process's arguments, its own name first.
    ///   - program: the interpreter's path.
    public static func run(_ arguments: [[UInt8]], by program: ExactName) -> Run {
        guard let file = program.lastComponent, !arguments.isEmpty else { return .unknown }
        let words = arguments.dropFirst().map { OptionWord($0) }
        switch ProgramWords.interpreter(file) {
        case "python", "pypy", "pythonw": return python(words)
        case "bash": return shell(words, flags: "aefhmnuvxbCBEHPTlpr")
        case "sh", "dash": return shell(words, flags: "aefmnuvxbCEIVlp")
        case "ksh", "zsh": return shell(words, flags: "aefmnuvxl", takesOptionNames: false)
        case "busybox": return busybox(arguments)
        case "perl": return inline(words, text: "eE", flags: "wWtTnpasUf", numbered: "l0")
        case "ruby": return inline(words, text: "e", flags: "wvnpals", numbered: "W", long: rubyOptions)
        case "lua", "luajit": return lua(words)
        case "node", "nodejs": return node(words)
        case "java": return java(words)
        case "php": return php(words)
        case "gjs", "gjs-console": return gjs(words)
        case "tclsh": return tclsh(words)
        // No reader for it yet.
        default: return .unknown
        }
    }

    // MARK: Python

    private static func python(_ words: [OptionWord]) -> Run {
        var isInspecting = false
        var rest = words[...]
        options: while let word = rest.first, word.isOption {
            rest = rest.dropFirst()
            if word.is("--") { break }
            if word.is("--check-hash-based-pycs") {
                guard rest.popFirst() != nil else { return .unknown }
                continue
            }
            guard !word.isLong else { return .unknown }
            var letters = word.bytes.dropFirst()
            while let letter = letters.popFirst() {
                switch letter {
                case _ where "bBdEIOPqRsSuvx".utf8.contains(letter): break
                // What is typed or sent after the script runs as the script.
                case UInt8(ascii: "i"): isInspecting = true
                case UInt8(ascii: "W"), UInt8(ascii: "X"):
                    if letters.isEmpty { guard rest.popFirst() != nil else { return .unknown } }
                    continue options
                case UInt8(ascii: "c"), UInt8(ascii: "m"):
                    guard !isInspecting, let value = letters.isEmpty ? rest.first?.bytes : Array(letters) else { return .unknown }
                    if letter == UInt8(ascii: "c") { return .text(value) }
                    guard let text = String(validating: value, as: UTF8.self), ProgramIdentity.isModule(ExactName(text)) else {
                        return .unknown
                    }
                    return .module(ExactName(text))
                default: return .unknown
                }
            }
        }
        guard let script = rest.first, !script.is("-") else { return .interactive }
        return isInspecting ? .unknown : .script(script.bytes)
    }

    // MARK: Shells

    /// Names for `-o` that change nothing about what is run. In some shells one of the others makes it read its input instead.
    private static let shellOptions: Set<String> = [
        "allexport", "errexit", "monitor", "noclobber", "noglob", "notify", "nounset", "pipefail", "posix", "verbose", "xtrace",
    ]

    private static let longShellOptions = ["--norc", "--noprofile", "--posix", "--login", "--restricted", "--verbose"]

    private static func shell(_ words: [OptionWord], flags: StaticString, takesOptionNames: Bool = true) -> Run {
        var (hasText, readsInput, isInteractive) = (false, false, false)
        var rest = words[...]
        while let word = rest.first, word.isOption || word.bytes.first == UInt8(ascii: "+") || word.is("-") {
            rest = rest.dropFirst()
            if word.is("--") || word.is("-") { break }
            if longShellOptions.contains(where: word.is) { continue }
            // Bash takes its long options with one hyphen too, and these two would read like letters.
            guard !word.isLong, !word.is("-rcfile"), !word.is("-help") else { return .unknown }
            let isOff = word.bytes.first == UInt8(ascii: "+")
            for (place, letter) in word.bytes.dropFirst().enumerated() {
                switch letter {
                case _ where isOff && "csi".utf8.contains(letter): return .unknown
                case UInt8(ascii: "c"): hasText = true
                case UInt8(ascii: "s"): readsInput = true
                case UInt8(ascii: "i"): isInteractive = true
                case UInt8(ascii: "o"):
                    guard takesOptionNames, place == word.bytes.count - 2, let name = rest.popFirst(),
                        shellOptions.contains(where: name.is)
                    else { return .unknown }
                default: guard "\(flags)".utf8.contains(letter) else { return .unknown }
                }
            }
        }
        switch (hasText, readsInput, rest.first) {
        case (true, false, let text?): return .text(text.bytes)
        case (true, _, _): return .unknown
        case (false, true, _), (false, false, nil): return .interactive
        case (false, false, let script?): return isInteractive ? .unknown : .script(script.bytes)
        }
    }

    private static func busybox(_ arguments: [[UInt8]]) -> Run {
        func applet(_ word: [UInt8]) -> String? {
            ExactName(String(decoding: word.first == UInt8(ascii: "-") ? word.dropFirst() : word[...], as: UTF8.self))
                .lastComponent
        }
        var rest = arguments[...]
        if rest.first.flatMap(applet) == "busybox" { rest = rest.dropFirst() }
        guard let name = rest.popFirst().flatMap(applet), ["sh", "ash"].contains(name) else { return .unknown }
        return shell(rest.map { OptionWord($0) }, flags: "aefmnuvxbCEl")
    }

    // MARK: Perl and Ruby

    private static let rubyOptions = ["--disable-gems", "--disable=gems", "--yjit", "--jit"]

    /// Interpreters with letters in bundles, of which some bring a line of the text.
    private static func inline(
        _ words: [OptionWord], text: StaticString, flags: StaticString, numbered: StaticString, long: [String] = []
    ) -> Run {
        var lines: [[UInt8]] = []
        var rest = words[...]
        while let word = rest.first, word.isOption {
            rest = rest.dropFirst()
            if word.is("--") { break }
            if long.contains(where: word.is) { continue }
            guard !word.isLong else { return .unknown }
            var letters = word.bytes.dropFirst()
            while let letter = letters.popFirst() {
                if "\(text)".utf8.contains(letter) {
                    guard let line = letters.isEmpty ? rest.popFirst()?.bytes : Array(letters) else { return .unknown }
                    lines.append(line)
                    letters = []
                } else if "\(numbered)".utf8.contains(letter) {
                    letters = letters.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                } else if !"\(flags)".utf8.contains(letter) {
                    return .unknown
                }
            }
        }
        if !lines.isEmpty { return .text(Array(lines.joined(separator: [0x0a]))) }
        guard let script = rest.first, !script.is("-") else { return .interactive }
        return .script(script.bytes)
    }
}

/// A word of a command line.
struct OptionWord {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether it is an option. A hyphen alone mostly stands for the standard input.
    var isOption: Bool { bytes.count > 1 && bytes[0] == UInt8(ascii: "-") }
    var isLong: Bool { bytes.starts(with: "--".utf8) }

    func `is`(_ text: String) -> Bool { bytes.elementsEqual(text.utf8) }
    func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
}
