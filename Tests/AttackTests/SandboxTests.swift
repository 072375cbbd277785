import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// Programs in a sandbox as Flatpak makes them, with bubblewrap.
@Suite("Programs in a sandbox", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "takes several users"))
struct SandboxTests {
    private struct Box {
        let machine: ProtectedMachine

        /// A program of the machine's in a sandbox with that file as its description.
        func speaker(_ info: String?, _ more: [String] = [], into group: ControlGroup? = nil) throws -> Speaker {
            var words = [
                "/usr/bin/bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--proc", "/proc", "--dev", "/dev",
            ]
            for folder in ["/usr", "/opt", "/tmp"] { words += ["--bind", folder, folder] }
            for link in ["lib", "lib64", "bin"] { words += ["--symlink", "usr/" + link, "/" + link] }
            if let info {
                let path = machine.root.path + "/info-\(UInt32.random(in: 0 ... .max))"
                try Data(info.utf8).write(to: URL(filePath: path))
                words += ["--ro-bind", path, "/.flatpak-info"]
            }
            let command = words + more + [machine.root.path + "/usr/bin/other"]
            return try Speaker(group?.entering(command) ?? command, as: machine.uid)
        }
    }

    @Test("its group is the sandbox's own name, whatever it calls itself; the log says what it is")
    func named() async throws {
        let answers = try await onThread {
            let box = Box(machine: try ProtectedMachine())
            let info = "[Application]\nname=org.example.Vault\nruntime=runtime/org.example.Platform/x86_64/1\n"
            let app = try box.speaker(info)
            _ = try app.say("introduce org.example.bank")
            var answers = try ["in - add a ours", "log", "whole other", "verify whole"].map { try app.say($0) }
            answers.append(try box.speaker(info).say("in - read a"))
            let other = try box.speaker("[Application]\nname=org.example.Other\n")
            answers += [try other.say("in - read a"), try other.say("in flatpak:org.example.Vault read a")]
            let outside = try box.machine.speaker("other")
            _ = try outside.say("introduce flatpak:org.example.Vault")
            answers += [try outside.say("in - read a"), try outside.say("in flatpak:org.example.Vault read a")]
            return answers
        }
        let foreign = ["failed itemNotFound", "failed missingEntitlement"]
        #expect(
            answers == [
                "added to flatpak:org.example.Vault", "log org.example.Vault sandboxed", "failed missingEntitlement",
                "failed missingEntitlement", "secret ours",
            ] + foreign + foreign)
        for (deed, answer) in zip(["reads", "verifies"], answers[2...3]) {
            Tally.check("a sandboxed program \(deed) the whole audit", succeeded: answer != "failed missingEntitlement")
        }
    }

    @Test("one whose description isn't understood has no group at all")
    func unnamed() async throws {
        let answers = try await onThread {
            let box = Box(machine: try ProtectedMachine())
            let odd = [
                "", "[Runtime]\nname=org.example.Platform\n", "[Application]\nname=Vault\n",
                "[Application]\nname=org.a\nname=org.b\n",
                "[Application]\nname=org.example/../x\n",
                "[Application]\nname=org.example.Vault\n" + String(repeating: "#", count: 65_536),
            ]
            return try odd.map { try box.speaker($0).say("in - add a ours") }
                + [
                    try box.speaker(nil, ["--symlink", "/usr/lib/os-release", "/.flatpak-info"]).say("in - add a ours"),
                    try box.speaker(nil, ["--dir", "/.flatpak-info"]).say("in - add a ours"),
                ]
        }
        #expect(answers == Array(repeating: "failed missingEntitlement", count: 8))
    }

    /// A control group of that name, as the service manager makes one for each Flatpak app that is started.
    private struct ControlGroup {
        let path: String

        init(_ name: String) throws {
            let hierarchies = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup"]
            guard
                let place = hierarchies.first(where: { FileManager.default.fileExists(atPath: $0 + "/cgroup.procs") })
            else { throw CannotStart(program: "a control group") }
            path = place + "/" + name
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            chmod(path + "/cgroup.procs", 0o666)
        }

        /// A command that begins in there.
        func entering(_ command: [String]) -> [String] {
            ["/bin/sh", "-c", "echo $$ > \(path)/cgroup.procs && exec \"$@\"", "sh"] + command
        }

        func remove() { rmdir(path) }
    }

    @Test("an app that covers its description, or puts another's in its place, is still what its control group says")
    func covered() async throws {
        let answers = try await onThread {
            let box = Box(machine: try ProtectedMachine())
            let info = "[Application]\nname=org.example.Vault\n"
            var answers = [try box.speaker(info).say("in - add a ours")]
            let group = try ControlGroup("app-flatpak-org.example.Thief-\(UInt32.random(in: 1 ... .max)).scope")
            defer { group.remove() }
            let plain = [box.machine.root.path + "/usr/bin/other"]
            for lines in [["in - read a", "in - add b theirs"], ["introduce org.example.bank", "in - add c theirs"]] {
                let uncovered = try Speaker(group.entering(plain), as: box.machine.uid)
                let covered = try box.speaker(info, into: group)
                answers += try lines.flatMap { [try uncovered.say($0), try covered.say($0)] }.filter { $0 != "introduced" }
            }
            return answers
        }
        #expect(answers == ["added to flatpak:org.example.Vault"] + Array(repeating: "failed missingEntitlement", count: 6))
        // Without a description in its sight, and with another's, in turn.
        let ways = [
            "a sandboxed program without its description is an unconfined one",
            "a sandboxed program has the group of a laid-in description",
        ]
        for (place, answer) in answers.dropFirst().enumerated() {
            Tally.attack(ways[place % 2], succeeded: !answer.hasPrefix("failed"))
        }
    }

    @Test("another kind of box, without a description, is a program like any other")
    func plain() async throws {
        let answer = try await onThread {
            let box = Box(machine: try ProtectedMachine())
            return try box.speaker(nil).say("in - add a ours")
        }
        #expect(answer.hasPrefix("added to /") && answer.hasSuffix("/usr/bin/other"))
    }

    @Test("what is forged: any program can put itself into a box of that description, as the threat model says")
    func forged() async throws {
        let answers = try await onThread {
            let box = Box(machine: try ProtectedMachine())
            let info = "[Application]\nname=org.example.Vault\n"
            return [
                try box.speaker(info).say("in - add a ours"), try box.speaker(info + "# by somebody else\n").say("in - read a"),
            ]
        }
        #expect(answers == ["added to flatpak:org.example.Vault", "secret ours"])
    }
}
