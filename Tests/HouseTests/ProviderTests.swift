import Foundation
import Testing

@Suite("Which Debian packages have the headers of the doors") struct ProviderTests {
    /// Each door of the manifest, with the packages that it names.
    private func doors() async throws -> [String: [String]] {
        let dump = try #require(
            try JSONSerialization.jsonObject(with: Data(try await dumpedManifest.value.utf8)) as? [String: Any])
        let targets = try #require(dump["targets"] as? [[String: Any]]).filter { $0["type"] as? String == "system" }
        return try Dictionary(
            uniqueKeysWithValues: targets.map { target in
                let providers = target["providers"] as? [[String: [[String]]]] ?? []
                return (try #require(target["name"] as? String), providers.flatMap { ($0["apt"] ?? []).flatMap { $0 } })
            })
    }

    private func packages(_ need: String) throws -> Set<String> {
        let text = try String(contentsOf: checkout.appending(path: "scripts/packages-\(need)"), encoding: .utf8)
        return Set(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
                $0.split(separator: " ").first.map(String.init)
            })
    }

    @Test("Every door names its packages, and scripts/setup installs each of them before anything is built")
    func everyDoor() async throws {
        let doors = try await doors()
        #expect(doors.count >= 10)
        // What gcc brings along.
        let listed = try Set(["app", "demo", "build"].flatMap { try packages($0) }).union(["libc6-dev"])
        for (door, packages) in doors {
            #expect(!packages.isEmpty, "\(door)")
            #expect(Set(packages).subtracting(listed) == [], "\(door)")
        }
    }

    @Test("A build without a door's headers fails with the command that installs them, and with all that an app needs at once")
    func missingHeaders() async throws {
        // An app's build reaches two doors, and its tests three more. Whichever fails first names them all.
        let together = [["CThumbOpenSSL", "CThumbArgon2"], ["CThumbSQLite", "CThumbSystemd", "CThumbTSS"]]
        let doors = try await doors()
        var tried = 0
        for (door, own) in doors where !["CThumbLinux", "CThumbGTK", "CVaultGTK"].contains(door) {
            let header = checkout.appending(path: "Sources/C/\(door.dropFirst("CThumb".count))/shim.h").path
            let outcome = try await run(["clang", "-fsyntax-only", "-nostdinc", "-x", "c", header])
            let said = try #require(outcome.lines.first { $0.contains("sudo apt-get install ") }, "\(door): \(outcome.output)")
            let wanted = together.first { $0.contains(door) }.map { $0.flatMap { doors[$0] ?? [] } } ?? own
            let named = said.split(separator: " ").map { $0.filter { $0 != "\"" } }
            #expect(outcome.status != 0 && Set(wanted).isSubset(of: Set(named)), "\(door): \(said)")
            tried += 1
        }
        #expect(tried >= 8)
    }

    @Test("The list for apps has the packages of the doors that an app reaches, and no other door's")
    func apps() async throws {
        let doors = try await doors()
        let app = try packages("app")
        for (door, packages) in doors where door != "CThumbLinux" {
            #expect(app.isSuperset(of: packages) == ["CThumbOpenSSL", "CThumbArgon2"].contains(door), "\(door)")
        }
    }
}
