import Foundation
import Testing

/// A machine of scripted commands in front of the real ones on the PATH.
private struct Machine {
    let folder: URL
    var swift = "Swift version 6.3.1 (swift-6.3.1-RELEASE)"
    var installed = ["gcc", "make"]
    var uid = 0
    var sudo = false

    /// How apt-get ends, and what it says.
    var apt = "echo Selecting previously unselected package"

    /// Runs scripts/setup, which is to want gcc, make and libssl-dev, or what the project's own lists have for that need.
    func setUp(for need: String? = nil) async throws -> Outcome {
        try command("swift", "echo '\(swift)'")
        try command("id", "echo \(uid)")
        try command("apt-get", "echo \"$@\" >>'\(log.path)'; \(apt)")
        try command("sudo", sudo ? "shift; exec \"$@\"" : "exit 1")
        try command("dpkg-query", "printf '%s installed\\n' \(installed.joined(separator: " "))")
        try folder.appending(path: "packages").write("gcc  # why\n\n# a remark\nmake\nlibssl-dev # why\n")
        let list = need == nil ? ["THUMBTURN_PACKAGES": folder.appending(path: "packages").path] : [:]
        return try await run(
            [checkout.appending(path: "scripts/setup").path] + (need.map { [$0] } ?? []),
            environment: [
                "PATH": "\(folder.appending(path: "bin").path):/usr/bin:/bin", "CI": "true",
                "THUMBTURN_LOG": folder.appending(path: "setup.log").path,
            ].merging(list) { $1 })
    }

    /// What it wrote of apt's words.
    var kept: String { (try? String(contentsOf: folder.appending(path: "setup.log"), encoding: .utf8)) ?? "" }

    /// What apt-get was asked.
    var asked: [String] {
        ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private var log: URL { folder.appending(path: "apt.log") }

    private func command(_ name: String, _ script: String) throws {
        try folder.appending(path: "bin/\(name)").write("#!/bin/sh\n\(script)\n", executable: true)
    }
}

@Suite("Setup")
struct SetupTests {
    @Test("When nothing is missing, setup says nothing and asks for nothing")
    func nothingMissing() async throws {
        try await withTemporaryFolder { folder in
            var machine = Machine(folder: folder)
            machine.installed.append("libssl-dev")
            let outcome = try await machine.setUp()
            #expect(outcome.status == 0)
            #expect(outcome.output.isEmpty, "\(outcome.output)")
            #expect(machine.asked.isEmpty)
        }
    }

    @Test("A missing package is installed, and no other", arguments: [(0, false), (1000, true)])
    func missing(uid: Int, sudo: Bool) async throws {
        try await withTemporaryFolder { folder in
            var machine = Machine(folder: folder)
            machine.uid = uid
            machine.sudo = sudo
            let outcome = try await machine.setUp()
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(machine.asked == ["update -qq", "install -y -qq --no-install-recommends libssl-dev"])
        }
    }

    @Test("What will be installed is said before apt is asked, and what apt says goes to a log")
    func said() async throws {
        try await withTemporaryFolder { folder in
            let machine = Machine(folder: folder)
            let outcome = try await machine.setUp()
            #expect(
                outcome.lines.prefix(2) == [
                    "setup: these Debian packages are missing and will be installed:", "    libssl-dev",
                ], "\(outcome.output)")
            #expect(!outcome.output.contains("Selecting") && machine.kept.contains("Selecting"), "\(outcome.output)")
        }
    }

    @Test("When apt fails, the end of its log is shown, and where the log lies")
    func failed() async throws {
        try await withTemporaryFolder { folder in
            var machine = Machine(folder: folder)
            machine.apt = "echo E: no such mirror; exit 100"
            let outcome = try await machine.setUp()
            #expect(outcome.status == 100)
            #expect(
                outcome.output.contains("E: no such mirror") && outcome.output.contains(folder.path + "/setup.log"),
                "\(outcome.output)")
            #expect(machine.asked == ["update -qq"])
        }
    }

    @Test("Each need has the packages of those below it, and none of those above", arguments: ["app", "demo", "build", "test"])
    func needs(need: String) async throws {
        try await withTemporaryFolder { folder in
            let machine = Machine(folder: folder)
            let outcome = try await machine.setUp(for: need)
            #expect(outcome.status == 0, "\(outcome.output)")
            let lists = try ["app", "demo", "build", "test"].map { try packages($0) }
            let wanted = lists.prefix { $0 != (try? packages(need)) }.joined() + (try packages(need))
            let asked = try #require(machine.asked.last).split(separator: " ").dropFirst(4).map(String.init)
            #expect(Set(asked) == Set(wanted).subtracting(machine.installed))
            #expect(outcome.output.contains("none of them runs a service") == ["app", "demo"].contains(need))
        }
    }

    @Test("A need without a list is refused with those that have one")
    func noList() async throws {
        try await withTemporaryFolder { folder in
            let machine = Machine(folder: folder)
            let outcome = try await machine.setUp(for: "nothing")
            #expect(outcome.status == 1 && outcome.output.contains("say app, demo, build or test") && machine.asked.isEmpty)
        }
    }

    @Test("Without root and sudo, setup says what to run and stops")
    func noRoot() async throws {
        try await withTemporaryFolder { folder in
            var machine = Machine(folder: folder)
            machine.uid = 1000
            let outcome = try await machine.setUp()
            #expect(outcome.status != 0)
            #expect(outcome.output.contains("apt-get install -y --no-install-recommends libssl-dev"))
            #expect(machine.asked.isEmpty)
        }
    }

    @Test(
        "A Swift that is too old is named, with the place to get a newer one",
        arguments: ["Swift version 5.10.1 (swift-5.10.1-RELEASE)", "Apple Swift version 6.1 (swiftlang-6.1.0)"])
    func oldSwift(version: String) async throws {
        try await withTemporaryFolder { folder in
            var machine = Machine(folder: folder)
            machine.installed.append("libssl-dev")
            machine.swift = version
            let outcome = try await machine.setUp()
            #expect(outcome.status != 0)
            #expect(outcome.output.contains("6.2 or newer"))
            #expect(outcome.output.contains("swift.org"))
        }
    }

    @Test("Every list of packages has a reason on every line", arguments: ["app", "demo", "build", "test", "bench", "bare"])
    func reasons(need: String) throws {
        let lines = try lines(need)
        #expect(!lines.isEmpty)
        for line in lines { #expect(line.contains(" # "), "\(line)") }
    }

    @Test("No package is in two of the lists that add to one another")
    func once() throws {
        let all = try ["app", "demo", "build", "test"].flatMap { try packages($0) }
        #expect(all.count == Set(all).count)
    }

    private func lines(_ need: String) throws -> [Substring] {
        try String(contentsOf: checkout.appending(path: "scripts/packages-\(need)"), encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    private func packages(_ need: String) throws -> [String] {
        try lines(need).compactMap { $0.split(separator: " ").first.map(String.init) }
    }
}

@Suite("Setup of Python's packages")
struct PythonSetupTests {
    /// Runs scripts/setup-python with a folder of its own, whose pip only tells what it was asked.
    private func setUp(_ folder: URL, wanting packages: String) async throws -> Outcome {
        try folder.appending(path: "packages").write(packages)
        return try await run(
            [checkout.appending(path: "scripts/setup-python").path],
            environment: [
                "PATH": "/usr/bin:/bin", "THUMBTURN_PYTHON": folder.appending(path: "python").path,
                "THUMBTURN_PYTHON_PACKAGES": folder.appending(path: "packages").path,
                "PYTHONPATH": folder.appending(path: "modules").path,
            ])
    }

    /// A module `pip` that answers for the real one, and a package that is there.
    private func prepare(_ folder: URL) throws {
        try folder.appending(path: "modules/pip.py").write("import sys\nprint('asked', *sys.argv[1:])\n")
        try folder.appending(path: "modules/here-1.0.dist-info/METADATA").write("Name: here\nVersion: 1.0\n")
    }

    @Test("When nothing is missing, nothing is asked for and nothing is said")
    func nothingMissing() async throws {
        try await withTemporaryFolder { folder in
            try prepare(folder)
            let outcome = try await setUp(folder, wanting: "# a remark\n\nhere==1.0  # why\n")
            #expect(outcome.status == 0)
            #expect(outcome.output.isEmpty, "\(outcome.output)")
        }
    }

    @Test("A package that is missing or of another version is asked for, and no other")
    func missing() async throws {
        try await withTemporaryFolder { folder in
            try prepare(folder)
            let outcome = try await setUp(folder, wanting: "here==1.0 # why\naway==2.0 # why\n")
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.lines.last == "asked install --quiet --disable-pip-version-check away==2.0", "\(outcome.output)")
            let older = try await setUp(folder, wanting: "here==0.9 # why\n")
            #expect(older.lines.last == "asked install --quiet --disable-pip-version-check here==0.9", "\(older.output)")
        }
    }

    @Test("Of two checkouts that set up at once, one waits for the other")
    func atOnce() async throws {
        try await withTemporaryFolder { folder in
            try prepare(folder)
            // It takes a moment, fails beside another one, and leaves the package behind.
            try folder.appending(path: "modules/pip.py").write(
                """
                import os, pathlib, sys, time
                modules = pathlib.Path(__file__).parent
                (modules / "busy").mkdir()
                time.sleep(0.3)
                package = modules / "away-2.0.dist-info"
                package.mkdir()
                (package / "METADATA").write_text("Name: away\\nVersion: 2.0\\n")
                (modules / "busy").rmdir()
                print("asked", *sys.argv[1:])

                """)
            let wanted = "away==2.0 # why\n"
            async let one = setUp(folder, wanting: wanted)
            async let other = setUp(folder, wanting: wanted)
            let outcomes = try await [one, other]
            #expect(outcomes.map(\.status) == [0, 0], "\(outcomes.map(\.output))")
            #expect(outcomes.filter { $0.output.contains("asked") }.count == 1, "\(outcomes.map(\.output))")
        }
    }

    @Test("The list of Python's packages has a version and a reason on every line")
    func reasons() throws {
        let list = try String(contentsOf: checkout.appending(path: "scripts/packages-python"), encoding: .utf8)
        let packages = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(!packages.isEmpty)
        for line in packages { #expect(line.contains("==") && line.contains(" # "), "\(line)") }
    }
}
