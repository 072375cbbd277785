import Foundation
import Testing

/// The checkout that these tests were compiled from.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// What `swift package dump-package` says of it. Asked once, in a scratch folder of its own: `swift test` may hold the usual one.
let dumpedManifest = Task {
    try await withTemporaryFolder { scratch in
        // The whole house, also what a build has only where it is asked for.
        let whole = ownEnvironment.merging(["THUMBTURN_WINDOW": "1", "THUMBTURN_FUZZ": "1"]) { $1 }
        let outcome = try await run(
            [
                "swift", "package", "--package-path", checkout.path, "--scratch-path", scratch.path, "--manifest-cache", "none",
                "dump-package",
            ], environment: whole)
        try #require(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }
}

/// A copy of the house in which a test may plant what doesn't belong there.
struct HouseCopy {
    let root: URL
    private var manifest: URL { root.appending(path: "dumped.json") }

    init(in folder: URL) async throws {
        root = folder
        let files = FileManager.default
        try files.createDirectory(at: root.appending(path: "scripts"), withIntermediateDirectories: true)
        for name in ["Package.swift", "Sources", "scripts/house.txt"] {
            try files.copyItem(at: checkout.appending(path: name), to: root.appending(path: name))
        }
        try manifest.write(try await dumpedManifest.value)
    }

    /// Writes a Swift file into a folder of `Sources`.
    func plant(_ code: String, in room: String) throws {
        try root.appending(path: "Sources/\(room)/Planted.swift").write(code)
    }

    /// Changes one target of the dumped manifest.
    func change(_ target: String, _ change: (inout [String: Any]) -> Void) throws {
        var dump = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any])
        var targets = try #require(dump["targets"] as? [[String: Any]])
        let index = try #require(targets.firstIndex { $0["name"] as? String == target }, "no target \(target)")
        change(&targets[index])
        dump["targets"] = targets
        try JSONSerialization.data(withJSONObject: dump).write(to: manifest)
    }

    /// Draws an arrow that Package.swift doesn't have.
    func draw(_ target: String, to other: String) throws {
        try change(target) { target in
            let arrows = target["dependencies"] as? [Any] ?? []
            target["dependencies"] = arrows + [["byName": [other, NSNull()] as [Any]]]
        }
    }

    func check() async throws -> Outcome {
        try await run([
            checkout.appending(path: "scripts/check-house").path, "--root", root.path, "--manifest", manifest.path,
        ])
    }
}
