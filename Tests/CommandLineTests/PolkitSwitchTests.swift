import Foundation
import Testing
import thumbturn_test_programs

/// `thumbturn polkit on|off|status` on this machine, with `/etc` and systemctl of a test's own.
@Suite("Switching who asks for polkit", .enabled(if: getuid() == 0, "takes root")) struct PolkitSwitchTests {
    /// Runs a command as a user of the machine's.
    ///
    /// - Parameters:
    ///   - systemctl: what the user's systemctl does, in shell.
    ///   - isRoot: whether root runs it.
    private func play(
        _ command: String, isSystemMode: Bool = true, hasManager: Bool = true, systemctl: String = "true", isRoot: Bool = false
    ) async throws -> (said: String, told: [String], status: Int32) {
        try await onThread {
            let stage = try Stage()
            let path = stage.folder.path
            let script = """
                chmod 755 \(path) \(path)/run; : >\(path)/told; chmod 666 \(path)/told
                \(hasManager ? "mkdir -p \(path)/run/systemd; : >\(path)/run/systemd/private" : "true")
                printf '#!/bin/sh\\necho "$@" >>\(path)/told\\n\(systemctl)\\n' >\(path)/systemctl; chmod 755 \(path)/systemctl
                mkdir \(path)/etc; cp -a /etc/. \(path)/etc; mkdir -p \(path)/etc/thumbturn; rm -f \(path)/etc/thumbturn/system-mode
                \(isSystemMode ? ": >\(path)/etc/thumbturn/system-mode" : "true")
                exec unshare --mount --propagation private sh -c 'mount --bind \(path)/etc /etc && mount --bind \(path)/systemctl /usr/bin/systemctl &&
                    exec \(isRoot ? "" : "setpriv --reuid 64123 --regid 64123 --clear-groups") thumbturn polkit \(command)'
                """
            let (said, status) = try stage.run(script)
            let told = try String(contentsOfFile: path + "/told", encoding: .utf8)
            return (said, told.split(separator: "\n").map(String.init), status)
        }
    }

    @Test("on, the unit is switched on and started, and the command says so and what is missing for a finger")
    func on() async throws {
        let (said, told, status) = try await play("on")
        #expect(status == 0 && told.first == "--user --quiet enable --now thumbturn-polkit.service")
        #expect(said.contains("Thumbturn's window asks for polkit in this session."), "\(said)")
        #expect(said.contains("sudo thumbturn sudo on"))
    }

    @Test("where no target of the desktop's starts it again, the command says what will")
    func byHand() async throws {
        let (said, _, status) = try await play("on", systemctl: "test \"$4\" != graphical-session.target")
        #expect(status == 0 && said.contains("systemctl --user start thumbturn-polkit"), "\(said)")
        #expect(try await !play("on").said.contains("systemctl --user start"))
    }

    @Test("off, the unit is switched off and ended")
    func off() async throws {
        let (said, told, status) = try await play("off", systemctl: "test \"$3\" != is-active")
        #expect(status == 0 && told.first == "--user --quiet disable --now thumbturn-polkit.service")
        #expect(said.contains("Thumbturn's window doesn't ask for polkit."), "\(said)")
    }

    @Test("status says whether the unit runs, by its exit status too")
    func status() async throws {
        let running = try await play("status --json")
        #expect(
            running.status == 0 && running.said.filter { !$0.isWhitespace }.contains(#""isOn":true,"takesFingers":false"#),
            "\(running.said)")
        #expect(running.told.first == "--user --quiet is-active thumbturn-polkit.service")
        let stopped = try await play("status", systemctl: "false")
        #expect(stopped.status == 1 && stopped.said.contains("doesn't ask"), "\(stopped.said)")
        #expect(try await play("status", hasManager: false).status == 1)
    }

    @Test(
        "it is refused in user mode, as root, without a service manager, and where polkit doesn't take it, each with what to do")
    func refused() async throws {
        let userMode = try await play("on", isSystemMode: false)
        #expect(userMode.status != 0 && userMode.said.contains("system-mode on") && userMode.told.isEmpty, "\(userMode.said)")
        for command in ["on", "off"] {
            let root = try await play(command, isRoot: true)
            #expect(root.status != 0 && root.said.contains("as yourself") && root.told.isEmpty, "\(root.said)")
            let alone = try await play(command, hasManager: false)
            #expect(alone.status != 0 && alone.said.contains("graphical session") && alone.told.isEmpty, "\(alone.said)")
        }
        let taken = try await play("on", systemctl: "false")
        #expect(taken.status != 0 && taken.said.contains("journalctl --user -b -u thumbturn-polkit"), "\(taken.said)")
        let stuck = try await play("off", systemctl: "false")
        #expect(stuck.status != 0 && stuck.said.contains("can't be switched off"), "\(stuck.said)")
    }
}
