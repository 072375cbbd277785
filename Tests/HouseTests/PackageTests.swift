import Foundation
import Testing

/// A system in a folder, into which dpkg installs from outside: `--force-script-chrootless`. A root of Debian's own would have to be
/// fetched, and the maintainer's scripts do the same work here, below `$DPKG_ROOT`; what speaks with a running systemd isn't run.
private struct ThrowAway {
    let folder: URL
    var root: URL { folder.appending(path: "root") }

    init(in folder: URL) throws {
        self.folder = folder
        for name in ["info", "updates", "triggers"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "root/var/lib/dpkg/\(name)"), withIntermediateDirectories: true)
        }
        try FileManager.default.createDirectory(at: root.appending(path: "usr/lib"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: root.path + "/lib", withDestinationPath: "usr/lib")
        try root.appending(path: "var/lib/dpkg/status").write("")
        try makePrograms(in: folder.appending(path: "bin"))
    }

    /// The package's path.
    func package(_ version: String) async throws -> String {
        let made = try await run(
            [checkout.appending(path: "scripts/deb").path, folder.appending(path: "out").path],
            environment: [
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "BIN": folder.appending(path: "bin").path, "VERSION": version,
                "COMPRESSION": "none",
            ])
        try #require(made.status == 0, "\(made.output)")
        return try #require(made.lines.last)
    }

    func dpkg(_ words: String...) async throws {
        let outcome = try await run(
            ["dpkg", "--root=\(root.path)", "--log=/dev/null", "--force-script-chrootless", "--force-depends"] + words)
        try #require(outcome.status == 0, "\(outcome.output)")
    }

    func has(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: root.path + path)) != nil
    }

    static let (marker, keybag) = ("/etc/thumbturn/system-mode", "/var/lib/thumbturn/1000/keybag")
    static let wanted = "/etc/systemd/system/sockets.target.wants/thumbturn.socket"
    /// What is switched on beside it.
    static let others = [
        "/etc/systemd/system/sockets.target.wants/thumbturn-passcode.socket",
        "/etc/systemd/system/sockets.target.wants/thumbturn-face.socket",
        "/etc/systemd/system/systemd-hibernate.service.wants/thumbturn-hibernate.service",
        "/etc/systemd/user/graphical-session.target.wants/thumbturn-window.socket",
    ]
}

@Suite("The Debian package", .enabled(if: geteuid() == 0, "dpkg takes root"))
struct PackageTests {
    @Test("Installed, it is all there, switched on, and clients are kept to it; all of it is root's")
    func install() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            try await machine.dpkg("-i", machine.package("1.0"))
            for path in [
                "/usr/bin/thumbturn", "/usr/libexec/thumbturn/thumbturnd", "/usr/lib/systemd/system/thumbturn.service",
                "/usr/lib/tmpfiles.d/thumbturn.conf", "/usr/lib/sysusers.d/thumbturn.conf", "/etc/pam.d/thumbturn",
                "/usr/share/man/man1/thumbturn.1", "/usr/share/man/man8/thumbturnd.8",
                ThrowAway.marker, ThrowAway.wanted,
            ] + ThrowAway.others {
                #expect(machine.has(path), "\(path)")
                let attributes = try FileManager.default.attributesOfItem(atPath: machine.root.path + path)
                #expect(attributes[.ownerAccountID] as? Int == 0)
                if attributes[.type] as? FileAttributeType == .typeRegular {
                    #expect((attributes[.posixPermissions] as? Int ?? 0o777) & 0o022 == 0, "\(path)")
                }
            }
            let unit = machine.root.appending(path: "usr/lib/systemd/system/thumbturn.service")
            #expect(
                try String(contentsOf: unit, encoding: .utf8).contains(
                    "\nExecStart=/usr/libexec/thumbturn/thumbturnd --system\n"))
        }
    }

    @Test("Upgraded, it keeps users' items, the marker, and the owner's word that it is switched off")
    func upgrade() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            try await machine.dpkg("-i", machine.package("1.0"))
            try machine.root.appending(path: ThrowAway.keybag).write("items")
            for link in [ThrowAway.wanted] + ThrowAway.others {
                try FileManager.default.removeItem(atPath: machine.root.path + link)
            }
            try machine.root.appending(path: "etc/pam.d/thumbturn").write("# mine\n")
            try await machine.dpkg("-i", machine.package("1.1"))
            let status = try String(contentsOf: machine.root.appending(path: "var/lib/dpkg/status"), encoding: .utf8)
            #expect(status.contains("Version: 1.1") && status.contains("Status: install ok installed"))
            #expect(machine.has(ThrowAway.keybag) && machine.has(ThrowAway.marker))
            #expect(([ThrowAway.wanted] + ThrowAway.others).allSatisfy { !machine.has($0) })
            // What an administrator changed is theirs.
            let service = machine.root.appending(path: "etc/pam.d/thumbturn")
            #expect(try String(contentsOf: service, encoding: .utf8) == "# mine\n")
        }
    }

    @Test("Removed, it leaves users' items and root's registry, and nothing that programs would be kept to; purged, neither")
    func remove() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            let before = Set(try files(below: machine.root).filter { !$0.contains("var/lib/dpkg") })
            try await machine.dpkg("-i", machine.package("1.0"))
            try machine.root.appending(path: ThrowAway.keybag).write("items")
            try machine.root.appending(path: "etc/thumbturn/protected").write("registry")
            try await machine.dpkg("-r", "thumbturn")
            #expect(machine.has(ThrowAway.keybag) && machine.has("/etc/thumbturn/protected"))
            #expect(!machine.has(ThrowAway.marker) && !machine.has("/usr/libexec/thumbturn"))
            // Installed again, all is as it was.
            try await machine.dpkg("-i", machine.package("1.0"))
            #expect(machine.has(ThrowAway.keybag) && machine.has(ThrowAway.marker) && machine.has(ThrowAway.wanted))
            #expect(ThrowAway.others.allSatisfy(machine.has))
            try await machine.dpkg("-P", "thumbturn")
            #expect(Set(try files(below: machine.root).filter { !$0.contains("var/lib/dpkg") }) == before)
            #expect(!machine.has("/var/lib/thumbturn") && !machine.has("/etc/thumbturn"))
        }
    }

    @Test("The prompts are vouched for once it is installed, upgraded and installed again; purged, their groups are gone")
    func prompts() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            // What makes the groups is the real command, and it wants real programs.
            for name in ["thumbturn", "thumbturn-prompt", "thumbturn-window-launcher"] {
                let copy = folder.appending(path: "bin/" + name)
                try FileManager.default.removeItem(at: copy)
                try FileManager.default.copyItem(at: built.appending(path: name), to: copy)
            }
            let groups = machine.root.appending(path: "etc/group")
            try groups.write("users:x:100:\n")
            /// The prompts' groups, as long as their files have them.
            func vouched() throws -> [Int] {
                try ["thumbturn-prompt", "thumbturn-window-launcher"].compactMap { name in
                    let path = machine.root.path + "/usr/libexec/thumbturn/" + name
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    let hasBit = attributes[.posixPermissions] as? Int == 0o2755
                    return hasBit ? attributes[.groupOwnerAccountID] as? Int : nil
                }
            }
            try await machine.dpkg("-i", machine.package("1.0"))
            let first = try vouched()
            let registry = machine.root.appending(path: "etc/thumbturn/protected")
            let lines = try String(contentsOf: registry, encoding: .utf8)
            #expect(Set(first).count == 2 && first.allSatisfy { lines.contains("\n\($0) ") }, "\(first) \(lines)")
            try await machine.dpkg("-i", machine.package("1.1"))
            #expect(try vouched() == first)
            try await machine.dpkg("-r", "thumbturn")
            try await machine.dpkg("-i", machine.package("1.1"))
            #expect(try vouched() == first)
            #expect(try String(contentsOf: registry, encoding: .utf8) == lines)
            try await machine.dpkg("-P", "thumbturn")
            #expect(try String(contentsOf: groups, encoding: .utf8) == "users:x:100:\n")
        }
    }

    @Test("It depends on the packages whose libraries its programs load")
    func dependencies() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            // A program of the machine's that loads some of the same, in the place of one that installing doesn't run.
            let program = folder.appending(path: "bin/thumbturn-login")
            try FileManager.default.removeItem(at: program)
            try FileManager.default.copyItem(atPath: "/usr/bin/openssl", toPath: program.path)
            let outcome = try await run(["dpkg-deb", "-f", machine.package("1.0"), "Depends"])
            let packages = outcome.output.split(whereSeparator: { ", \n".contains($0) }).map(String.init)
            #expect(packages.contains("libssl3") && packages.contains("libc6") && packages.contains("systemd"), "\(packages)")
        }
    }
}
