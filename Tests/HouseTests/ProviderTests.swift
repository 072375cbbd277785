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

    @Test("The list for apps has the packages of the doors that an app reaches, and no other door's")
    func apps() async throws {
        let doors = try await doors()
        let app = try packages("app")
        for (door, packages) in doors where door != "CThumbLinux" {
            #expect(app.isSuperset(of: packages) == ["CThumbOpenSSL", "CThumbArgon2"].contains(door), "\(door)")
        }
    }
}
