import Foundation
import Testing
import thumbturn_test_programs

@Suite("Install and uninstall")
struct InstallTests {
    @Test("Install puts programs, units, completions and man pages in their places")
    func put() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await make("install", in: folder)
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(
                try files(below: folder.appending(path: "root")) == [
                    "etc/pam.d/thumbturn",
                    "opt/turn/bin/age-plugin-thumbturn",
                    "opt/turn/bin/cargo-credential-thumbturn",
                    "opt/turn/bin/docker-credential-thumbturn",
                    "opt/turn/bin/git-credential-thumbturn",
                    "opt/turn/bin/thumbturn",
                    "opt/turn/bin/thumbturn-ansible-client",
                    "opt/turn/bin/thumbturn-askpass",
                    "opt/turn/bin/thumbturn-aws-credentials",
                    "opt/turn/bin/thumbturn-kubectl-credentials",
                    "opt/turn/bin/thumbturn-server",
                    "opt/turn/include/thumbturn.h",
                    "opt/turn/lib/libthumbturn.a",
                    "opt/turn/lib/libthumbturn.so",
                    "opt/turn/lib/libthumbturn.so.0",
                    "opt/turn/lib/libthumbturn.so.0.1.0",
                    "opt/turn/lib/pkgconfig/thumbturn.pc",
                    "opt/turn/lib/security/pam_thumbturn.so",
                    "opt/turn/lib/systemd/system/thumbturn-device@.service",
                    "opt/turn/lib/systemd/system/thumbturn-device@.socket",
                    "opt/turn/lib/systemd/system/thumbturn-face.socket",
                    "opt/turn/lib/systemd/system/thumbturn-face@.service",
                    "opt/turn/lib/systemd/system/thumbturn-hibernate.service",
                    "opt/turn/lib/systemd/system/thumbturn-login.socket",
                    "opt/turn/lib/systemd/system/thumbturn-passcode.socket",
                    "opt/turn/lib/systemd/system/thumbturn-passcode@.service",
                    "opt/turn/lib/systemd/system/thumbturn-reader.service",
                    "opt/turn/lib/systemd/system/thumbturn-reader.socket",
                    "opt/turn/lib/systemd/system/thumbturn-server.service",
                    "opt/turn/lib/systemd/system/thumbturn-tpm.service",
                    "opt/turn/lib/systemd/system/thumbturn-tpm.socket",
                    "opt/turn/lib/systemd/system/thumbturn.service",
                    "opt/turn/lib/systemd/system/thumbturn.socket",
                    "opt/turn/lib/systemd/user/thumbturn-companion.service",
                    "opt/turn/lib/systemd/user/thumbturn-passcode.socket",
                    "opt/turn/lib/systemd/user/thumbturn-passcode@.service",
                    "opt/turn/lib/systemd/user/thumbturn-polkit.service",
                    "opt/turn/lib/systemd/user/thumbturn-secrets.service",
                    "opt/turn/lib/systemd/user/thumbturn-ssh-agent.service",
                    "opt/turn/lib/systemd/user/thumbturn-ssh-agent.socket",
                    "opt/turn/lib/systemd/user/thumbturn-window.service",
                    "opt/turn/lib/systemd/user/thumbturn-window.socket",
                    "opt/turn/lib/systemd/user/thumbturn.service",
                    "opt/turn/lib/systemd/user/thumbturn.socket",
                    "opt/turn/lib/sysusers.d/thumbturn.conf",
                    "opt/turn/lib/tmpfiles.d/thumbturn.conf",
                    "opt/turn/libexec/thumbturn/takeover/gnome-keyring-secrets.desktop",
                    "opt/turn/libexec/thumbturn/takeover/org.freedesktop.impl.portal.Secret.service",
                    "opt/turn/libexec/thumbturn/takeover/org.freedesktop.impl.portal.desktop.thumbturn.service",
                    "opt/turn/libexec/thumbturn/takeover/org.freedesktop.secrets.service",
                    "opt/turn/libexec/thumbturn/takeover/org.gnome.keyring.service",
                    "opt/turn/libexec/thumbturn/thumbturn-companion",
                    "opt/turn/libexec/thumbturn/thumbturn-front",
                    "opt/turn/libexec/thumbturn/thumbturn-passcode",
                    "opt/turn/libexec/thumbturn/thumbturn-polkit",
                    "opt/turn/libexec/thumbturn/thumbturn-prompt",
                    "opt/turn/libexec/thumbturn/thumbturn-reader",
                    "opt/turn/libexec/thumbturn/thumbturn-secret-service",
                    "opt/turn/libexec/thumbturn/thumbturn-secrets",
                    "opt/turn/libexec/thumbturn/thumbturn-sign-in",
                    "opt/turn/libexec/thumbturn/thumbturn-simulator",
                    "opt/turn/libexec/thumbturn/thumbturn-tpm",
                    "opt/turn/libexec/thumbturn/thumbturn-window",
                    "opt/turn/libexec/thumbturn/thumbturn-window-launcher",
                    "opt/turn/libexec/thumbturn/thumbturnd",
                    "opt/turn/share/applications/thumbturn-window.desktop",
                    "opt/turn/share/bash-completion/completions/thumbturn",
                    "opt/turn/share/bash-completion/completions/thumbturn-server",
                    "opt/turn/share/doc/thumbturn/thumbturn-face.pam",
                    "opt/turn/share/doc/thumbturn/thumbturn.spdx.json",
                    "opt/turn/share/fish/vendor_completions.d/thumbturn-server.fish",
                    "opt/turn/share/fish/vendor_completions.d/thumbturn.fish",
                    "opt/turn/share/icons/hicolor/scalable/apps/thumbturn-window.svg",
                    "opt/turn/share/man/man1/age-plugin-thumbturn.1",
                    "opt/turn/share/man/man1/cargo-credential-thumbturn.1",
                    "opt/turn/share/man/man1/docker-credential-thumbturn.1",
                    "opt/turn/share/man/man1/git-credential-thumbturn.1",
                    "opt/turn/share/man/man1/thumbturn-ansible-client.1",
                    "opt/turn/share/man/man1/thumbturn-askpass.1",
                    "opt/turn/share/man/man1/thumbturn-aws-credentials.1",
                    "opt/turn/share/man/man1/thumbturn-help.1",
                    "opt/turn/share/man/man1/thumbturn-kubectl-credentials.1",
                    "opt/turn/share/man/man1/thumbturn.1",
                    "opt/turn/share/man/man8/thumbturn-companion-help.8",
                    "opt/turn/share/man/man8/thumbturn-companion.8",
                    "opt/turn/share/man/man8/thumbturn-front-help.8",
                    "opt/turn/share/man/man8/thumbturn-front.8",
                    "opt/turn/share/man/man8/thumbturn-polkit-help.8",
                    "opt/turn/share/man/man8/thumbturn-polkit.8",
                    "opt/turn/share/man/man8/thumbturn-reader-help.8",
                    "opt/turn/share/man/man8/thumbturn-reader.8",
                    "opt/turn/share/man/man8/thumbturn-secrets-help.8",
                    "opt/turn/share/man/man8/thumbturn-secrets.8",
                    "opt/turn/share/man/man8/thumbturn-server-help.8",
                    "opt/turn/share/man/man8/thumbturn-server.8",
                    "opt/turn/share/man/man8/thumbturn-tpm-help.8",
                    "opt/turn/share/man/man8/thumbturn-tpm.8",
                    "opt/turn/share/man/man8/thumbturnd-help.8",
                    "opt/turn/share/man/man8/thumbturnd.8",
                    "opt/turn/share/xdg-desktop-portal/portals/thumbturn.portal",
                    "opt/turn/share/zsh/site-functions/_thumbturn",
                    "opt/turn/share/zsh/site-functions/_thumbturn-server",
                    "usr/share/pam-configs/thumbturn-login",
                    "usr/share/pam-configs/thumbturn-password",
                    "usr/share/pam-configs/thumbturn-sudo",
                ])
        }
    }

    @Test("The installed unit starts the daemon that was installed")
    func unit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let unit = folder.appending(path: "root/opt/turn/lib/systemd/user/thumbturn.service")
            let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ExecStart=/opt/turn/libexec/thumbturn/thumbturnd"))
        }
    }

    @Test("The installed agent's unit starts the command that was installed")
    func agentUnit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let unit = folder.appending(path: "root/opt/turn/lib/systemd/user/thumbturn-ssh-agent.service")
            let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ExecStart=/opt/turn/bin/thumbturn ssh-agent"))
        }
    }

    @Test("The installed carrier's unit starts the carrier that was installed, with the network and nothing else beside sockets")
    func carrierUnit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let unit = folder.appending(path: "root/opt/turn/lib/systemd/user/thumbturn-companion.service")
            let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ExecStart=/opt/turn/libexec/thumbturn/thumbturn-companion"))
            #expect(lines.contains("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6"))
            // A second carrier is refused, and isn't started again and again.
            #expect(lines.contains("RestartPreventExitStatus=75"))
        }
    }

    @Test("The installed window's unit starts the launcher that was installed, as an agent, and takes no privileges from it")
    func windowUnit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let unit = folder.appending(path: "root/opt/turn/lib/systemd/user/thumbturn-window.service")
            let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ExecStart=/opt/turn/libexec/thumbturn/thumbturn-window-launcher --agent"))
            // In a user's own manager each of these implies NoNewPrivileges, under which the launcher's group counts for nothing.
            let implying = ["NoNewPrivileges", "Restrict", "SystemCall", "Lock", "MemoryDeny", "Private", "Protect", "Dynamic"]
            #expect(lines.allSatisfy { line in !implying.contains { line.hasPrefix($0) } })
        }
    }

    @Test("The provider's unit and the bus's files start the provider that was installed, and take no privileges from it")
    func providerUnit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let root = folder.appending(path: "root/opt/turn")
            func lines(_ path: String) throws -> [Substring] {
                try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n")
            }
            let unit = try lines("lib/systemd/user/thumbturn-secrets.service")
            #expect(unit.contains("ExecStart=/opt/turn/libexec/thumbturn/thumbturn-secrets"))
            let implying = ["NoNewPrivileges", "Restrict", "SystemCall", "Lock", "MemoryDeny", "Private", "Protect", "Dynamic"]
            #expect(unit.allSatisfy { line in line.hasPrefix("Restart=") || !implying.contains { line.hasPrefix($0) } })
            // Installed, it is switched on for nobody.
            #expect(!unit.contains("[Install]"))
            for name in ["org.freedesktop.secrets", "org.freedesktop.impl.portal.desktop.thumbturn"] {
                let file = try lines("libexec/thumbturn/takeover/\(name).service")
                #expect(file.contains("Name=\(name)") && file.contains("SystemdService=thumbturn-secrets.service"))
                #expect(file.contains("Exec=/opt/turn/libexec/thumbturn/thumbturn-secrets"))
            }
            #expect(!FileManager.default.fileExists(atPath: root.appending(path: "share/dbus-1").path))
        }
    }

    @Test("The installed server's unit starts the server that was installed")
    func serverUnit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let unit = folder.appending(path: "root/opt/turn/lib/systemd/system/thumbturn-server.service")
            let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ExecStart=/opt/turn/bin/thumbturn-server $ARGUMENTS"))
            #expect(lines.contains("ExecReload=/bin/sh -c \"kill -HUP $MAINPID\""))
        }
    }

    @Test("Completions and man pages are what the programs themselves print")
    func printed() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let share = folder.appending(path: "root/opt/turn/share")
            for (file, text) in [
                ("zsh/site-functions/_thumbturn", "completions zsh\n"),
                ("fish/vendor_completions.d/thumbturn-server.fish", "completions fish\n"),
                ("man/man1/thumbturn-help.1", "man-page thumbturn-help.1\n"),
                ("man/man8/thumbturnd.8", "man-page thumbturnd.8\n"),
            ] { #expect(try String(contentsOf: share.appending(path: file), encoding: .utf8) == text, "\(file)") }
        }
    }

    @Test("The man pages that are really installed are ones that man can show, each by its name")
    func manual() async throws {
        try await withTemporaryFolder { folder in
            let programs = folder.appending(path: "bin")
            try makePrograms(in: programs)
            for name in describedPrograms {
                let place = programs.appending(path: name)
                try FileManager.default.removeItem(at: place)
                try FileManager.default.createSymbolicLink(
                    at: place, withDestinationURL: builtPrograms.appending(path: name))
            }
            _ = try await make("install", in: folder, programs: [])
            let manual = folder.appending(path: "root/opt/turn/share/man")
            let pages = try files(below: manual)
            #expect(
                pages.contains("man1/thumbturn-secret.1") && pages.contains("man8/thumbturn-server-account.8") && pages.count > 25
            )
            for page in pages {
                // Another name of a program is a page that names the program's.
                let text = try String(contentsOf: manual.appending(path: page), encoding: .utf8)
                if text.hasPrefix(".so ") {
                    #expect(pages.contains(String(text.dropFirst(4).dropLast())) && text.hasSuffix("\n"), "\(page)")
                    continue
                }
                let outcome = try await run(["groff", "-man", "-ww", "-z", "-Tutf8", manual.appending(path: page).path])
                #expect(outcome.output == "" && outcome.status == 0, "\(page)")
                // What apropos and whatis find it by.
                let name = page.split(separator: "/")[1].split(separator: ".")[0]
                #expect(text.contains(".SH NAME\n\(name.split(separator: "-").joined(separator: "\\-")) \\- "), "\(page)")
            }
        }
    }

    @Test("The password's service file is password modules alone, and one that an administrator changed is left as it is")
    func service() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let file = folder.appending(path: "root/etc/pam.d/thumbturn")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(lines == ["auth     required  pam_unix.so", "account  required  pam_unix.so"])
            try file.write("# mine\n")
            let outcome = try await make("install", in: folder)
            #expect(outcome.status == 0 && outcome.output.contains("was left as it is"), "\(outcome.output)")
            _ = try await make("uninstall", in: folder)
            #expect(try String(contentsOf: file, encoding: .utf8) == "# mine\n")
        }
    }

    @Test("Uninstall leaves no file of ours, and every file of others")
    func remove() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let others = ["opt/turn/bin/other", "opt/turn/share/man/man1/other.1", "opt/turn/share/man/man1/thumbturns.1"]
            for other in others { try folder.appending(path: "root/\(other)").write("") }
            let outcome = try await make("uninstall", in: folder)
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(try files(below: folder.appending(path: "root")) == others)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "root/opt/turn/libexec/thumbturn").path))
        }
    }

    @Test("Install stops when a program isn't built, before it writes anything")
    func notBuilt() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await make("install", in: folder, programs: ["thumbturn"])
            #expect(outcome.status != 0)
            #expect(outcome.output.contains("make release"))
            #expect(try files(below: folder.appending(path: "root")).isEmpty)
        }
    }

    @Test("An ordinary user installs everything that doesn't take root, is told what does, and removes it again")
    func ordinaryUser() async throws {
        try await withTemporaryFolder { folder in
            let home = try ordinaryHome(in: folder)
            let outcome = try await installAsUser("put", in: folder, prefix: home + "/.local")
            #expect(outcome.status == 0, "\(outcome.output)")
            let there = try files(below: URL(filePath: home))
            #expect(there.contains(".local/bin/thumbturn") && there.contains(".local/libexec/thumbturn/thumbturnd"))
            #expect(
                there.contains(".local/share/man/man1/thumbturn.1")
                    && there.contains(".local/share/zsh/site-functions/_thumbturn"))
            #expect(there.filter { $0.contains("systemd/system") || $0.contains("sysusers") || $0.contains("tmpfiles") } == [])
            let left = outcome.lines.filter { $0.hasPrefix("Left out, because it takes root: ") }
            #expect(
                left.count == 3 && left[0].contains("/etc/pam.d/thumbturn") && left[1].contains("sudo")
                    && left[2].contains("system mode"),
                "\(outcome.output)")
            let removed = try await installAsUser("remove", in: folder, prefix: home + "/.local")
            #expect(removed.status == 0, "\(removed.output)")
            #expect(try files(below: URL(filePath: home)) == [])
        }
    }

    @Test(
        "In a home, units lie where the user's systemd looks; elsewhere it is said how they are found",
        arguments: [".local", "opt"])
    func userUnits(prefix: String) async throws {
        try await withTemporaryFolder { folder in
            let home = try ordinaryHome(in: folder)
            let outcome = try await installAsUser("put", in: folder, prefix: "\(home)/\(prefix)")
            let units = "\(home)/\(prefix)/share/systemd/user"
            let unit = try String(contentsOfFile: units + "/thumbturn.service", encoding: .utf8)
            #expect(unit.contains("ExecStart=\(home)/\(prefix)/libexec/thumbturn/thumbturnd\n"))
            let looked = try await run(
                ["systemd-analyze", "--user", "unit-paths"],
                environment: ["PATH": "/usr/bin:/bin", "HOME": home, "XDG_RUNTIME_DIR": home])
            #expect(looked.lines.contains(units) == (prefix == ".local"), "\(looked.output)")
            #expect(
                outcome.output.contains("systemctl --user link \(units)/thumbturn*") == (prefix != ".local"), "\(outcome.output)")
        }
    }

    @Test("A place that a user can't write is refused before anything is written, with what to say instead")
    func unwritable() async throws {
        try await withTemporaryFolder { folder in
            _ = try ordinaryHome(in: folder)
            let outcome = try await installAsUser("put", in: folder, prefix: "/usr/local")
            #expect(outcome.status == 1 && outcome.output.contains("make install PREFIX=$HOME/.local"), "\(outcome.output)")
            #expect(!outcome.output.contains("cannot create"))
        }
    }

    /// A home of an ordinary user's, what scripts/install reads, and scripted programs, where that user can read them.
    private func ordinaryHome(in folder: URL) throws -> String {
        for name in ["scripts/install", "scripts/library", "Sources/Library", "systemd", "desktop", "pam"] {
            let place = folder.appending(path: "checkout/\(name)")
            try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try copyPrograms(at: checkout.appending(path: name).path, to: place.path)
        }
        try makePrograms(in: folder.appending(path: "bin"))
        let home = folder.appending(path: "home").path
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        if getuid() == 0 { chown(home, Self.nobody, Self.nobody) }
        return home
    }

    private static let nobody: uid_t = 65534

    /// Runs scripts/install as somebody who isn't root.
    private func installAsUser(_ action: String, in folder: URL, prefix: String) async throws -> Outcome {
        let user = getuid() == 0 ? ["setpriv", "--reuid", "\(Self.nobody)", "--regid", "\(Self.nobody)", "--clear-groups"] : []
        return try await run(
            user + [folder.appending(path: "checkout/scripts/install").path, action],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.appending(path: "home").path, "PREFIX": prefix,
                "BIN": folder.appending(path: "bin").path,
            ])
    }

    /// Runs the Makefile with scripted programs in place of built ones; each prints its arguments.
    private func make(
        _ target: String, in folder: URL, programs: [String] = installedPrograms
    ) async throws -> Outcome {
        if !programs.isEmpty { try makePrograms(in: folder.appending(path: "bin"), programs) }
        return try await run([
            "make", "-C", checkout.path, target, "BIN=\(folder.appending(path: "bin").path)", "PREFIX=/opt/turn",
            "DESTDIR=\(folder.appending(path: "root").path)",
        ])
    }
}
