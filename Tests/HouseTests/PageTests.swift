import Foundation
import Testing

/// A small checkout with two pages, in which a test may write what isn't right.
private struct PageHouse {
    let root: URL
    var page = "# First\n\nSee [the second](docs/SECOND.md#two-words), `Sources/Door` and [above](#first).\n"
    var source = "// As docs/SECOND.md has it.\n"

    func check(without build: Bool = true) async throws -> Outcome {
        try root.appending(path: "README.md").write(page)
        try root.appending(path: "docs/SECOND.md").write("# Second\n\n## Two words\n\nText.\n")
        try root.appending(path: "Sources/Door/Door.swift").write(source)
        try root.appending(path: "Makefile").write("all: ## everything\n\tfalse\n")
        let how = build ? ["--without-build"] : ["--bin", try built().path]
        return try await run([checkout.appending(path: "scripts/check-docs").path, "--root", root.path] + how)
    }
}

/// Where the programs and modules of this very build are.
private func built() throws -> URL {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    let hasModules = FileManager.default.fileExists(atPath: folder.appending(path: "Modules").path)
    return hasModules ? folder : checkout.appending(path: ".build/debug")
}

@Suite("Pages say what is so")
struct PageTests {
    @Test("Every page's width, links, samples and commands are as they should be")
    func whole() async throws {
        let outcome = try await run([checkout.appending(path: "scripts/check-docs").path, "--bin", try built().path])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("A page without a fault is none, with long tables, code, links and words in it")
    func content() async throws {
        try await withTemporaryFolder { folder in
            var house = PageHouse(root: folder)
            let long = String(repeating: "word ", count: 30)
            house.page += "\n| \(long) |\n\n```\n\(long)\n```\n\n- `\(String(repeating: "x", count: 120))`\n"
            let outcome = try await house.check()
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
        }
    }

    @Test(
        "What isn't so is a finding, with its line",
        arguments: [
            (String(repeating: "word ", count: 23), "a line of 114 characters"),
            ("[gone](docs/THIRD.md)", "a link to docs/THIRD.md, which isn't there"),
            ("[gone](docs/SECOND.md#three-words)", "docs/SECOND.md has no such heading"),
            ("[gone](#second)", "README.md has no such heading"),
            ("![a picture](docs/pictures/none.png)", "a link to docs/pictures/none.png, which isn't there"),
            ("[out](../README.md)", "isn't there"),
            ("Read `Sources/Window` first.", "names Sources/Window, which isn't there"),
            ("Read `docs/THIRD.md` first.", "names docs/THIRD.md, which isn't there"),
        ])
    func fault(line: String, finding: String) async throws {
        try await withTemporaryFolder { folder in
            var house = PageHouse(root: folder)
            house.page += "\n\(line)\n"
            let outcome = try await house.check()
            #expect(outcome.status == 1 && outcome.lines.count == 1, "\(outcome.output)")
            #expect(outcome.output.contains("README.md:5: ") && outcome.output.contains(finding), "\(outcome.output)")
        }
    }

    @Test(
        "A test that a page names is there, or it is a finding",
        arguments: [
            ("DoorTests.LockTests", nil), ("DoorTests.LockTests/picked", nil),
            ("DoorTests.LockTests/opened", "README.md:5: names the test DoorTests.LockTests/opened"),
            ("WallTests.LockTests", "names the test WallTests.LockTests"),
        ])
    func namedTest(name: String, finding: String?) async throws {
        try await withTemporaryFolder { folder in
            var house = PageHouse(root: folder)
            house.page += "\nSee `\(name)`.\n"
            try folder.appending(path: "Tests/DoorTests/LockTests.swift").write("struct LockTests { @Test func picked() {} }\n")
            let outcome = try await house.check()
            #expect(outcome.status == (finding == nil ? 0 : 1), "\(outcome.output)")
            if let finding { #expect(outcome.output.contains(finding), "\(outcome.output)") }
        }
    }

    @Test("A comment in a source that names a page which isn't there is a finding")
    func mention() async throws {
        try await withTemporaryFolder { folder in
            var house = PageHouse(root: folder)
            house.source += "// As docs/THIRD.md has it.\n"
            let outcome = try await house.check()
            #expect(outcome.status == 1 && outcome.output.contains("Door.swift:2: names docs/THIRD.md"), "\(outcome.output)")
        }
    }

    @Test(
        "A sample that doesn't compile is a finding, and so is one that the compiler warns of; one that leans on those above it isn't",
        arguments: [
            ("```swift\nlet door: Int = \"open\"\n```", "README.md:6: a sample that doesn't compile"),
            ("```swift\nfunc open() {\n    var door = 1\n}\n```", "README.md:7: a sample that doesn't compile"),
            ("```swift\nstruct Door {}\n```\n\n```swift\nlet door = Door()\n```", "cannot find 'Door' in scope"),
            (
                "```swift\nstruct Door: Sendable {}\n```\n\n<!-- together with the sample above -->\n```swift\nlet door = Door()\n```",
                nil
            ),
            ("```swift\nimport LocalAuthentication\n\nlet policy = LAPolicy.deviceOwnerAuthentication\n```", nil),
            ("```swift\nimport Foundation\n\nlet found = errSecSuccess\n```", "cannot find 'errSecSuccess' in scope"),
            (
                """
                <!-- compiled with -Xfrontend -import-module -Xfrontend Security -->
                ```swift
                import Foundation

                let found = errSecSuccess
                ```
                """, nil
            ),
        ])
    func sample(block: String, finding: String?) async throws {
        try await withTemporaryFolder { folder in
            var house = PageHouse(root: folder)
            house.page += "\n\(block)\n"
            let outcome = try await house.check(without: false)
            #expect(outcome.status == (finding == nil ? 0 : 1), "\(outcome.output)")
            if let finding { #expect(outcome.output.contains(finding), "\(outcome.output)") }
        }
    }

    @Test(
        "A command or an option that doesn't exist is a finding, in a block and in a sentence",
        arguments: [
            ("```sh\nthumbturn secret ad name\n```", "thumbturn secret has no command ad"),
            ("```sh\nthumbturn secrets add name\n```", "thumbturn has no command secrets"),
            ("```sh\necho x | thumbturn secret add name --labl y\n```", "thumbturn secret add has no --labl"),
            ("```sh\nsudo thumbturn protect --lst\n```", "thumbturn protect has no --lst"),
            ("```sh\nthumbturn simulate -- sh -c 'thumbturn secret get --nam x'\n```", "has no --nam"),
            ("```sh\nmake everything\n```", "make has no target everything"), ("```sh\nmake all\n```", nil),
            ("```sh\nthumbturn-server account ad anna\n```", "thumbturn-server has no ad"),
            ("Say `thumbturn passcode sett` there.", "thumbturn passcode has no command sett"),
            ("Say `thumbturn passcode set` there.", nil),
        ])
    func command(text: String, finding: String?) async throws {
        try await withTemporaryFolder { folder in
            var house = PageHouse(root: folder)
            house.page += "\n\(text)\n"
            let outcome = try await house.check(without: false)
            #expect(outcome.status == (finding == nil ? 0 : 1), "\(outcome.output)")
            if let finding { #expect(outcome.output.contains(finding), "\(outcome.output)") }
        }
    }

    @Test("Where nothing was built it says so and doesn't pass")
    func nothingBuilt() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await run([
                checkout.appending(path: "scripts/check-docs").path, "--bin", folder.path,
            ])
            #expect(outcome.status == 2 && outcome.output.contains("swift build"), "\(outcome.output)")
        }
    }
}
