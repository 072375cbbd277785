import Foundation
import Testing
import thumbturn_test_programs

/// The examples of other languages, the very files that the pages show, built as the pages say.
@Suite("Examples in other languages")
struct ExampleTests {
    /// The library where `make install` would put it, so that pkg-config finds it.
    private func installed() async throws -> (folder: URL, environment: [String: String]) {
        let folder = try temporaryFolder()
        var environment = BuiltLibrary.environment
        environment["PREFIX"] = folder.path
        let built = try await run(["scripts/library", folder.appending(path: "lib").path], environment: environment)
        try #require(built.status == 0, "\(built.output)")
        try FileManager.default.createDirectory(at: folder.appending(path: "include"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: checkout.appending(path: "Sources/Library/thumbturn.h"), to: folder.appending(path: "include/thumbturn.h"))
        environment["PKG_CONFIG_PATH"] = folder.appending(path: "lib").path
        environment["LD_LIBRARY_PATH"] = folder.appending(path: "lib").path
        return (folder, environment)
    }

    /// Keeps a note, replaces it, and shows it.
    private func showsItsNote(_ program: String, _ environment: [String: String]) async throws -> Outcome {
        try await run(
            [
                "thumbturn", "simulate", "--", "sh", "-c",
                "printf first | \(program) keep && printf 'under the third pot' | \(program) keep && \(program) show",
            ], environment: environment)
    }

    @Test("C's builds with cc and pkg-config alone, and keeps a note for the owner")
    func c() async throws {
        let (folder, environment) = try await installed()
        for name in ["vault", "meanwhile"] {
            let built = try await run(
                [
                    "sh", "-c",
                    "cc -Wall -Wextra -Werror -pedantic Examples/c/\(name).c -o \(folder.path)/\(name) "
                        + "$(pkg-config --cflags --libs thumbturn)",
                ], environment: environment)
            try #require(built.status == 0, "\(built.output)")
        }
        let outcome = try await showsItsNote("\(folder.path)/vault", environment)
        #expect(outcome.status == 0 && outcome.output == "kept\nkept\nunder the third pot", "\(outcome.output)")
        let asked = try await run(["thumbturn", "simulate", "--", "\(folder.path)/meanwhile"], environment: environment)
        #expect(asked.status == 0 && asked.output.hasSuffix("the owner, by a finger\n"), "\(asked.output)")
        let refused = try await run(
            ["thumbturn", "simulate", "--answers", "cancel", "--", "\(folder.path)/meanwhile"], environment: environment)
        #expect(refused.status == 1 && refused.output.contains("The owner canceled."), "\(refused.output)")
    }

    @Test("The header is C++ too")
    func header() async throws {
        let (folder, environment) = try await installed()
        let file = folder.appending(path: "header.cpp")
        let source = """
            #include <thumbturn.h>
            static thumbturn_asking asking = THUMBTURN_ASKING("x");
            int main() { return asking.context; }

            """
        try source.write(to: file, atomically: true, encoding: .utf8)
        let built = try await run(
            ["g++", "-Wall", "-Wextra", "-Werror", "-I\(folder.path)/include", "-c", file.path, "-o", "\(folder.path)/header.o"],
            environment: environment)
        #expect(built.status == 0, "\(built.output)")
    }

    @Test("Rust's builds with rustc alone, and keeps a note for the owner")
    func rust() async throws {
        let (folder, environment) = try await installed()
        let built = try await run(
            [
                "/usr/bin/rustc", "--edition", "2021", "-D", "warnings", "-l", "thumbturn", "-L", "\(folder.path)/lib",
                "-o", "\(folder.path)/vault", "Examples/rust/vault.rs",
            ], environment: environment)
        try #require(built.status == 0, "\(built.output)")
        let outcome = try await showsItsNote("\(folder.path)/vault", environment)
        #expect(outcome.status == 0 && outcome.output == "kept\nkept\nunder the third pot", "\(outcome.output)")
    }

    @Test("The library needs libc alone, and shows its own functions and no others")
    func symbols() async throws {
        let (folder, environment) = try await installed()
        let library = "\(folder.path)/lib/libthumbturn.so"
        let needed = try await run(["readelf", "-d", library], environment: environment).output
        #expect(needed.split(separator: "\n").filter { $0.contains("(NEEDED)") }.count == 1 && needed.contains("[libc.so.6]"))
        #expect(needed.contains("[libthumbturn.so.0]") && needed.contains("BIND_NOW"))
        let shown = try await run(["nm", "-D", "--defined-only", library], environment: environment).output
        let names = shown.split(separator: "\n").compactMap { $0.split(separator: " ").last }.filter { $0 != "THUMBTURN_1" }
        #expect(names.allSatisfy { $0.hasPrefix("thumbturn_") && $0.hasSuffix("@@THUMBTURN_1") }, "\(shown)")
        // Each function of the header, and the page of C has each of them too.
        let header = try String(contentsOf: checkout.appending(path: "Sources/Library/thumbturn.h"), encoding: .utf8)
        let page = try String(contentsOf: checkout.appending(path: "docs/developers/c.md"), encoding: .utf8)
        for name in names.compactMap({ name in name.split(separator: "@").first.map(String.init) }) {
            #expect(header.contains(" \(name)(") || header.contains("*\(name)("), "\(name)")
            #expect(page.contains("`\(name)"), "the page says nothing about \(name)")
        }
        // All but the line that defines it.
        #expect(names.count == header.components(separatedBy: "THUMBTURN_API ").count - 2)
    }
}
