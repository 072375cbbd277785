import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbProtectedPrograms

/// `thumbturn protect` on a system that lies in a folder. Who the daemon takes such a program for is in `AttackTests`.
@Suite("Protecting a program", .enabled(if: getuid() == 0, "takes root")) struct ProtectTests {
    /// Runs commands in a system with a program `/usr/bin/vault`; what each says, and how it ends.
    private func play(_ commands: String...) async throws -> [String] {
        try await onThread {
            let stage = try Stage()
            let prepare = """
                umask 022; mkdir -p home/s/etc home/s/usr/bin; : >home/s/etc/group; chmod 755 . home
                echo 'int main(void) { return 0; }' >home/main.c; gcc -o home/s/usr/bin/vault home/main.c
                """
            let path = stage.folder.path
            var said = [try stage.run("cd \(path); " + prepare).output]
            for command in commands {
                let (output, status) = try stage.run(
                    "cd \(path)/home/s/usr/bin; p() { thumbturn protect --root \(path)/home/s \"$@\"; }; \(command)")
                said.append(output.trimmingCharacters(in: .newlines) + (status == 0 ? "" : " [\(status)]"))
            }
            return said
        }
    }

    @Test("It makes a group, writes its line and sets the bit; a second time changes nothing, and undone all of it is gone")
    func whole() async throws {
        let said = try await play(
            "p /usr/bin/vault", "stat -c '%A %u %G' vault | tr -d 0-9; cut -d: -f1,4 ../../etc/group",
            "tail -n 1 ../../etc/thumbturn/protected | cut -d' ' -f2-; stat -c '%a %u' ../../etc/thumbturn/protected",
            "p --list | tail -n 1 | tr -s ' ' | cut -d' ' -f1,3-",
            "cp ../../etc/thumbturn/protected a; p vault; p usr/bin/vault; cmp a ../../etc/thumbturn/protected",
            "p --undo /usr/bin/vault; stat -c %A vault; cat ../../etc/group; grep -v '^#' ../../etc/thumbturn/protected || p --list",
            "p --undo /usr/bin/vault")
        let done = "Protected /usr/bin/vault; its access group is 'protected:vault'."
        #expect(said[1] == done)
        #expect(said[2].hasPrefix("-rwxr-sr-x") && said[2].hasSuffix("thumbturn-vault:"))
        #expect(said[3] == "vault /usr/bin/vault\n644 0")
        #expect(said[4] == "vault protected /usr/bin/vault")
        #expect(said[5] == "thumbturn: There is no 'vault'.\n  Check the path.\n" + done)
        #expect(
            said[6]
                == "/usr/bin/vault is no longer protected; its access group was 'protected:vault'.\n-rwxr-xr-x\nNo program is protected."
        )
        #expect(
            said[7]
                == "thumbturn: That program isn't protected.\n  Run 'thumbturn protect --list' to see which programs are. [4]")
    }

    @Test("What a group wouldn't protect is refused, and nothing is changed")
    func refused() async throws {
        let said = try await play(
            "printf '#!/bin/sh\\n' >script; chmod 755 script; p /usr/bin/script",
            "cp vault plain; chmod 644 plain; p /usr/bin/plain", "cp vault open; chmod 775 open; p /usr/bin/open",
            "cp vault mine; chown 65534 mine; p /usr/bin/mine", "cp vault suid; chmod 4755 suid; p /usr/bin/suid",
            "cp vault mail; chgrp 8 mail; chmod 2755 mail; p /usr/bin/mail",
            "mkdir -p ../../tmp; chmod 1777 ../../tmp; cp vault ../../tmp; p /tmp/vault",
            "ln -s /bin/true out; p /usr/bin/out", "p /usr/bin", "p --name Vault /usr/bin/vault",
            "gcc -Wl,-rpath,/tmp/lib -o libs ../../../main.c; p /usr/bin/libs",
            "gcc -Wl,-rpath,lib -o near ../../../main.c; p /usr/bin/near",
            "gcc -Wl,--dynamic-linker,/tmp/ld.so -o ld ../../../main.c; p /usr/bin/ld",
            "head -c 100 vault >cut; chmod 755 cut; p /usr/bin/cut",
            "ls ../../etc; cat ../../etc/group")
        let refusals = [
            "isn't a program for this machine", "everybody may run", "Users other than root can write to the program",
            "Users other than root can write to the program", "set-user-ID", "for another purpose",
            "another program in its place", "out of the system", "everybody may run", "at most 22 small letters",
            "folder that users other than root can write", "folder that users other than root can write",
            "loaded by another one, which users", "isn't a program for this machine",
        ]
        for (refusal, answer) in zip(refusals, said.dropFirst()) {
            #expect(answer.contains(refusal), "\(refusal)")
            #expect(answer.hasSuffix("]"), "\(refusal)")
        }
        #expect(said.last == "group\nthumbturn")
    }

    @Test("What others could load into it is refused: by an old kind of search path, behind a link of root's, in their folder")
    func ways() async throws {
        let said = try await play(
            "mkdir -m 1777 ../../tmp; gcc -Wl,--disable-new-dtags,-rpath,/tmp/lib -o old ../../../main.c; "
                + "readelf -d old | grep -c '(RPATH)'; p /usr/bin/old",
            "mkdir -m 755 ../lib; ln -s ../../tmp ../lib/open; "
                + "gcc -Wl,-rpath,/usr/lib/open/x -o libs ../../../main.c; p /usr/bin/libs",
            "gcc -Wl,--dynamic-linker,/usr/lib/open/ld.so -o ld ../../../main.c; p /usr/bin/ld",
            "mkdir -m 755 ../theirs; chown 65534 ../theirs; cp vault ../theirs; p /usr/theirs/vault",
            "gcc -Wl,-rpath,/usr/theirs -o libs ../../../main.c; p /usr/bin/libs",
            "gcc -Wl,--dynamic-linker,/usr/theirs/ld.so -o ld ../../../main.c; p /usr/bin/ld",
            "ls ../../etc; cat ../../etc/group", "chown 0 ../theirs; p /usr/theirs/vault; p /usr/bin/libs")
        let refusals = [
            "folder that users other than root can write", "folder that users other than root can write",
            "loaded by another one, which users", "another program in its place", "folder that users other than root can write",
            "loaded by another one, which users",
        ]
        for (refusal, answer) in zip(refusals, said.dropFirst()) {
            #expect(answer.contains(refusal), "\(refusal): \(answer)")
            #expect(answer.hasSuffix("]"), "\(refusal): \(answer)")
        }
        #expect(said[1].hasPrefix("1\n"), "the search path isn't of the old kind: \(said[1])")
        #expect(said[7] == "group\nthumbturn")
        // The same folder once it is root's.
        #expect(said[8].ranges(of: "its access group is").count == 2, "\(said[8])")
    }

    @Test("Whoever protects a program that runs any other is warned; the program is protected all the same")
    func launchers() async throws {
        let names = ["env", "bash", "python3.11", "xargs", "gdb", "vim.basic"]
        let said = try await play(
            names.map { "cp vault \($0); p /usr/bin/\($0); stat -c %A \($0)" }.joined(separator: "; "),
            "ln -s env link; p --undo /usr/bin/env >/dev/null; p --name link /usr/bin/link", "p /usr/bin/vault",
            "p --json /usr/bin/env 2>/dev/null | grep runs; p --json /usr/bin/vault | grep runs")
        for name in names {
            #expect(said[1].contains("Take care: /usr/bin/\(name) runs whatever it is told to, so every program"), "\(said[1])")
            #expect(said[1].contains("Protected /usr/bin/\(name); its access group is"), "\(said[1])")
        }
        #expect(said[1].ranges(of: "-rwxr-sr-x").count == names.count, "\(said[1])")
        // What counts is the file that a link leads to.
        #expect(said[2].contains("Take care: /usr/bin/env runs"), "\(said[2])")
        #expect(said[3] == "Protected /usr/bin/vault; its access group is 'protected:vault'.")
        #expect(said[4].contains("\"runsAnything\": true") && said[4].contains("\"runsAnything\": false"), "\(said[4])")
    }

    @Test("The prompts' names are for the installed prompts alone")
    func prompts() async throws {
        let said = try await play(
            "p --name prompt /usr/bin/vault", "cp vault prompt; p /usr/bin/prompt",
            "cp vault window; p usr/bin/window; p /usr/bin/window",
            "mkdir -p ../libexec/thumbturn; cp vault ../libexec/thumbturn/thumbturn-window-launcher; cp vault ../libexec/thumbturn/thumbturn-prompt; "
                + "p --name prompt /usr/libexec/thumbturn/thumbturn-window-launcher",
            "mkdir -p ../../opt/libexec/thumbturn; cp vault ../../opt/libexec/thumbturn/thumbturn-prompt; "
                + "p --name prompt /opt/libexec/thumbturn/thumbturn-prompt",
            "p --name window /usr/libexec/thumbturn/thumbturn-window-launcher",
            "p --name prompt /usr/libexec/thumbturn/thumbturn-prompt",
            "p --name prompt /usr/libexec/thumbturn/thumbturn-prompt")
        let attempts = [
            "a program called prompt by its name", "a program called prompt by its file", "a program called window by its file",
            "the launcher called prompt", "a prompt of another folder called prompt",
        ]
        for (attempt, answer) in zip(attempts, said.dropFirst()) {
            let isRefused = answer.contains("because that program shows prompts") && answer.hasSuffix("]")
            #expect(isRefused, "\(attempt): \(answer)")
        }
        let provider = try await play(
            "p --name secrets /usr/bin/vault",
            "mkdir -p ../libexec/thumbturn; cp vault ../libexec/thumbturn/thumbturn-secrets; p --name secrets /usr/libexec/thumbturn/thumbturn-secrets"
        )
        #expect(provider[1].contains("because the daemon believes what that program says") && provider[1].hasSuffix("]"))
        #expect(provider[2].contains("'protected:secrets'"), "\(provider)")
        #expect(said[6].hasPrefix("Protected ") && said[7].hasPrefix("Protected ") && said[8] == said[7], "\(said)")
    }

    @Test("What is root's on the way is taken: $ORIGIN in its search path, a folder of root's, a link that stays inside")
    func taken() async throws {
        let said = try await play(
            "gcc -Wl,-rpath,'$ORIGIN:/usr/lib/vault' -o libs ../../../main.c; p --json /usr/bin/libs | grep accessGroup",
            "ln -s vault link; p --name own_name /usr/bin/link", "cp vault other; p --name own_name /usr/bin/other",
            "p --name another /usr/bin/vault",
            "mkdir -p -m 755 ../lib ../lib/real; ln -s real ../lib/near; gcc -Wl,-rpath,/usr/lib/near -o near ../../../main.c; "
                + "p /usr/bin/near")
        #expect(said[5] == "Protected /usr/bin/near; its access group is 'protected:near'.")
        #expect(said[1].contains("\"protected:libs\""))
        #expect(said[2] == "Protected /usr/bin/vault; its access group is 'protected:own_name'.")
        #expect(said[3].contains("Another program is protected as 'own_name'") && said[3].hasSuffix("[5]"))
        #expect(said[4].contains("already protected as 'own_name'") && said[4].hasSuffix("[5]"))
    }

    @Test("A link of root's that leads through a link of somebody else's isn't root's, though it ends in a folder of root's")
    func twoLinks() async throws {
        let said = try await play(
            "mkdir -m 1777 ../../tmp; mkdir -m 755 ../lib ../share; ln -s ../usr/share ../../tmp/b; chown -h 65534 ../../tmp/b; "
                + "ln -s ../../tmp/b ../lib/far; gcc -Wl,-rpath,/usr/lib/far -o libs ../../../main.c; p /usr/bin/libs",
            "gcc -Wl,--dynamic-linker,/usr/lib/far/ld.so -o ld ../../../main.c; p /usr/bin/ld")
        #expect(said[1].contains("folder that users other than root can write") && said[1].hasSuffix("]"), "\(said[1])")
        #expect(said[2].contains("loaded by another one, which users") && said[2].hasSuffix("]"), "\(said[2])")
    }

    @Test("A program that has lost its bit, or that others can write since, isn't listed as protected")
    func lost() async throws {
        let said = try await play(
            "p /usr/bin/vault", "chmod 755 vault; p --list | tail -n 1", "chmod 2775 vault; p --list | tail -n 1",
            "chmod 2755 vault; p --list | tail -n 1")
        for answer in said[2...3] { #expect(answer.contains("replaced or gone"), "\(answer)") }
        #expect(!said[4].contains("replaced or gone") && said[4].contains("/usr/bin/vault"), "\(said[4])")
    }

    /// Another command holds it that only reads. A command that changes the registry waits for that too; here it is killed.
    @Test("A command that changes the registry waits until nobody else holds it, and changes nothing before")
    func waits() async throws {
        let said = try await play(
            "cp vault other; p /usr/bin/vault >/dev/null; root=$(realpath ../..); "
                + "flock --shared $root/etc/thumbturn/protected.lock timeout -s KILL 5 thumbturn protect --root $root /usr/bin/other; "
                + "echo ended $?",
            "p --list | tail -n +2 | wc -l; p /usr/bin/other >/dev/null; p --list | tail -n +2 | wc -l")
        #expect(said[1].hasSuffix("ended 137"), "\(said[1])")
        #expect(said[2] == "1\n2", "\(said[2])")
    }

    @Test("Whoever may only look into the registry's folder keeps no command of root's waiting")
    func looked() async throws {
        let said = try await play(
            "cp vault other; p /usr/bin/vault >/dev/null; root=$(realpath ../..); stat -c %a $root/etc/thumbturn/protected.lock; "
                + "flock --shared $root/etc/thumbturn flock --shared $root/etc/thumbturn/protected "
                + "timeout -s KILL 60 thumbturn protect --root $root /usr/bin/other >/dev/null; echo ended $?")
        #expect(said[1] == "600\nended 0", "\(said[1])")
    }
}

@Suite("Programs as files") struct ELFFileTests {
    private func read() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: "/usr/bin/env"))) }

    @Test("A program says what loads it; what is cut short, or is for another machine, isn't one")
    func real() throws {
        let program = try read()
        #expect(try ELFFile(program).loader?.hasPrefix("/lib") == true)
        #expect(throws: ELFFile.Unreadable.self) { try ELFFile(Array(program.prefix(63))) }
        #expect(throws: ELFFile.Unreadable.self) { try ELFFile([]) }
        for (place, byte) in [(0, UInt8(0)), (4, 1), (5, 2), (16, 1)] {
            var other = program
            other[place] = byte
            #expect(throws: ELFFile.Unreadable.self) { try ELFFile(other) }
        }
    }

    @Test("Whatever stands in a program's tables, it is read or refused")
    func damaged() throws {
        let program = Array(try read().prefix(64 << 10))
        var random = Dice(for: "damaged programs")
        var refused = 0
        for _ in 0..<2000 {
            var damaged = program
            // Its tables stand at the front.
            for _ in 0..<8 { damaged[Int.random(in: 16..<1024, using: &random)] = UInt8.random(in: 0 ... .max, using: &random) }
            do { _ = try ELFFile(damaged) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }
}
