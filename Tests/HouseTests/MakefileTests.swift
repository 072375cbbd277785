import Foundation
import Testing

@Suite("The Makefile")
struct MakefileTests {
    @Test("It uses no variable that it doesn't set, but those that its help tells of")
    func variables() async throws {
        let file = try String(contentsOf: checkout.appending(path: "Makefile"), encoding: .utf8)
        let help = file.matches(of: /(?m)^([a-z][a-z-]*):.*?## (.*)$/)
        try #require(help.count > 20)
        let told = Set(help.flatMap { $0.2.matches(of: /\b([A-Z]+)=/).map { String($0.1) } })
        // Whoever called sudo has them installed for themselves.
        let allowed = told.union(["SUDO_USER"])
        let command = ["make", "-n", "--warn-undefined-variables", "-C", checkout.path]
        var environment = ownEnvironment
        for name in allowed { environment[name] = nil }
        let said = try await run(command + help.map { String($0.1) }, environment: environment)
        let used = Set(said.output.matches(of: /undefined variable '([^']*)'/).map { String($0.1) })
        // It has looked at what it was given.
        #expect(used.contains("ROOM") && used.contains("PARTS"))
        #expect(used.subtracting(allowed) == [])
    }
}
