import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbCommands

@Suite("Man pages") struct ManualTests {
    @Test("There is a page for the program and one for each of its commands")
    func pages() throws {
        #expect(
            Manual.pages(of: sample.overview).map(\.name) == [
                "turn.1", "turn-keep.1", "turn-list.1", "turn-box.1", "turn-run.1", "turn-completions.1", "turn-help.1",
                "turn-box.5", "turner.8",
            ])
        #expect(Manual.pages(of: plain.overview).map(\.name) == ["plain.8"])
        #expect(sample.overview.text(.manualPages).split(separator: "\n").count == 9)
        #expect(
            sample.overview.text(.manualPage("turn-keep.1")).contains("keep a thing")
                && sample.overview.text(.manualPage("other.1")) == "")
    }

    @Test(
        "groff sets every page without a warning, and man finds its name",
        arguments: [sample, plain].flatMap { Manual.pages(of: $0.overview) }.map(\.name))
    func groff(_ name: String) throws {
        let page = try #require([sample, plain].flatMap { Manual.pages(of: $0.overview) }.first { $0.name == name })
        let (shown, warnings) = try ManPage(page.text).set()
        #expect(warnings == "", "\(name)")
        #expect(shown.contains("NAME") && (shown.contains("SYNOPSIS") || name == "turner.8"))
    }

    @Test("A page says all that its command's description says")
    func whole() throws {
        let page = try ManPage(sample.overview.text(.manualPage("turn-keep.1"))).set().shown
        for text in [
            "turn-keep - keep a thing", "turn keep NAME [OPTION ...]", "--label LABEL", "when it comes out: now, later",
            "how many (1 to 9)", "--json",
            "it wasn't kept", "Keep a ball:", "turn keep ball --label 'My ball'", "turn(1), box(5)",
        ] { #expect(page.contains(text), "\(text)") }
        let box = try ManPage(sample.overview.text(.manualPage("turn-box.1"))).set().shown
        for text in ["turn box open BOX ...", "turn box shut [BOX ...]", "Open some.", "the box: red, blue"] {
            #expect(box.contains(text), "\(text)")
        }
        let first = try ManPage(sample.overview.text(.manualPage("turn.1"))).set().shown
        for text in [
            "turn-keep(1)", "TURN_HOME", "Where things are.", "~/.turn", "it was done", "--version",
            "Run turn keep first; it's easy.",
        ] {
            #expect(first.contains(text), "\(text)")
        }
        for name in ["secret-door", "nobody", "man-page"] { #expect(!(page + box + first).contains(name)) }
    }

    @Test("What has no command has a page too, in the section that it belongs to")
    func further() throws {
        let box = try ManPage(sample.overview.text(.manualPage("turn-box.5"))).set().shown
        for text in [
            "TURN-BOX(5)", "File formats", "turn-box - how a box is written down", "~/.turn/box", "turn box open reads it.",
            "PARTS",
            "-lid", "What is on top.", "lid 'red'", "turn(1)",
        ] { #expect(box.contains(text), "\(text)") }
        let turner = try ManPage(sample.overview.text(.manualPage("turner.8"))).set().shown
        #expect(turner.contains("Others start it.") && !turner.contains("SEE ALSO"))
    }

    @Test("Whatever a description has in it, roff takes it for text")
    func escapes() throws {
        let program = Sample(
            Command(
                "turn", "dots", discussion: [".SH NO", "'br", "a\\fBb", "\"quoted\" … ~/^x — ü"],
                examples: [Example("See", ".sh no", "'tis \\e")], action: names("x")),
            version: "1", exits: [], manual: ManualFacts(section: 1))
        let (shown, warnings) = try ManPage(program.overview.text(.manualPage("turn.1"))).set()
        #expect(warnings == "")
        for text in [".SH NO", "'br", "a\\fBb", "\"quoted\" ... ~/^x — ü", ".sh no", "'tis \\e"] {
            #expect(shown.contains(text), "\(text) in \(shown)")
        }
    }
}

/// A man page, as groff sets it.
struct ManPage {
    let source: String

    init(_ source: String) { self.source = source }

    /// What a reader sees, without what makes it bold, and what groff warns of.
    func set() throws -> (shown: String, warnings: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString).1")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(source.utf8).write(to: file)
        let process = OwnProcess()
        process.executableURL = URL(filePath: "/usr/bin/groff")
        process.arguments = ["-man", "-ww", "-b", "-Tutf8", "-P-c", "-P-b", "-P-u", "-rLL=200n", file.path]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let shown = output.fileHandleForReading.readDataToEndOfFile()
        let warnings = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // Which apostrophe it sets is the system's choice.
        return (String(decoding: shown, as: UTF8.self).replacing("’", with: "'"), String(decoding: warnings, as: UTF8.self))
    }
}
