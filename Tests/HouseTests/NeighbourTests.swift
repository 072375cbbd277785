import Foundation
import Testing

@Suite("A neighbour that depends on us", .timeLimit(.minutes(60)))
struct NeighbourTests {
    @Test("A package with a Crypto, a Client and a Storage of its own builds beside us, twice")
    func namesOfItsOwn() async throws {
        let builds = try await Neighbour.builds.value
        #expect(builds.count == 2)
        for build in builds { #expect(build.status == 0, "\(build.output.suffix(4000))") }
    }

    @Test("Its code for Apple's systems stays asleep, on the second build too")
    func canImport() async throws {
        for build in try await Neighbour.builds.value {
            #expect(build.output.contains("Compiling Storage"), "Storage wasn't compiled, so this proves nothing")
            #expect(!build.output.contains("taken for an Apple system"))
        }
    }

    @Test("An app on LocalAuthentication builds without a warning")
    func silence() async throws {
        for build in try await Neighbour.builds.value {
            #expect(build.lines.filter { $0.contains("warning:") } == [])
        }
    }

    @Test("An app on LocalAuthentication is given no door that it doesn't use")
    func doors() async throws {
        _ = try await Neighbour.builds.value
        let command = try Neighbour.commandForApp()
        #expect(command.contains("Sources/C/Linux/module.modulemap"), "no door at all: this proves nothing")
        for door in ["SQLite", "PAM", "Systemd", "TSS", "HTTP", "Postgres", "GTK"] {
            #expect(!command.contains("Sources/C/\(door)/"), "\(door)")
        }
    }

    @Test("The headers that those builds mustn't need were really hidden from them", arguments: Neighbour.hiddenHeaders)
    func hidden(header: String) async throws {
        try Neighbour.writeHiddenHeaders()
        let outcome = try await run([
            "clang", "-fsyntax-only", "-I\(Neighbour.hidden.path)", "-include", header, "-x", "c", "/dev/null",
        ])
        #expect(outcome.status != 0)
        #expect(outcome.output.contains("reached for \(header)"))
    }
}
