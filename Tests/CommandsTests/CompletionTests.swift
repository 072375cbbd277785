import Foundation
import Testing

@testable import ThumbCommands

@Suite("Completions") struct CompletionTests {
    static let typed: [([String], [String])] = [
        (["turn", "k"], ["keep"]), (["turn", "box", ""], ["open", "shut"]), (["turn", "box", "open", "r"], ["red"]),
        (["turn", "keep", "x", "--la"], ["--label"]), (["turn", "keep", "--class", "n"], ["now"]),
        (["turn", "keep", "--label", "box", "x", "--fo"], ["--force"]), (["turn", "completions", "z"], ["zsh"]),
        (["turn", "help", "li"], ["list"]), (["turn", "--vers"], ["--version"]),
        (["turn", "run", "--", "basenam"], ["basename"]),
        (["turn", "run", "--w"], ["--with"]), (["turn", "list", "/etc/host"], []),
    ]

    @Test("bash offers what fits where the line stands", arguments: typed)
    func bash(_ line: [String], _ offered: [String]) throws {
        let words = line.map { "'\($0)'" }.joined(separator: " ")
        let script =
            sample.overview.text(.completions(.bash))
            + "compopt() { :; }; COMP_WORDS=(\(words)); COMP_CWORD=\(line.count - 1); _turn; printf '%s\\n' \"${COMPREPLY[@]}\""
        let found = try lines(of: .bash, script)
        let isOption = line.last?.hasPrefix("-") == true
        #expect(found.filter { isOption || !$0.hasPrefix("-") } == offered)
    }

    @Test("fish offers what fits where the line stands", arguments: typed.filter { $0.0.last != "/etc/host" })
    func fish(_ line: [String], _ offered: [String]) throws {
        let found = try lines(
            of: .fish, sample.overview.text(.completions(.fish)) + "complete -C '\(line.joined(separator: " "))'")
        let words = found.map { String($0.prefix { $0 != "\t" }) }
        let isOption = line.last?.hasPrefix("-") == true
        #expect(Set(words.filter { isOption || !$0.hasPrefix("-") }).isSuperset(of: offered), "\(found)")
        // What fish itself adds are files and programs whose names begin so.
        if !line.contains("--") { #expect(words.filter { isOption || !$0.hasPrefix("-") }.sorted() == offered, "\(found)") }
    }

    @Test("Each script is one that its shell can read, and nobody is told of what is hidden", arguments: Shell.allCases)
    func syntax(_ shell: Shell) throws {
        for program in [sample, plain] {
            let script = program.overview.text(.completions(shell))
            let file = FileManager.default.temporaryDirectory.appending(path: "completions-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(script.utf8).write(to: file)
            let check = shell == .fish ? "fish --no-execute" : "\(shell.rawValue) -n"
            #expect(try lines(of: .bash, "\(check) '\(file.path)' || echo failed") == [])
            for name in ["secret-door", "nobody", "man-page"] { #expect(!script.contains(name)) }
        }
    }

    @Test("zsh loads it as a completion, and each command has its function")
    func zsh() throws {
        let script = sample.overview.text(.completions(.zsh))
        #expect(script.hasPrefix("#compdef turn\n"))
        let found = try lines(
            of: .zsh, "compdef() { echo registered $1 for $2 }\n" + script + "print -l ${(ok)functions} | grep '^_turn'")
        #expect(found.first == "registered _turn for turn")
        #expect(Set(found.dropFirst()) == Set(sample.overview.places.map { "_" + $0.path.joined(separator: "_") }))
    }
}
