import Foundation
import Testing
import thumbturn_test_programs

/// `thumbturn sudo on|off` on a system that lies in a folder, with Debian's own pam-auth-update.
@Suite("Switching what sudo takes", .enabled(if: getuid() == 0, "takes root")) struct SudoSwitchTests {
    private static let profiles = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "pam").path
    /// As fprintd's package has it, but for what is of no use here.
    private static let fprintd = """
        Name: Fingerprint authentication
        Default: yes
        Priority: 260
        Auth-Type: Primary
        Auth:
        	[success=end default=ignore]	pam_fprintd.so
        """

    /// Runs commands in a system `s` whose PAM Debian's tool has made, with fprintd's profile or without; what each says, and how it ends.
    private func play(fprintd: Bool = false, _ commands: String...) async throws -> [String] {
        try await onThread {
            let stage = try Stage()
            let path = stage.folder.path
            let prepare = """
                umask 022; cd \(path); chmod 755 . home
                mkdir -p home/s/etc/pam.d home/s/etc/thumbturn home/s/usr/share home/s/var/lib/pam
                cp -r /usr/share/pam-configs home/s/usr/share; rm -f home/s/usr/share/pam-configs/{fprintd,thumbturn-sudo,thumbturn-login,thumbturn-password}
                cp \(Self.profiles)/thumbturn-* home/s/usr/share/pam-configs; rm home/s/usr/share/pam-configs/*.example
                \(fprintd ? "cat >home/s/usr/share/pam-configs/fprintd <<'END'\n\(Self.fprintd)\nEND" : "true")
                for name in config templates; do
                    printf 'Name: %sdb\\nDriver: File\nFilename: \(path)/home/%s.dat\\n\\n' $name $name
                done >home/databases
                { printf 'Config: configdb\\nTemplates: templatesdb\\n\\n'; cat home/databases; } >home/debconf.conf
                cd home/s; \(Self.update) --root \(path)/home/s --package --force; cd ../..
                for name in sudo su login; do echo '@include common-auth' >home/s/etc/pam.d/$name; done
                : >home/s/etc/thumbturn/system-mode
                """
            let (said, status) = try stage.run("bash <<'SCRIPT'\n\(prepare)\nSCRIPT")
            try #require(status == 0, "\(said)")
            return try commands.map { command in
                let (output, status) = try stage.run(
                    "cd \(path)/home/s; s() { thumbturn sudo \"$@\" --root \(path)/home/s; }; "
                        + "l() { thumbturn login \"$@\" --root \(path)/home/s; }; \(command)")
                return output.trimmingCharacters(in: .newlines) + (status == 0 ? "" : " [\(status)]")
            }
        }
    }

    /// Debian's tool, with databases for debconf of the test's own. Two commands at once would get in each other's way.
    private static let update = "env DEBIAN_FRONTEND=noninteractive DEBCONF_SYSTEMRC=../debconf.conf /usr/sbin/pam-auth-update"
    /// The modules that decide, in their order.
    private static let asked = "grep '^auth' etc/pam.d/common-auth | grep -o 'pam_[a-z]*' | head -3 | xargs"
    private static let all = "cat etc/pam.d/* var/lib/pam/[a-p]* var/lib/pam/session* | cksum"

    @Test("on, our module is asked before the password, which is judged as before; off, PAM's files are as they were")
    func whole() async throws {
        let said = try await play(
            "\(Self.all) >../before; s status", "s on --force", "\(Self.asked); grep thumbturn etc/pam.d/common-auth",
            "s status --json",
            "\(Self.all) >../on; s on --force && \(Self.all) | cmp - ../on", "s off --force", "\(Self.all) | cmp - ../before",
            "s off --force; ls etc/thumbturn var/lib/pam | grep -v -e ^account -e ^auth -e ^password -e ^session -e ^seen")
        #expect(said[0] == "Only the password counts for sudo and su. [1]")
        #expect(
            said[1].hasPrefix("/etc/pam.d/common-auth:\n")
                && said[1].contains("  + auth [success=2 conv_err=die default=ignore] pam_thumbturn.so")
                && said[1].contains("A finger or the password is enough for sudo and su.\nTry it:"), "\(said[1])")
        #expect(said[2].hasPrefix("pam_thumbturn pam_unix pam_deny\n"), "\(said[2])")
        #expect(
            said[3] == """
                {
                  "sudo": {
                    "isOn": true,
                    "isInForce": true,
                    "waitsForFprintd": false
                  }
                }
                """)
        #expect(!said[4].contains("common-auth") && !said[4].contains("["), "\(said[4])")
        #expect(
            said[5].contains("  - auth [success=2") && said[5].hasSuffix("Only the password counts for sudo and su."),
            "\(said[5])")
        #expect(said[6] == "")
        #expect(said[7] == "Only the password counts for sudo and su.\netc/thumbturn:\nsystem-mode\n\nvar/lib/pam:", "\(said[7])")
    }

    @Test("fprintd's profile gives way, and is in use again afterwards; where it wasn't in use, it isn't")
    func fprintd() async throws {
        let said = try await play(
            fprintd: true, "\(Self.asked); s status", "s on --force >/dev/null 2>&1; \(Self.asked)",
            "s off --force >/dev/null 2>&1; \(Self.asked)",
            "\(Self.update) --root $PWD --disable fprintd; s on --force >/dev/null 2>&1; s off --force >/dev/null 2>&1; \(Self.asked)"
        )
        #expect(
            said[0]
                == "pam_fprintd pam_unix pam_deny\nBefore anybody can type the password for sudo and su, fprintd waits for a finger. "
                + "Run 'sudo thumbturn sudo on' to be asked for both at once. [1]")
        #expect(said[1] == "pam_thumbturn pam_unix pam_deny")
        #expect(said[2] == "pam_fprintd pam_unix pam_deny")
        #expect(said[3] == "pam_unix pam_deny pam_permit")
    }

    @Test("logins are switched apart from sudo, in a line of their own; fprintd's profile comes back with the last of them")
    func logins() async throws {
        let lines = "grep -h pam_thumbturn etc/pam.d/common-auth"
        let said = try await play(
            fprintd: true, "l on --force 2>/dev/null; \(lines); s status",
            "s on --force >/dev/null 2>&1; \(lines); s status; l status",
            "l off --force >/dev/null 2>&1; \(lines); \(Self.asked)",
            "l on --force >/dev/null 2>&1; s off --force >/dev/null 2>&1; \(lines); s status; l status",
            "l off --force >/dev/null 2>&1; \(Self.asked)", "l on --open-by-finger")
        #expect(
            said[0].hasPrefix("A finger or the password is enough for logins at a text console.\nTry it at another console.")
                && said[0].contains("pam_thumbturn.so login")
                && said[0].hasSuffix("Only the password counts for sudo and su. [1]"),
            "\(said[0])")
        let sudo = "auth\t[success=3 conv_err=die default=ignore]\tpam_thumbturn.so"
        #expect(
            said[1].hasPrefix(sudo) && said[1].contains("auth\t[success=2 default=ignore]\tpam_thumbturn.so login"), "\(said[1])")
        #expect(
            said[1].hasSuffix(
                "A finger or the password is enough for sudo and su.\nA finger or the password is enough for logins at a text console."
            ))
        #expect(!said[2].contains("login") && said[2].hasSuffix("pam_thumbturn pam_unix pam_deny"), "\(said[2])")
        #expect(said[3].contains("pam_thumbturn.so login") && !said[3].contains("conv_err"), "\(said[3])")
        #expect(
            said[3].hasSuffix(
                "Only the password counts for sudo and su.\nA finger or the password is enough for logins at a text console."))
        #expect(said[4] == "pam_fprintd pam_unix pam_deny")
        #expect(said[5].contains("--open-by-finger is each user's own choice"), "\(said[5])")
    }

    @Test(
        "a line that only takes note of the password is no line for sudo or logins; what isn't in use is off without any tool"
    )
    func otherLines() async throws {
        let noting = "echo 'auth optional pam_thumbturn.so password' >>etc/pam.d/common-auth"
        let session = "echo 'session optional pam_thumbturn.so' >>etc/pam.d/sudo"
        let said = try await play(
            "\(noting); cp etc/pam.d/common-auth etc/pam.d/sudo; \(session); echo '@include common-auth' >>etc/pam.d/sudo; s status",
            "s on --force >/dev/null 2>&1; \(Self.asked); s status; l status",
            "s off --force 2>/dev/null; grep -c so.password etc/pam.d/common-auth",
            "unshare --mount /bin/sh -c 'mount --bind /dev/null /usr/sbin/pam-auth-update; thumbturn sudo off --force --root '$PWD"
        )
        #expect(said[0] == "Only the password counts for sudo and su. [1]")
        #expect(
            said[1].hasPrefix("pam_thumbturn pam_unix pam_deny\nA finger or the password is enough for sudo and su.\nOnly"),
            "\(said[1])")
        #expect(said[2] == "Only the password counts for sudo and su.\n1")
        #expect(said[3] == "Only the password counts for sudo and su.", "\(said[3])")
    }

    @Test(
        "logins bring the lines for the password along, behind what judges it and where sessions begin, and take them away again")
    func password() async throws {
        let lines = "grep -h pam_thumbturn etc/pam.d/common-* | tr -s '\\t ' ' ' | sed 's/ $//'"
        let order = "grep -h '^auth' etc/pam.d/common-auth | grep -o 'pam_[a-z]*' | head -5 | xargs"
        let said = try await play(
            "\(Self.all) >../before; l on --force >/dev/null 2>&1; \(lines); \(order)",
            "l off --force >/dev/null 2>&1; \(lines); \(Self.all) | cmp - ../before",
            "\(Self.update) --root $PWD --enable thumbturn-password >/dev/null 2>&1; \(lines); l status",
            "\(Self.update) --root $PWD --disable thumbturn-password --enable thumbturn-login >/dev/null 2>&1; \(lines) | wc -l; "
                + "l on --force >/dev/null 2>&1; \(lines) | wc -l")
        let password = "password optional pam_thumbturn.so\nsession optional pam_thumbturn.so"
        #expect(
            said[0] == """
                auth [success=2 default=ignore] pam_thumbturn.so login
                auth optional pam_thumbturn.so password
                \(password)
                pam_thumbturn pam_unix pam_deny pam_permit pam_thumbturn
                """, "\(said[0])")
        #expect(said[1] == "")
        // It can be chosen alone.
        #expect(
            said[2]
                == "auth optional pam_thumbturn.so password\n\(password)\nOnly the password counts for logins at a text console. [1]",
            "\(said[2])")
        // Chosen without it, logins get it when they are switched on.
        #expect(said[3] == "1\n4", "\(said[3])")
    }

    @Test("Debian's own dialogue can choose the profile too, and then fprintd's isn't in use")
    func conflict() async throws {
        let said = try await play(
            fprintd: true, "\(Self.update) --root $PWD --enable thumbturn-sudo >/dev/null 2>&1; \(Self.asked); s status")
        #expect(said[0] == "pam_thumbturn pam_unix pam_deny\nA finger or the password is enough for sudo and su.")
    }

    @Test("nobody is asked for a change without a terminal, and nothing changes without an answer")
    func unasked() async throws {
        let said = try await play("\(Self.all) >../before; s on </dev/null; \(Self.all) | cmp - ../before && echo unchanged")
        #expect(
            said[0].contains("thumbturn: These lines decide who gets in") && said[0].contains("use --force")
                && said[0].hasSuffix("unchanged"), "\(said[0])")
    }

    @Test(
        "What stands in the way is said, with what to do, and nothing is changed",
        arguments: [
            ("rm etc/thumbturn/system-mode", "on", "in system mode only", "system-mode on"),
            ("rm usr/share/pam-configs/thumbturn-sudo", "on", "isn't installed", "Install the package"),
            (
                "echo 'auth required pam_unix.so' >etc/pam.d/su", "on", "/etc/pam.d/su doesn't include common-auth",
                "@include common-auth"
            ),
            (
                "sed -i '/pam_unix/i auth required pam_debug.so' etc/pam.d/common-auth", "on", "edited them",
                "Write our line yourself"
            ),
            ("sed -i '1i auth sufficient pam_fprintd.so' etc/pam.d/sudo", "on", "waits for fprintd", "pam_fprintd.so"),
            (
                "sed -i '1i auth sufficient /x/pam_thumbturn.so' etc/pam.d/sudo", "on", "asks for a finger already",
                "Remove the line"
            ),
            (
                "sed -i '1i auth sufficient /x/pam_thumbturn.so' etc/pam.d/sudo", "off", "asks for a finger already",
                "Remove the line"
            ),
            ("rm -r var/lib/pam", "on", "can't be tried", "all of the system"),
        ])
    func refused(_ change: String, _ word: String, _ reason: String, _ next: String) async throws {
        let sum = "cat etc/pam.d/* | cksum"
        let said = try await play(
            "\(change); \(sum) >../before; s \(word) --force; \(sum) | cmp - ../before && echo unchanged; s status")
        #expect(
            said[0].contains("thumbturn: ") && said[0].contains(reason) && said[0].contains(next)
                && said[0].contains("\nunchanged\n"),
            "\(said[0])")
    }

    @Test("in user mode a status says that no finger counts, though the profile is in use")
    func userMode() async throws {
        let said = try await play(
            "s on --force >/dev/null 2>&1; rm etc/thumbturn/system-mode; s status", "s off --force >/dev/null 2>&1; s status")
        #expect(said[0].contains("because system mode is off") && said[0].hasSuffix("[1]"), "\(said[0])")
        #expect(said[1] == "Only the password counts for sudo and su. [1]")
    }
}
