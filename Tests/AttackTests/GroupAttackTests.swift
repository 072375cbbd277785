import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// Programs of one user after a protected program's items, against a daemon of that user's.
@Suite("Attacks on a protected program", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "takes several users"))
struct GroupAttackTests {
    private static let group = "protected:vault"

    @Test("another program of the same user has none of its items: not by group, label, path or reference")
    func others() async throws {
        let (before, tried, after) = try await onThread {
            let machine = try ProtectedMachine()
            let vault = try machine.speaker("vault")
            var before = [try vault.say("in - add a ours"), try vault.say("in \(Self.group) read a"), try vault.say("log")]
            let reference = String(try vault.say("in - reference a").dropFirst("reference ".count))
            before.append(reference.count == 40 ? "reference" : reference)
            var tried: [String: String] = [:]
            func attack(_ speaker: Speaker, _ who: String, _ lines: [String]) throws {
                for line in lines {
                    let name = "\(who): \(line)".replacing(reference, with: "the reference")
                    tried[name.replacing(machine.root.path, with: "")] = try speaker.say(line)
                }
            }
            let byGroup = ["read a", "add b theirs", "add a theirs", "update a theirs", "remove a"]
            let path = machine.root.path + "/usr/bin/vault"
            let plain = try machine.speaker("other")
            try attack(plain, "group", byGroup.map { "in \(Self.group) \($0)" })
            try attack(plain, "path", byGroup.map { "in \(path) \($0)" })
            try attack(plain, "reference", ["read", "update theirs", "remove"].map { "by \(reference) \($0)" })
            for label in [Self.group, path, "vault"] {
                let posing = try machine.speaker("other")
                _ = try posing.say("introduce \(label)")
                try attack(
                    posing, "label \(label)", ["in - read a", "in - update a theirs", "in - remove a", "in \(Self.group) read a"])
            }
            let after = [try vault.say("in - read a"), try vault.say("in - read b")]
            return (before, tried, after)
        }
        #expect(before == ["added to \(Self.group)", "secret ours", "log vault protected", "reference"])
        #expect(tried.count == 25)
        for (attempt, answer) in tried {
            let refused = attempt.hasPrefix("reference") || attempt.contains(": in - ") ? "itemNotFound" : "missingEntitlement"
            #expect(answer == "failed \(refused)", "\(attempt)")
        }
        #expect(after == ["secret ours", "failed itemNotFound"])
        for (attempt, answer) in tried {
            Tally.check("a protected program's items by \(attempt)", succeeded: !answer.hasPrefix("failed"))
        }
    }

    @Test("a library of the user's isn't loaded into it, and it can't be traced")
    func insides() async throws {
        let (preloaded, control, traced) = try await onThread {
            let machine = try ProtectedMachine()
            let library = machine.root.path + "/preloaded.so"
            let source = machine.root.path + "/preloaded.c"
            let code =
                "#include <unistd.h>\n__attribute__((constructor)) static void in(void) { (void)!write(1, \"inside\\n\", 7); }\n"
            try Data(code.utf8).write(to: URL(filePath: source))
            guard try Child("/usr/bin/gcc", ["-shared", "-fPIC", "-o", library, source], path: "/usr/bin").end() == 0 else {
                throw CannotStart(program: "gcc")
            }
            let environment = ["LD_PRELOAD": library, "LD_LIBRARY_PATH": machine.root.path]
            let vault = try machine.speaker("vault", environment)
            let other = try machine.speaker("other", environment)
            _ = (try vault.say("pid"), try other.say("pid"))
            let attacker = try Attacker()
            var traced: [String: Attacker.Outcome] = [:]
            for way in ["attach", "memory", "descriptor"] {
                traced[way] = try attacker.attack(way, "\(vault.pid)", as: machine.uid)
            }
            return (vault.rest, other.rest, traced)
        }
        // Into a program like any other it is loaded: the attempt is a real one. (setpriv, which starts it, says so too.)
        #expect(preloaded.filter { $0 == "inside" }.count + 1 == control.filter { $0 == "inside" }.count)
        #expect(traced.count == 3 && traced.values.allSatisfy { $0 == .failed })
        let (ours, theirs) = (preloaded.count { $0 == "inside" }, control.count { $0 == "inside" })
        Tally.attack("a preloaded library runs in a protected program", succeeded: ours >= theirs)
        for (way, outcome) in traced {
            Tally.check("a protected program is looked into by way of \(way)", succeeded: outcome != .failed)
        }
    }

    @Test("a registry that another than root could have written protects nobody, and opens nothing")
    func registry() async throws {
        let answers = try await onThread {
            let machine = try ProtectedMachine()
            func read() throws -> String { try machine.speaker("vault").say("in - read a") }
            var answers = [try machine.speaker("vault").say("in - add a ours"), try read()]
            chmod(machine.registry, 0o666)
            answers += [try read(), try machine.speaker("vault").say("in \(Self.group) read a")]
            chmod(machine.registry, 0o644)
            answers.append(try read())
            chown(machine.registry, machine.uid, 0)
            answers.append(try read())
            chown(machine.registry, 0, 0)
            chmod(machine.root.path + "/etc/thumbturn", 0o777)
            // Its folder alone doesn't change the file: the daemon looks again when that does.
            let text = try Data(contentsOf: URL(filePath: machine.registry))
            try (text + Data("7000 bank /usr/bin/other\n".utf8)).write(to: URL(filePath: machine.registry))
            answers.append(try read())
            chmod(machine.root.path + "/etc/thumbturn", 0o755)
            try (text + Data("nonsense\n".utf8)).write(to: URL(filePath: machine.registry))
            answers.append(try read())
            try text.write(to: URL(filePath: machine.registry))
            answers.append(try read())
            return answers
        }
        let (none, ours) = ("failed itemNotFound", "secret ours")
        #expect(answers == ["added to \(Self.group)", ours, none, "failed missingEntitlement", ours, none, none, none, ours])
        let registries = [
            (2, "that all can write"), (3, "that all can write, by the group's name"), (5, "that a user owns"),
            (6, "in a folder that all can write"), (7, "with a line that isn't understood"),
        ]
        for (place, registry) in registries {
            Tally.check("a registry \(registry) opens a protected program's items", succeeded: answers[place].hasPrefix("secret"))
        }
    }

    @Test("a program that is protected no longer, or was replaced, isn't that program; protected again it has its items")
    func undone() async throws {
        let answers = try await onThread {
            let machine = try ProtectedMachine()
            func read() throws -> String { try machine.speaker("vault").say("in - read a") }
            var answers = [try machine.speaker("vault").say("in - add a ours"), try read()]
            try machine.install("thumbturn-test-client", as: "vault")
            answers.append(try read())
            try machine.command("/usr/bin/vault")
            answers.append(try read())
            try machine.command("--undo", "/usr/bin/vault")
            answers.append(try read())
            try machine.command("--name", "vault", "/usr/bin/other")
            answers.append(try machine.speaker("other").say("in - read a"))
            return answers
        }
        let (none, ours) = ("failed itemNotFound", "secret ours")
        #expect(answers == ["added to \(Self.group)", ours, none, ours, none, ours])
        for (place, program) in [(2, "that was replaced"), (4, "whose protection was undone")] {
            Tally.check("a program \(program) has a protected program's items", succeeded: answers[place].hasPrefix("secret"))
        }
    }

    @Test("a daemon that a protected program starts hasn't its group")
    func daemon() async throws {
        let groups = try await onThread {
            let machine = try ProtectedMachine()
            try machine.install("thumbturnd", as: "keeper")
            try machine.command("/usr/bin/keeper")
            let state = try Scratch()
            chown(state.path, machine.uid, machine.uid)
            let keeper = try machine.started(
                machine.root.path + "/usr/bin/keeper", state.path, socket: state.path + "/socket")
            let status = try String(contentsOfFile: "/proc/\(keeper.pid)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("Gid:") } ?? ""
            return (line.split(separator: "\t").dropFirst().map(String.init), machine.uid)
        }
        #expect(groups.0 == Array(repeating: "\(groups.1)", count: 4))
        let isGroups = groups.0 != Array(repeating: "\(groups.1)", count: 4)
        Tally.check("a daemon that a protected program starts has its group", succeeded: isGroups)
    }
}
