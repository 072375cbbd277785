import Foundation
import Testing
import thumbturn_test_programs

/// The packages that the tests install, each version made once. What they have is scripts that print their arguments, but for the
/// command, which the maintainer's scripts run, programs in the prompts' places, and one of the machine's that loads libraries.
private actor Packages {
    static let shared = Packages()
    private var made: [String: Task<[String: String], any Error>] = [:]

    /// Their paths by their names.
    func version(_ version: String) async throws -> [String: String] {
        let making = made[version] ?? Task { try await Self.make(version) }
        made[version] = making
        return try await making.value
    }

    private static func make(_ version: String) async throws -> [String: String] {
        // Beside what is built, and made anew by each run.
        let folder = builtPrograms.deletingLastPathComponent().appending(path: "test-packages/" + version)
        try? FileManager.default.removeItem(at: folder)
        let programs = folder.appending(path: "bin")
        try makePrograms(in: programs)
        for (name, program) in [
            ("thumbturn", builtPrograms.appending(path: "thumbturn").path),
            ("thumbturn-window-launcher", builtPrograms.appending(path: "thumbturn-window-launcher").path),
            ("thumbturn-prompt", "/usr/bin/true"), ("thumbturn-secrets", "/usr/bin/true"),
            ("thumbturn-passcode", "/usr/bin/openssl"),
        ] {
            try FileManager.default.removeItem(at: programs.appending(path: name))
            try copyProgram(at: program, to: programs.appending(path: name).path)
        }
        let outcome = try await run(
            [checkout.appending(path: "scripts/deb").path, folder.path],
            environment: [
                "PATH": ownEnvironment["PATH"] ?? "", "BIN": programs.path, "VERSION": version, "COMPRESSION": "none",
                "DEB_BUILD_OPTIONS": "nostrip noautodbgsym",
            ])
        try #require(outcome.status == 0, "\(outcome.output)")
        let paths = outcome.lines.map { path in
            (path.split(separator: "/").last?.split(separator: "_").first.map(String.init) ?? "", path)
        }
        return Dictionary(paths) { $1 }
    }
}

/// A system in a folder, into which dpkg installs from outside: `--force-script-chrootless`. A root of Debian's own would have to be
/// fetched, and the maintainer's scripts do the same work here, below `$DPKG_ROOT`; what speaks with a running systemd isn't run, and
/// neither are units of users' own switched on. The machine that boots shows both.
private struct ThrowAway {
    let folder: URL
    var root: URL { folder.appending(path: "root") }

    init(in folder: URL) throws {
        self.folder = folder
        for name in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "var/cache/debconf", "usr/lib", "etc"]
        {
            try FileManager.default.createDirectory(at: root.appending(path: name), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(atPath: root.path + "/lib", withDestinationPath: "usr/lib")
        try root.appending(path: "var/lib/dpkg/status").write("")
        for (name, text) in [("passwd", "root:x:0:0::/root:/bin/sh\n"), ("group", "users:x:100:\n")] {
            try root.appending(path: "etc/" + name).write(text)
        }
        try FileManager.default.copyItem(atPath: "/etc/debconf.conf", toPath: root.path + "/etc/debconf.conf")
    }

    /// Those that a desktop has.
    func desktop(_ version: String) async throws -> [String] {
        let packages = try await Packages.shared.version(version)
        return try ["thumbturn-runtime", "thumbturn", "thumbturn-window"].map { try #require(packages[$0], "\(packages)") }
    }

    func dpkg(_ words: [String]) async throws {
        let outcome = try await run(
            ["dpkg", "--root=\(root.path)", "--log=/dev/null", "--force-script-chrootless", "--force-depends"] + words,
            environment: ownEnvironment.merging(["DEBIAN_FRONTEND": "noninteractive"]) { $1 })
        try #require(outcome.status == 0, "\(outcome.output)")
        // What the scripts couldn't do they say, and go on.
        #expect(!outcome.output.contains("try again"), "\(outcome.output)")
    }

    /// Answers debconf's question before it is asked.
    func answer(_ isOn: Bool) async throws {
        let answers = folder.appending(path: "answers")
        try answers.write("thumbturn thumbturn/system-mode boolean \(isOn)\n")
        let outcome = try await run(
            ["debconf-set-selections", answers.path], environment: ownEnvironment.merging(["DPKG_ROOT": root.path]) { $1 })
        try #require(outcome.status == 0, "\(outcome.output)")
    }

    func switchMode(_ word: String) async throws {
        let outcome = try await run([builtPrograms.appending(path: "thumbturn").path, "system-mode", word, "--root", root.path])
        try #require(outcome.status == 0, "\(outcome.output)")
    }

    func has(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: root.path + path)) != nil
    }

    func text(_ path: String) throws -> String { try String(contentsOf: root.appending(path: path), encoding: .utf8) }

    /// The groups that the files of the prompts and the provider have, of those that have one.
    func vouched() throws -> [Int] {
        try ["thumbturn-prompt", "thumbturn-secrets", "thumbturn-window-launcher"].compactMap { name in
            let path = root.path + "/usr/libexec/thumbturn/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let hasBit = attributes[.posixPermissions] as? Int == 0o2755
            return hasBit ? attributes[.groupOwnerAccountID] as? Int : nil
        }
    }

    /// What isn't dpkg's or debconf's own notes.
    func contents() throws -> Set<String> {
        Set(try files(below: root).filter { !$0.hasPrefix("var/lib/dpkg") && !$0.hasPrefix("var/cache/debconf") })
    }

    static let (marker, keybag) = ("/etc/thumbturn/system-mode", "/var/lib/thumbturn/1000/keybag")
    /// What wants the units of system mode, which run only where the marker is.
    static let wanted = [
        "/etc/systemd/system/sockets.target.wants/thumbturn.socket",
        "/etc/systemd/system/sockets.target.wants/thumbturn-login.socket",
        "/etc/systemd/system/sockets.target.wants/thumbturn-passcode.socket",
        "/etc/systemd/system/sockets.target.wants/thumbturn-face.socket",
        "/etc/systemd/system/systemd-hibernate.service.wants/thumbturn-hibernate.service",
    ]
}

@Suite("The Debian packages", .enabled(if: geteuid() == 0, "dpkg takes root"), .serialized)
struct PackageTests {
    @Test("Installed, all is there and root's, and nothing is chosen: no marker, no group, no prompt that is vouched for")
    func install() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            try await machine.dpkg(["-i"] + machine.desktop("1.0"))
            for path in [
                "/usr/bin/thumbturn", "/usr/libexec/thumbturn/thumbturnd", "/usr/lib/systemd/system/thumbturn.service",
                "/usr/lib/systemd/user/thumbturn-window.socket", "/usr/lib/tmpfiles.d/thumbturn.conf",
                "/usr/lib/sysusers.d/thumbturn.conf", "/etc/pam.d/thumbturn", "/usr/share/man/man1/thumbturn.1.gz",
                "/usr/share/man/man8/thumbturnd.8.gz", "/usr/share/doc/thumbturn/copyright",
                "/usr/share/applications/thumbturn-window.desktop",
            ] + ThrowAway.wanted {
                #expect(machine.has(path), "\(path)")
                let attributes = try FileManager.default.attributesOfItem(atPath: machine.root.path + path)
                #expect(attributes[.ownerAccountID] as? Int == 0)
                if attributes[.type] as? FileAttributeType == .typeRegular {
                    #expect((attributes[.posixPermissions] as? Int ?? 0o777) & 0o022 == 0, "\(path)")
                }
            }
            #expect(!machine.has("/etc/thumbturn") && !machine.has("/usr/bin/thumbturn-server"))
            #expect(try machine.vouched() == [] && !machine.text("etc/group").contains("thumbturn"))
            let unit = try machine.text("usr/lib/systemd/system/thumbturn.service")
            #expect(unit.contains("\nExecStart=/usr/libexec/thumbturn/thumbturn-front\n"))
        }
    }

    @Test("No package has a path that is the administrator's own, and each unit lies in the package of its program")
    func division() async throws {
        try await withTemporaryFolder { folder in
            var places: [String: String] = [:]
            for (name, path) in try await Packages.shared.version("1.0") {
                let root = folder.appending(path: "of-" + name)
                let outcome = try await run(["dpkg-deb", "-x", path, root.path])
                try #require(outcome.status == 0, "\(outcome.output)")
                for file in try files(below: root) {
                    #expect(places.updateValue(name, forKey: file) == nil, "\(file) is in two packages")
                    #expect(!file.contains("usr/local"), "\(file)")
                    // And no unit or setting names one.
                    let folders = ["lib/systemd/", "usr/lib/systemd/", "usr/lib/sysusers.d/", "usr/lib/tmpfiles.d/", "etc/"]
                    if folders.contains(where: file.hasPrefix) {
                        let bytes = try Data(contentsOf: root.appending(path: file))
                        #expect(!String(decoding: bytes, as: UTF8.self).contains("/usr/local"), "\(file)")
                    }
                }
            }
            for (file, package) in [
                ("lib/systemd/system/thumbturn.socket", "thumbturn"),
                ("lib/systemd/system/thumbturn-hibernate.service", "thumbturn"),
                ("usr/lib/systemd/user/thumbturn-window.socket", "thumbturn-window"),
                ("lib/systemd/system/thumbturn-server.service", "thumbturn-server"),
                ("usr/share/man/man8/thumbturn-server.8.gz", "thumbturn-server"),
                ("usr/libexec/thumbturn/thumbturn-sign-in", "thumbturn-sign-in"),
                ("usr/libexec/thumbturn/thumbturn-simulator", "thumbturn-simulator"),
                ("usr/share/thumbturn/package/Package.swift", "thumbturn-dev"),
            ] { #expect(places[file] == package, "\(file)") }
            // Each unit of the tree is in one of them.
            let units = try files(below: checkout.appending(path: "systemd")).map {
                $0.split(separator: "/").last.map(String.init) ?? ""
            }
            for unit in units where unit.hasPrefix("thumbturn") {
                #expect(places.keys.contains { $0.hasSuffix("/" + unit) }, "\(unit)")
            }
        }
    }

    @Test(
        "Upgraded, each mode stays what it was, whatever was answered; users' items and an administrator's changes stay",
        arguments: [true, false])
    func upgrade(isOn: Bool) async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            try await machine.answer(!isOn)
            try await machine.dpkg(["-i"] + machine.desktop("1.0"))
            #expect(machine.has(ThrowAway.marker) == !isOn)
            try await machine.switchMode(isOn ? "on" : "off")
            let vouched = try machine.vouched()
            #expect(vouched.count == (isOn ? 3 : 0))
            try machine.root.appending(path: ThrowAway.keybag).write("items")
            // What an administrator switched off, and what they changed, is theirs.
            let face = machine.root.path + ThrowAway.wanted[2]
            if isOn { try FileManager.default.removeItem(atPath: face) }
            try machine.root.appending(path: "etc/pam.d/thumbturn").write("# mine\n")
            try await machine.dpkg(["-i"] + machine.desktop("1.1"))
            let status = try machine.text("var/lib/dpkg/status")
            #expect(status.contains("Version: 1.1") && status.contains("Status: install ok installed"))
            #expect(machine.has(ThrowAway.keybag) && machine.has(ThrowAway.marker) == isOn)
            #expect(try machine.vouched() == vouched)
            #expect(!isOn || !machine.has(ThrowAway.wanted[2]) && machine.has(ThrowAway.wanted[0]))
            #expect(try machine.text("etc/pam.d/thumbturn") == "# mine\n")
        }
    }

    @Test("The answer to debconf's question switches system mode on, when the packages are new")
    func answered() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            try await machine.answer(true)
            try await machine.dpkg(["-i"] + machine.desktop("1.0"))
            #expect(machine.has(ThrowAway.marker) && ThrowAway.wanted.allSatisfy(machine.has))
            #expect(try Set(machine.vouched()).count == 3)
        }
    }

    @Test(
        "Removed, they leave users' items and root's registry, and nothing that programs would be kept to; installed again the mode is what it was; purged, nothing is left"
    )
    func remove() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            let before = try machine.contents()
            let desktop = try await machine.desktop("1.0")
            try await machine.dpkg(["-i"] + desktop)
            try await machine.switchMode("on")
            let vouched = try machine.vouched()
            try machine.root.appending(path: ThrowAway.keybag).write("items")
            let registry = try machine.text("etc/thumbturn/protected")
            try await machine.dpkg(["-r", "thumbturn-window", "thumbturn", "thumbturn-runtime"])
            #expect(machine.has(ThrowAway.keybag) && machine.has("/etc/thumbturn/protected"))
            #expect(
                !machine.has(ThrowAway.marker) && !machine.has("/usr/libexec/thumbturn") && !machine.has("/usr/lib/thumbturn"))
            // Installed again, all is as it was.
            try await machine.dpkg(["-i"] + desktop)
            #expect(machine.has(ThrowAway.keybag) && machine.has(ThrowAway.marker))
            #expect(ThrowAway.wanted.allSatisfy(machine.has))
            #expect(try machine.vouched() == vouched && machine.text("etc/thumbturn/protected") == registry)
            try await machine.dpkg(["-P", "thumbturn-window", "thumbturn", "thumbturn-runtime"])
            // The tools that change groups leave their own.
            let left = try machine.contents().subtracting(before)
            #expect(left.subtracting(["etc/.pwd.lock", "etc/group-", "etc/gshadow", "etc/gshadow-"]) == [], "\(left)")
            #expect(!machine.has("/var/lib/thumbturn") && !machine.has("/etc/thumbturn"))
            #expect(try !machine.text("etc/group").contains("thumbturn"))
        }
    }

    @Test("The window's package purged alone takes its group along, and leaves system mode as it is")
    func window() async throws {
        try await withTemporaryFolder { folder in
            let machine = try ThrowAway(in: folder)
            try await machine.dpkg(["-i"] + machine.desktop("1.0"))
            try await machine.switchMode("on")
            try await machine.dpkg(["-P", "thumbturn-window"])
            #expect(machine.has(ThrowAway.marker))
            let (groups, registry) = (try machine.text("etc/group"), try machine.text("etc/thumbturn/protected"))
            #expect(groups.contains("thumbturn-prompt:") && !groups.contains("thumbturn-window:"))
            #expect(registry.contains(" prompt ") && !registry.contains(" window "))
        }
    }

    @Test("Each depends on the packages whose libraries its programs load, and on no other's")
    func dependencies() async throws {
        var needed: [String: String] = [:]
        let packages = try await Packages.shared.version("1.0")
        for (name, path) in packages { needed[name] = try await run(["dpkg-deb", "-f", path, "Depends"]).output }
        let main = needed["thumbturn"] ?? ""
        #expect(main.contains("libssl3 (>=") && main.contains("libc6 (>="), "\(main)")
        #expect(main.contains("thumbturn-runtime (= 1.0-1)") && needed["thumbturn-server"]?.contains("libssl3") == false)
        // What the programs share is in that package, with what it loads itself.
        let runtime = try await run(["dpkg-deb", "-c", try #require(packages["thumbturn-runtime"])])
        #expect(
            runtime.output.contains("/thumbturn/libswiftCore.so") && needed["thumbturn-runtime"]?.contains("libstdc++6") == true)
    }

    @Test("An app's manifest can name the package for apps, and finds each library that the documentation tells of")
    func forApps() async throws {
        let package = try #require(try await Packages.shared.version("1.0")["thumbturn-dev"])
        try await withTemporaryFolder { folder in
            let outcome = try await run(["dpkg-deb", "-x", package, folder.appending(path: "root").path])
            try #require(outcome.status == 0, "\(outcome.output)")
            try FileManager.default.createDirectory(at: folder.appending(path: "app"), withIntermediateDirectories: true)
            func describe(_ library: String) async throws -> Outcome {
                let manifest = """
                    // swift-tools-version: 6.2
                    import PackageDescription
                    let package = Package(
                        name: "app",
                        dependencies: [.package(name: "thumbturn", path: "../root/usr/share/thumbturn/package")],
                        targets: [.executableTarget(name: "app", dependencies: [.product(name: "\(library)", package: "thumbturn")])])
                    """
                try folder.appending(path: "app/Package.swift").write(manifest)
                try folder.appending(path: "app/Sources/app/main.swift").write("import \(library)\n")
                // The plan of a build finds each target's folder; nothing is built.
                return try await run(["swift", "build", "--package-path", folder.path + "/app", "--print-manifest-job-graph"])
            }
            for library in ["LocalAuthentication", "Security", "Thumbturn", "ThumbturnSimulator"] {
                let planned = try await describe(library)
                #expect(planned.status == 0, "\(library): \(planned.output.suffix(2000))")
            }
            #expect(try await describe("ThumbSignInServer").status != 0)
        }
    }
}
