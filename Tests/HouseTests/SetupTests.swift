import Foundation
import Testing

/// A machine of scripted commands in front of the real ones on the PATH.
private struct Machine {
    let folder: URL
    var swift = "Swift version 6.3.1 (swift-6.3.1-RELEASE)"
    var installed = ["gcc", "make"]
    var uid = 0
    var sudo = false

    /// Runs scripts/setup, which is to want gcc, make and libssl-dev.
    func setUp() async throws -> Outcome {
        try command("swift", "echo '\(swift)'")
        try command("id", "echo \(uid)")
        try command("apt-get", "echo \"$@\" >>'\(log.path)'")
        try command("sudo", sudo ? "shift; exec \"$@\"" : "exit 1")
        try command("dpkg-query", "printf '%s installed\\n' \(installed.joined(separator: " "))")
        try folder.appending(path: "packages").write("gcc  # why\n\n# a remark\nmake\nlibssl-dev # why\n")
        return try await run(
            [checkout.appending(path: "scripts/setup").path],
            environment: [
                "PATH": "\(folder.appending(path: "bin").path):/usr/bin:/bin", "CI": "true",
                "THUMBTURN_PACKAGES": folder.appending(path: "packages").path,
            ])
    }

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

    @Test("The list of packages has a reason on every line")
    func reasons() throws {
        let list = try String(contentsOf: checkout.appending(path: "scripts/packages"), encoding: .utf8)
        let packages = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(!packages.isEmpty)
        for line in packages { #expect(line.contains(" # "), "\(line)") }
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

    @Test("The list of Python's packages has a version and a reason on every line")
    func reasons() throws {
        let list = try String(contentsOf: checkout.appending(path: "scripts/packages-python"), encoding: .utf8)
        let packages = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(!packages.isEmpty)
        for line in packages { #expect(line.contains("==") && line.contains(" # "), "\(line)") }
    }
}
