import Foundation
import Testing
import thumbturn_test_programs

/// A copy of the script that writes the status codes, with its table and what it wrote.
private struct Desk {
    static let folder = "Sources/Frameworks/SecurityAPI/Status"
    let root: URL

    init(in root: URL) throws {
        self.root = root
        try copied(["scripts/write-status-codes", Self.folder], to: root)
    }

    func file(_ name: String) -> URL { root.appending(path: Self.folder).appending(path: name) }

    func run(_ arguments: String...) async throws -> Outcome {
        try await HouseTests.run([root.appending(path: "scripts/write-status-codes").path] + arguments)
    }
}

/// The same of the script that writes the languages, with their files.
private struct Translator {
    static let folder = "Sources/Parts/Prompting/Languages"
    let root: URL

    init(in root: URL) throws {
        self.root = root
        try copied(["scripts/write-languages", Self.folder, Self.folder + ".swift"], to: root)
    }

    func file(_ name: String) -> URL { root.appending(path: Self.folder).appending(path: name) }

    var written: String {
        get throws { try String(contentsOf: root.appending(path: Self.folder + ".swift"), encoding: .utf8) }
    }

    func run(_ arguments: String...) async throws -> Outcome {
        try await HouseTests.run([root.appending(path: "scripts/write-languages").path] + arguments)
    }
}

private func copied(_ paths: [String], to root: URL) throws {
    for path in paths {
        let copy = root.appending(path: path)
        try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try copyPrograms(at: checkout.appending(path: path).path, to: copy.path)
    }
}

@Suite("What scripts write")
struct WrittenTests {
    @Test("The status codes are what their table says, and written once more they are the same bytes")
    func same() async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let checked = try await desk.run("--check")
            #expect(checked.status == 0, "\(checked.output)")
            #expect(try await desk.run().status == 0)
            for name in ["StatusCodes.swift", "StatusTexts.swift"] {
                let written = try Data(contentsOf: desk.file(name))
                #expect(try Data(contentsOf: checkout.appending(path: Desk.folder).appending(path: name)) == written, "\(name)")
            }
        }
    }

    @Test("A file that differs from the table is a finding", arguments: ["StatusCodes.swift", "StatusTexts.swift"])
    func differs(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let text = try String(contentsOf: desk.file(name), encoding: .utf8)
            try desk.file(name).write(text.replacingOccurrences(of: "Memory ran out.", with: "Memory is full."))
            let outcome = try await desk.run("--check")
            #expect(outcome.status == 1)
            let finding = "\(Desk.folder)/\(name):1: isn't what StatusCodes.tsv says; run scripts/write-status-codes"
            #expect(outcome.lines == [finding])
        }
    }

    @Test(
        "A line that isn't a name, a number and a sentence is refused",
        arguments: [
            ("errSecNoPlace\t-99", "a line has a name, a number and a text, with tabs between them"),
            ("errSecNoPlace\t99\tThere is no place.", "99 isn't a status: they are 0 or negative"),
            ("noPlace\t-99\tThere is no place.", "noPlace isn't the name of a status; write `-` where there is none"),
            ("errSecNoPlace\t-99\tno place", "text isn't a sentence"),
            ("errSecNoPlace\t-99\tNo place.", "errSecNoPlace's text only repeats its name; say what went wrong"),
            ("errSecParam\t-99\tThere is no place.", "errSecParam has two lines; keep one"),
            ("errSecNoPlace\t-50\tThere is no place.", "-50 has two texts; names that share a number share its text"),
        ])
    func refused(_ line: String, _ reason: String) async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let table = try String(contentsOf: desk.file("StatusCodes.tsv"), encoding: .utf8)
            try desk.file("StatusCodes.tsv").write(table + line + "\n")
            let outcome = try await desk.run()
            #expect(outcome.status == 2)
            #expect(outcome.output.contains(reason), "\(outcome.output)")
        }
    }

    // MARK: The prompts' languages

    @Test("Every language says all that English says, with the same words to fill in and not much longer")
    func languages() async throws {
        let folder = checkout.appending(path: Translator.folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files).isSuperset(of: ["de.txt", "en.txt", "es.txt", "fr.txt", "ja.txt", "zh_CN.txt"]), "\(files)")
        try await withTemporaryFolder { folder in
            let checked = try await Translator(in: folder).run("--check")
            #expect(checked.status == 0 && checked.output.isEmpty, "\(checked.output)")
        }
    }

    @Test("A language is added with its file alone")
    func added() async throws {
        try await withTemporaryFolder { folder in
            let translator = try Translator(in: folder)
            let english = try String(contentsOf: translator.file("en.txt"), encoding: .utf8)
            try translator.file("is.txt").write(english.replacingOccurrences(of: "asks for you", with: "spyr um þig"))
            let checked = try await translator.run("--check")
            #expect(checked.status == 1)
            let finding = ":1: isn't what the files in Languages say; run scripts/write-languages"
            #expect(checked.lines == [Translator.folder + ".swift" + finding])
            #expect(try await translator.run().status == 0)
            #expect(try await translator.run("--check").status == 0)
            let written = try translator.written
            #expect(written.contains("    case `is`\n") && written.contains("\"{program}, in a sandbox, spyr um þig\""))
        }
    }

    @Test(
        "A file that says less, more or something else than English is refused, at its line",
        arguments: [
            ("cancel = Abbrechen\n", "", "de.txt:1: lacks cancel, which is “Cancel” in English"),
            ("cancel = Abbrechen\n", "cancel = Abbrechen\nhalt = Halt\n", "halt isn't a key of en.txt; leave it out"),
            ("cancel = Abbrechen\n", "cancel = Abbrechen\ncancel = Halt\n", "cancel has two lines; keep one"),
            ("cancel = Abbrechen\n", "cancel: Abbrechen\n", "isn't `key = text`; a comment begins with `#`"),
            ("cancel = Abbrechen\n", "cancel = Abbrechen \n", "cancel begins or ends with a blank"),
            ("cancel = Abbrechen\n", "cancel = Ab\u{ad}brechen\n", "cancel has a character that can't be seen; leave it out"),
            ("cancel = Abbrechen\n", "cancel = Diese Anfrage jetzt abbrechen\n", "cancel is 29 columns wide and has room for 24"),
            ("Konto: {name}", "Konto:", "account has to have {name}, as in English"),
            ("Konto: {name}", "Konto: {konto}", "account has to have {name}, as in English"),
            ("Konto: {name}", "Konto: {name} {name}", "account has to have {name}, as in English"),
            ("Konto: {name}", "Konto: {name", "account has a brace by itself"),
            ("caps-lock = Die", "caps-lock = {name} Die", "caps-lock has to have no word in braces, as in English"),
        ])
    func badLanguage(_ right: String, _ wrong: String, _ finding: String) async throws {
        try await withTemporaryFolder { folder in
            let translator = try Translator(in: folder)
            let german = try String(contentsOf: translator.file("de.txt"), encoding: .utf8)
            #expect(german.contains(right))
            try translator.file("de.txt").write(german.replacingOccurrences(of: right, with: wrong))
            let before = try translator.written
            let outcome = try await translator.run()
            #expect(outcome.status == 2)
            let named = outcome.lines.filter { $0.hasPrefix(Translator.folder + "/de.txt:") }
            #expect(named.contains { $0.contains(finding) }, "\(outcome.output)")
            #expect(try translator.written == before)
        }
    }

    @Test("A file that isn't named as a locale is, and a folder without English, are refused")
    func badNames() async throws {
        try await withTemporaryFolder { folder in
            let translator = try Translator(in: folder)
            try FileManager.default.moveItem(at: translator.file("de.txt"), to: translator.file("German.txt"))
            let misnamed = try await translator.run()
            #expect(misnamed.status == 2)
            let name = "isn't named as a locale is, like de.txt or pt_BR.txt; rename it"
            #expect(misnamed.lines == [Translator.folder + "/German.txt:1: \(name)"])
            try FileManager.default.moveItem(at: translator.file("German.txt"), to: translator.file("de.txt"))
            try FileManager.default.removeItem(at: translator.file("en.txt"))
            let without = try await translator.run()
            #expect(without.status == 2)
            #expect(without.lines == [Translator.folder + "/en.txt:1: is missing; it says which keys there are"])
        }
    }
}
