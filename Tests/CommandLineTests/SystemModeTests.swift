import Foundation
import Testing
import thumbturn_test_programs

/// `thumbturn system-mode on|off` on a system that lies in a folder, and on this machine with `/run`, `/etc`, `/usr/local` and systemctl of
/// the test's own. What a systemd that runs makes of it is tried on a machine that boots.
@Suite("Switching system mode", .enabled(if: getuid() == 0, "takes root")) struct SystemModeTests {
    private static let units = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "systemd/system").path

    /// Runs commands beside a system `s` that has the units and two programs in the prompts' places; what each says, and how it ends.
    private func play(_ commands: String...) async throws -> [String] {
        try await onThread {
            let stage = try Stage()
            let path = stage.folder.path
            let prepare = """
                umask 022; cd \(path); chmod 755 . home
                mkdir -p home/s/etc home/s/usr/libexec/thumbturn home/s/lib/systemd/system; : >home/s/etc/group
                cp \(Self.units)/* home/s/lib/systemd/system
                echo 'int main(void) { return 0; }' >home/main.c
                for name in thumbturn-prompt thumbturn-window-launcher; do gcc -o home/s/usr/libexec/thumbturn/$name home/main.c; done
                """
            try #require(try stage.run(prepare).status == 0)
            return try commands.map { command in
                let (output, status) = try stage.run(
                    "cd \(path)/home/s; s() { thumbturn system-mode \"$@\" --root \(path)/home/s; }; \(command)")
                return output.trimmingCharacters(in: .newlines) + (status == 0 ? "" : " [\(status)]")
            }
        }
    }

    private static let wanted = """
        find etc/systemd -type l | sort
        """

    @Test("On, the marker is there, its units are enabled and the prompts are vouched for; off, nothing of it is left")
    func whole() async throws {
        let said = try await play(
            "find . | sort >../before; s on", "stat -c '%a %u' etc/thumbturn/system-mode", Self.wanted,
            "stat -c '%A %u' usr/libexec/thumbturn/*; cut -d: -f1 etc/group; grep -c . etc/thumbturn/protected", "s status",
            "find etc -type f | xargs cat | cksum >../a; s on >/dev/null; find etc -type f | xargs cat | cksum | cmp - ../a",
            "s off", "find etc/systemd -type l; stat -c %A usr/libexec/thumbturn/*; cat etc/group", "s status",
            "s off >/dev/null; find . -not -type d | sort | grep -v etc/thumbturn/protected; grep -v '^#' etc/thumbturn/protected"
        )
        #expect(said[0].hasPrefix("System mode is on. Each user"))
        #expect(said[1] == "644 0")
        #expect(
            said[2].split(separator: "\n").map { String($0.split(separator: "/", maxSplits: 3)[3]) } == [
                "sockets.target.wants/thumbturn-face.socket", "sockets.target.wants/thumbturn-login.socket",
                "sockets.target.wants/thumbturn-passcode.socket", "sockets.target.wants/thumbturn.socket",
                "systemd-hibernate.service.wants/thumbturn-hibernate.service",
                "systemd-hybrid-sleep.service.wants/thumbturn-hibernate.service",
                "systemd-suspend-then-hibernate.service.wants/thumbturn-hibernate.service",
            ], "\(said[2])")
        #expect(said[3].hasPrefix("-rwxr-sr-x 0\n-rwxr-sr-x 0\nthumbturn-prompt\nthumbturn-window\n"), "\(said[3])")
        #expect(said[4] == "System mode is on: each user's secrets have a process of their own.")
        #expect(said[5] == "")
        #expect(said[6] == "System mode is off. The stores stay below /var/lib/thumbturn.")
        #expect(said[7] == "-rwxr-xr-x\n-rwxr-xr-x")
        #expect(said[8] == "System mode is off: each user has a daemon of their own. [1]")
        #expect(
            !said[9].contains("system-mode\n") && !said[9].contains("prompt /") && !said[9].contains("window /"), "\(said[9])")
    }

    @Test(
        "Every unit of the system's but the server's has the marker for its condition, and those of users' own daemons its absence"
    )
    func conditions() throws {
        let all = try FileManager.default.contentsOfDirectory(atPath: Self.units).filter { !$0.hasPrefix("thumbturn-server") }
        #expect(all.count >= 7)
        for name in all {
            let lines = try String(contentsOfFile: Self.units + "/" + name, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ConditionPathExists=/etc/thumbturn/system-mode"), "\(name)")
        }
        for name in ["thumbturn.socket", "thumbturn-passcode.socket"] {
            let lines = try String(contentsOfFile: Self.units + "/../" + name, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ConditionPathExists=!/etc/thumbturn/system-mode"), "\(name)")
        }
    }

    @Test("What is missing is said, with what to do, and nothing is changed")
    func missing() async throws {
        let unchanged = "; test ! -e etc/thumbturn/system-mode -a ! -s etc/group -a ! -e etc/systemd && echo unchanged"
        let said = try await play(
            "mv lib/systemd/system units; s on" + unchanged,
            "mv units lib/systemd/system; mv usr/libexec/thumbturn out; s on" + unchanged,
            "mv out usr/libexec/thumbturn; chmod 775 usr/libexec/thumbturn/thumbturn-prompt; s on" + unchanged,
            // A machine has no window where it has no desktop.
            "chmod 755 usr/libexec/thumbturn/*; rm usr/libexec/thumbturn/thumbturn-window-launcher; s on; cut -d: -f1 etc/group")
        #expect(
            said[0] == """
                thumbturn: systemd finds no Thumbturn units.
                  Install the package 'thumbturn', or run 'sudo make install' with a PREFIX that systemd looks into.
                unchanged
                """)
        #expect(
            said[1].hasPrefix("thumbturn: The program that asks in a terminal") && said[1].hasSuffix("unchanged"), "\(said[1])")
        #expect(said[2].hasPrefix("thumbturn: Users other than root can write to the program.") && said[2].hasSuffix("unchanged"))
        #expect(said[3].hasPrefix("System mode is on.") && said[3].hasSuffix("\nthumbturn-prompt"), "\(said[3])")
    }

    @Test("Another installation's prompts give way to those of the one that is switched on")
    func otherInstallation() async throws {
        let said = try await play(
            "mkdir -p usr/local/libexec; cp -a usr/libexec/thumbturn usr/local/libexec; s on >/dev/null; grep -o '/.*' etc/thumbturn/protected",
            "rm -r usr/local/libexec; s on >/dev/null; grep -o '/.*' etc/thumbturn/protected; stat -c %A usr/libexec/thumbturn/*")
        let programs = ["thumbturn-prompt", "thumbturn-window-launcher"]
        #expect(said[0].split(separator: "\n").map(String.init) == programs.map { "/usr/local/libexec/thumbturn/" + $0 })
        #expect(
            said[1].split(separator: "\n").map(String.init)
                == programs.map { "/usr/libexec/thumbturn/" + $0 } + ["-rwxr-sr-x", "-rwxr-sr-x"])
    }

    /// Runs a script on this machine with folders that nobody else sees, and a systemctl that notes what it is told.
    private func onThisMachine(hasSystemd: Bool, systemctl: String, _ script: String) async throws -> String {
        try await onThread {
            let stage = try Stage()
            let path = stage.folder.path
            let whole = """
                set -e; umask 022; cd \(path); chmod 755 . home
                printf '#!/bin/sh\\necho "$@" >>\(path)/told\\n\(systemctl)\\n' >systemctl; chmod 755 systemctl; : >told
                echo 'int main(void) { return 0; }' >home/main.c; gcc -o home/prompt home/main.c
                for folder in /run /usr/local; do mount -t tmpfs -o mode=755 none $folder; done
                cp -a /etc /run/etc && mount --bind /run/etc /etc && mount --bind \(path)/systemctl /usr/bin/systemctl
                rm -rf /etc/thumbturn; mkdir -p /usr/local/libexec/thumbturn /etc/systemd/system
                cp home/prompt /usr/local/libexec/thumbturn/thumbturn-prompt; cp \(Self.units)/* /etc/systemd/system
                \(hasSystemd ? "mkdir -p /run/systemd/system" : "true"); set +e
                \(script)
                """
            let (output, _) = try stage.run("unshare --mount --propagation private /bin/sh <<'END'\n\(whole)\nEND")
            return output.trimmingCharacters(in: .newlines)
        }
    }

    @Test("systemd enables all and starts the sockets; off, it stops everything, instances too, and enables nothing")
    func told() async throws {
        let said = try await onThisMachine(
            hasSystemd: true, systemctl: "true",
            "thumbturn system-mode on >/dev/null; cat told; : >told; thumbturn system-mode status; thumbturn system-mode off >/dev/null; cat told"
        ).split(separator: "\n").map(String.init)
        try #require(said.count == 5, "\(said)")
        let enabled =
            "thumbturn-face.socket thumbturn-hibernate.service thumbturn-login.socket thumbturn-passcode.socket thumbturn.socket"
        #expect(said[0] == "--quiet enable " + enabled)
        let sockets = "thumbturn-face.socket thumbturn-login.socket thumbturn-passcode.socket thumbturn.socket"
        #expect(said[1] == "--quiet start " + sockets)
        #expect(said[2] == "System mode is on, but nothing listens. Run 'sudo thumbturn system-mode on' to start it.")
        let stopped = said[3].split(separator: " ").map(String.init)
        #expect(stopped.prefix(2) == ["--quiet", "stop"] && stopped.contains("thumbturn.service"), "\(stopped)")
        #expect(stopped.contains("thumbturn-passcode@*.service") && !stopped.contains { $0.contains("server") }, "\(stopped)")
        #expect(said[4] == "--quiet disable " + enabled)
    }

    @Test("Where systemd starts nothing the machine stays in the mode that it was in", arguments: ["enable", "start"])
    func refused(_ word: String) async throws {
        let said = try await onThisMachine(
            hasSystemd: true, systemctl: "! echo \"$@\" | grep -q \(word)",
            "thumbturn system-mode on; echo $?; ls /etc/thumbturn; mkdir -p /etc/thumbturn; touch /etc/thumbturn/system-mode; thumbturn system-mode on 2>/dev/null; ls /etc/thumbturn"
        ).split(separator: "\n").map(String.init)
        #expect(said.first?.contains("systemd didn't") == true && said.contains("6"), "\(said)")
        #expect(said.filter { $0 == "system-mode" }.count == 1, "\(said)")
    }

    @Test("Without systemd it says so, and without root whose command it is")
    func prerequisites() async throws {
        let said = try await onThisMachine(
            hasSystemd: false, systemctl: "true",
            """
            thumbturn system-mode on; echo $?; cat told
            cp $(command -v thumbturn) /run/thumbturn
            for word in on off; do setpriv --reuid 65534 --clear-groups /run/thumbturn system-mode $word; echo $?; done
            ls /etc/thumbturn 2>/dev/null
            touch /etc/system-mode; mkdir -p /etc/thumbturn; touch /etc/thumbturn/system-mode; thumbturn system-mode off; cat told
            """)
        #expect(
            said == """
                thumbturn: System mode needs systemd, which doesn't run on this machine.
                  Stay in user mode, or use --root to prepare a system that systemd will run.
                6
                thumbturn: Only root can switch system mode.
                  Run 'sudo thumbturn system-mode on'.
                6
                thumbturn: Only root can switch system mode.
                  Run 'sudo thumbturn system-mode off'.
                6
                System mode is off. The stores stay below /var/lib/thumbturn.
                """)
    }
}
