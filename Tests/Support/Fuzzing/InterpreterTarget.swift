import ThumbAccess

/// A process's command line, as the kernel has it: it says what an interpreter runs, and the process wrote it.
enum InterpreterTarget {
    static let target = FuzzTarget(
        "interpreters", longest: 256,
        sources: [
            "Sources/Rules/Access/Callers/InterpreterArguments.swift",
            "Sources/Rules/Access/Callers/InterpreterArguments+Words.swift",
        ],
        words: [
            "python3\0", "bash\0", "dash\0", "zsh\0", "busybox\0sh\0", "perl\0", "ruby\0", "lua5.4\0", "node\0", "java\0",
            "php\0",
            "gjs\0", "tclsh\0", "-c\0", "-m\0", "-e\0", "-jar\0", "-f\0", "-o\0pipefail\0", "--\0", "-r\0", "-l\0", "-i\0",
            "-s\0",
        ],
        seeds: { seeds },
        parse: { input in
            let words = input.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
            guard let name = String(validating: words[0], as: UTF8.self) else { return nil }
            switch InterpreterArguments.run(words, by: ExactName("/usr/bin/\(name)")) {
            case .script(let script):
                try must(words.dropFirst().contains(script), "a script is no word of the line")
                return script
            case .text(let text):
                // Several options may each bring a line.
                for line in text.split(separator: 0x0A) {
                    try must(
                        words.dropFirst().contains { $0.split(separator: 0x0A).contains { $0.ends(with: line) } },
                        "a text isn't on the line")
                }
                return text
            case .module(let module):
                try must(
                    words.dropFirst().contains { $0.ends(with: Array(module.utf8)) } && ProgramIdentity.isModule(module),
                    "a module isn't on the line, or can't be one")
                return Array(module.utf8)
            case .interactive, .unknown: return nil
            }
        })

    private static var seeds: [[UInt8]] {
        [
            "python3\0-u\0bugs.py", "python3\0-m\0bugs", "python3\0-Wx\0-c\0bugs", "python3\0--check-hash-based-pycs\0x\0-",
            "bash",
            "bash\0-c\0bugs", "dash\0-eo\0pipefail\0bugs", "zsh\0-x\0bugs", "bash\0+x\0--norc\0bugs", "busybox\0sh\0bugs",
            "sh\0-s",
            "perl\0-wne\0bugs", "perl\0-l0\0bugs", "ruby\0--yjit\0-e\0a\0-e\0bugs", "lua5.4\0-e\0bugs", "lua5.4\0-W\0bugs\0x",
            "node\0--enable-source-maps\0bugs.js", "node\0-e\0bugs", "java\0-cp\0a\0bugs.Main", "java\0-jar\0bugs.jar",
            "java\0--module\0bugs/a.B", "php\0-f\0bugs.php", "php\0-r\0bugs;", "gjs\0-c\0bugs", "gjs\0-m\0bugs.js",
            "tclsh\0bugs.tcl",
            "awk\0bugs",
        ].map { Array($0.utf8) }
    }
}

extension BidirectionalCollection<UInt8> {
    fileprivate func ends(with tail: some BidirectionalCollection<UInt8>) -> Bool { suffix(tail.count).elementsEqual(tail) }
}
