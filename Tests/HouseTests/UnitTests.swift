import Foundation
import Testing

@Suite("The system's units, as systemd reads them")
struct UnitTests {
    /// What systemd-analyze gives a unit at most, times ten: what is left is that the daemon is root, may look up its callers, and
    /// has the TPM.
    private static let threshold = 15

    private func withInstalled(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try makePrograms(in: folder.appending(path: "bin"))
            let outcome = try await run([
                "make", "-C", checkout.path, "install", "BIN=\(folder.appending(path: "bin").path)",
                "PREFIX=\(folder.appending(path: "turn").path)", "DESTDIR=",
            ])
            try #require(outcome.status == 0, "\(outcome.output)")
            try await body(folder)
        }
    }

    @Test("Every line is one that systemd knows, and the programs are where they are said to be")
    func verified() async throws {
        try await withInstalled { folder in
            let units = folder.path + "/turn/lib/systemd/system/thumbturn."
            let outcome = try await run(["systemd-analyze", "verify", units + "socket", units + "service"])
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
            // A word that it doesn't know is told, so that silence means something.
            let service = try String(contentsOfFile: units + "service", encoding: .utf8)
            let other = folder.appending(path: "other.service")
            try other.write(service.replacingOccurrences(of: "PrivateTmp=", with: "PrivateTemper="))
            #expect(try await run(["systemd-analyze", "verify", other.path]).output.contains("PrivateTemper"))
        }
    }

    @Test("The sandbox is as tight as it was: systemd's own measure stays below what it may be")
    func security() async throws {
        try await withInstalled { folder in
            let unit = folder.path + "/turn/lib/systemd/system/thumbturn.service"
            func judged(_ path: String) async throws -> Outcome {
                try await run([
                    "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=\(Self.threshold)", path,
                ])
            }
            let outcome = try await judged(unit)
            #expect(outcome.status == 0, "\(outcome.output)")
            // With all of root's rights it would be too much.
            let open = folder.appending(path: "open.service")
            let lines = try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n")
            try open.write(lines.filter { !$0.hasPrefix("CapabilityBoundingSet=") }.joined(separator: "\n"))
            #expect(try await judged(open.path).status != 0)
        }
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
