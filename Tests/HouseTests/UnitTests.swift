import Foundation
import Testing

@Suite("The system's units, as systemd reads them")
struct UnitTests {
    /// What systemd-analyze gives a unit at most, times ten. What is left: the front is root and may look up its callers;
    /// what runs PAM reads every file, and what looks at a camera sees that too; the server speaks with the network.
    private static let thresholds = [
        "thumbturn.service": 14, "thumbturn-device@.service": 12, "thumbturn-tpm.service": 6, "thumbturn-reader.service": 9,
        "thumbturn-passcode@.service": 17, "thumbturn-face@.service": 22, "thumbturn-server.service": 15,
    ]
    /// A moment, and one word to the service manager.
    private static let withoutSandbox = "thumbturn-hibernate.service"

    /// Installed below a folder, and reachable as it will be: units name their programs by whole paths.
    private func withInstalled(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try makePrograms(in: folder.appending(path: "bin"))
            let (prefix, staged) = (folder.path + "/turn", folder.path + "/staged")
            let outcome = try await run([
                "make", "-C", checkout.path, "install", "BIN=\(folder.appending(path: "bin").path)", "PREFIX=\(prefix)",
                "DESTDIR=\(staged)",
            ])
            try #require(outcome.status == 0, "\(outcome.output)")
            try FileManager.default.createSymbolicLink(atPath: prefix, withDestinationPath: staged + prefix)
            try await body(folder)
        }
    }

    /// The whole paths of a mode's units.
    private func units(_ folder: URL, _ mode: String) throws -> [String] {
        let units = folder.path + "/turn/lib/systemd/" + mode
        return try FileManager.default.contentsOfDirectory(atPath: units).sorted().map { units + "/" + $0 }
    }

    @Test("Every line of every unit is one that systemd knows, and the programs are where they are said to be")
    func verified() async throws {
        try await withInstalled { folder in
            let runtime = folder.appending(path: "runtime")
            try FileManager.default.createDirectory(
                at: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let environment = ownEnvironment.merging(["XDG_RUNTIME_DIR": runtime.path]) { $1 }
            for (mode, word) in [("system", "--system"), ("user", "--user")] {
                let units = try units(folder, mode)
                try #require(units.count >= 7)
                let outcome = try await run(["systemd-analyze", word, "verify"] + units, environment: environment)
                #expect(outcome.status == 0 && outcome.output.isEmpty, "\(mode): \(outcome.output)")
            }
            // A word that it doesn't know is told, and so is a program that isn't there: silence means something.
            let service = try String(contentsOfFile: folder.path + "/turn/lib/systemd/system/thumbturn.service", encoding: .utf8)
            for (word, other) in [("PrivateTmp=", "PrivateTemper="), ("/thumbturn-front\n", "/thumbturn-back\n")] {
                let unit = folder.appending(path: "other.service")
                try unit.write(service.replacingOccurrences(of: word, with: other))
                #expect(try await run(["systemd-analyze", "verify", unit.path]).output.contains(other.dropLast()))
            }
        }
    }

    @Test("Each sandbox is as tight as it was: systemd's own measure stays below what it may be")
    func security() async throws {
        try await withInstalled { folder in
            func judged(_ path: String, _ threshold: Int) async throws -> Outcome {
                try await run([
                    "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=\(threshold)", path,
                ])
            }
            let services = try units(folder, "system").filter { $0.hasSuffix(".service") }
            try #require(services.count == Self.thresholds.count + 1)
            for path in services where !path.hasSuffix(Self.withoutSandbox) {
                let name = String(path.split(separator: "/").last ?? "")
                let threshold = try #require(Self.thresholds[name], "\(name)")
                let outcome = try await judged(path, threshold)
                #expect(outcome.status == 0, "\(name): \(outcome.output)")
                // With all of root's rights it would be too much.
                let open = folder.appending(path: "open-" + name)
                let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                try open.write(lines.filter { !$0.hasPrefix("CapabilityBoundingSet=") }.joined(separator: "\n"))
                #expect(try await judged(open.path, threshold).status != 0, "\(name)")
            }
        }
    }

    @Test("The daemon's units bound its memory and its threads, with room for what it may hold and two stretches")
    func bounds() throws {
        let mebibytes = ["system/thumbturn-device@.service": 384, "thumbturn.service": 384]
        for (name, most) in mebibytes {
            let unit = try String(contentsOf: checkout.appending(path: "systemd/" + name), encoding: .utf8)
            let lines = Dictionary(
                unit.split(separator: "\n").filter { $0.contains("=") && !$0.hasPrefix("#") }.map { line in
                    let parts = line.split(separator: "=", maxSplits: 1)
                    return (String(parts[0]), String(parts.last ?? ""))
                }, uniquingKeysWith: { $1 })
            #expect(lines["MemoryMax"] == "\(most)M", "\(name)")
            // 64 MiB for clients, two stretches, a store's cache.
            #expect(most > 64 + 2 * 64 + 24)
            #expect((Int(lines["TasksMax"] ?? "") ?? 0) >= 64, "\(name)")
        }
    }

    @Test("Before each way of writing memory to a disk that this systemd has, the daemon ends")
    func hibernation() async throws {
        let folder = "/usr/lib/systemd/system"
        let writing = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            guard name.hasSuffix(".service"), let unit = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) else {
                return false
            }
            return ["hibernate", "hybrid-sleep", "suspend-then-hibernate"].contains { unit.contains("/systemd-sleep \($0)\n") }
        }
        try #require(writing.count == 3)
        let ours = checkout.appending(path: "systemd/system/" + Self.withoutSandbox)
        let lines = try String(contentsOf: ours, encoding: .utf8).split(separator: "\n")
        for word in ["Before=", "WantedBy="] {
            let named = lines.first { $0.hasPrefix(word) }?.dropFirst(word.count).split(separator: " ").map(String.init)
            #expect(Set(named ?? []) == Set(writing), "\(word)")
        }
        let ended = ["thumbturn", "thumbturn-tpm", "thumbturn-reader", "thumbturn-*@*"].map { $0 + ".service" }
        #expect(lines.contains { $0 == "ExecStart=systemctl stop " + ended.joined(separator: " ") })
    }

    @Test("The folders are made with root's modes", .enabled(if: geteuid() == 0, "takes root"))
    func folders() async throws {
        try await withInstalled { folder in
            let root = folder.appending(path: "root")
            for name in ["tmpfiles.d", "sysusers.d"] {
                let target = root.appending(path: "usr/lib/\(name)")
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                try FileManager.default.copyItem(
                    at: folder.appending(path: "turn/lib/\(name)/thumbturn.conf"), to: target.appending(path: "thumbturn.conf"))
            }
            try root.appending(path: "etc/group").write("")
            try root.appending(path: "etc/passwd").write("")
            for tool in [["systemd-sysusers"], ["systemd-tmpfiles", "--create"]] {
                let outcome = try await run(tool + ["--root=\(root.path)", "thumbturn.conf"])
                #expect(outcome.status == 0, "\(outcome.output)")
            }
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: root.path + path)[.posixPermissions] as? Int
            }
            #expect(try mode("/run/thumbturn") == 0o755)
            #expect(try mode("/var/lib/thumbturn") == 0o700)
            #expect(try String(contentsOf: root.appending(path: "etc/group"), encoding: .utf8).hasPrefix("tss:"))
        }
    }
}
