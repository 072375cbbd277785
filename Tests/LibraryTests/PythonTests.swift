import Foundation
import Testing
import thumbturn_test_programs

/// The Python package, as its wheel installs it.
@Suite("The Python package")
struct PythonTests {
    /// Python with what scripts/setup-python installs, and our wheel.
    private func installed() async throws -> (python: String, environment: [String: String]) {
        let place =
            ProcessInfo.processInfo.environment["THUMBTURN_PYTHON"] ?? NSHomeDirectory() + "/.cache/thumbturn/python"
        let python = place + "/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "run scripts/setup-python first")
        let folder = try temporaryFolder()
        var environment = BuiltLibrary.environment
        let library = try await BuiltLibrary.get(.plain).folder.path
        let made = try await run(["scripts/python-wheel", library, folder.path], environment: environment)
        try #require(made.status == 0, "\(made.output)")
        let site = folder.appending(path: "site").path
        let wheel = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        // No compiler and no network: pip gets nothing but the file.
        environment["PATH"] = builtPrograms.path + ":/usr/bin:/bin"
        environment["CC"] = "/bin/false"
        let installed = try await run(
            [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile", "--target", site, wheel],
            environment: environment)
        try #require(installed.status == 0, "\(installed.output)")
        environment["PYTHONPATH"] = site
        return (python, environment)
    }

    @Test("Secrets, keys, questions, threads, asyncio and the examples work from Python")
    func device() async throws {
        let (python, environment) = try await installed()
        let outcome = try await run(
            [
                "thumbturn", "simulate", "--", python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                "python/tests/test_device.py",
            ],
            environment: environment)
        #expect(
            outcome.status == 0 && outcome.output.contains(" passed") && !outcome.output.contains("skipped"), "\(outcome.output)")
    }

    @Test("keyring finds the backend, and its own tests of a backend pass, all of them")
    func keyring() async throws {
        let (python, environment) = try await installed()
        let outcome = try await run(
            [
                "thumbturn", "simulate", "--", python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                "python/tests/test_keyring.py",
            ], environment: environment)
        // 15 of keyring's, and 8 of ours.
        #expect(
            outcome.status == 0 && outcome.output.contains("23 passed") && !outcome.output.contains("skipped"),
            "\(outcome.output)")
    }

    @Test("Its types hold, strictly")
    func types() async throws {
        let (python, environment) = try await installed()
        let outcome = try await run(
            [python, "-m", "mypy", "--strict", "--cache-dir=/dev/null", "thumbturn"], environment: environment,
            folder: checkout.appending(path: "python"))
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("The same sources give the same wheel, byte for byte, with the mark that it is typed")
    func reproducible() async throws {
        let library = try await BuiltLibrary.get(.plain).folder.path
        let folders = [try temporaryFolder(), try temporaryFolder()]
        var wheels: [Data] = []
        for folder in folders {
            let made = try await run(["scripts/python-wheel", library, folder.path], environment: BuiltLibrary.environment)
            try #require(made.status == 0, "\(made.output)")
            wheels.append(try Data(contentsOf: URL(filePath: made.output.trimmingCharacters(in: .whitespacesAndNewlines))))
        }
        #expect(wheels[0] == wheels[1])
        #expect(wheels[0].range(of: Data("thumbturn/py.typed".utf8)) != nil)
        #expect(wheels[0].range(of: Data("thumbturn/libthumbturn.so.0".utf8)) != nil)
    }
}
