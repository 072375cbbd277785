import Foundation
import Testing
import thumbturn_test_programs

/// The library against frames: those that the house's own codec wrote, and those of a daemon that lies, hangs or dies.
@Suite("libthumbturn and what a daemon says")
struct WireTests {
    @Test("It says each frame of the corpus byte for byte, understands each answer, and refuses each that is malformed or cut")
    func corpus() async throws {
        let program = try await BuiltLibrary.get(.sanitized).program("frames")
        let folder = checkout.appending(path: "Tests/ConversationTests/Corpus").path
        let outcome = try await run([program.path, folder], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0, "\(outcome.output)")
        // 21 requests that the library makes, 15 answers to them, and at least those that were written for it.
        let numbers = outcome.output.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        #expect(numbers.count == 3 && numbers[0] == 21 && numbers[1] == 15 && numbers[2] >= 19, "\(outcome.output)")
    }

    @Test("Each rule and each time is said as the header promises, and no other is said", arguments: BuiltLibrary.Kind.allCases)
    func rules(kind: BuiltLibrary.Kind) async throws {
        let program = try await BuiltLibrary.get(kind).program("rules")
        let outcome = try await run([program.path, "table"], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "every rule is right\n", "\(outcome.output)")
    }

    @Test("Each error of the header has a text")
    func errors() async throws {
        let program = try await BuiltLibrary.get(.plain).program("errors")
        let header = checkout.appending(path: "Sources/Library/thumbturn.h").path
        let outcome = try await run([program.path, header], environment: BuiltLibrary.environment)
        // At least those of the first version.
        let known = Int(outcome.output.prefix { $0.isNumber }) ?? 0
        #expect(outcome.status == 0 && known >= 67, "\(outcome.output)")
    }

    @Test("A text that isn't UTF-8 is refused, and every one that is is taken", arguments: BuiltLibrary.Kind.allCases)
    func texts(kind: BuiltLibrary.Kind) async throws {
        let program = try await BuiltLibrary.get(kind).program("texts")
        let outcome = try await run([program.path], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "637420 tried\n", "\(outcome.output)")
    }

    @Test("It starts a daemon on the user's own store, and none that others could replace", arguments: BuiltLibrary.Kind.allCases)
    func folders(kind: BuiltLibrary.Kind) async throws {
        let program = try await BuiltLibrary.get(kind).program("folders")
        let folder = try temporaryFolder()
        let outcome = try await run([program.path, folder.path], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "the right folders\n", "\(outcome.output)")
    }

    @Test(
        "A program beside the one that asks is ours only where nobody else could have put it",
        .enabled(if: getuid() == 0, "takes root"))
    func beside() async throws {
        let program = try await BuiltLibrary.get(.plain).program("folders")
        let folder = try temporaryFolder().appending(path: "own")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let (copy, other) = (folder.appending(path: "folders").path, folder.appending(path: "thumbturn-of-a-test").path)
        try copyProgram(at: program.path, to: copy)
        try writeScript("#!/bin/sh\n", to: other)
        var found: [Bool] = []
        for (user, group, mode) in [
            (0, 0, 0o755), (0, 0, 0o775), (0, 7, 0o775), (0, 0, 0o777), (0, 0, 0o1777), (65534, 0, 0o755),
        ] {
            try #require(chown(folder.path, uid_t(user), gid_t(group)) == 0 && chmod(folder.path, mode_t(mode)) == 0)
            let outcome = try await run([copy, folder.path, "beside"], environment: BuiltLibrary.environment)
            found.append(outcome.output == other + "\n")
        }
        #expect(found == [true, true, false, false, false, false])
    }

    @Test("What it starts has no descriptor, signal or group of the program's own", arguments: BuiltLibrary.Kind.allCases)
    func spawning(kind: BuiltLibrary.Kind) async throws {
        let program = try await BuiltLibrary.get(kind).program("spawning")
        let outcome = try await run([program.path], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "nothing is inherited\n", "\(outcome.output)")
    }

    @Test("The agent, a window or the terminal shows a prompt, and is given what it needs", arguments: BuiltLibrary.Kind.allCases)
    func prompts(kind: BuiltLibrary.Kind) async throws {
        let program = try await BuiltLibrary.get(kind).program("prompts")
        let folder = try temporaryFolder()
        let outcome = try await run([program.path, folder.path], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "the right prompts\n", "\(outcome.output)")
    }

    @Test(
        "A daemon that lies, refuses, hangs, dies or isn't ours gets an error of its own", arguments: BuiltLibrary.Kind.allCases)
    func faults(kind: BuiltLibrary.Kind) async throws {
        let program = try await BuiltLibrary.get(kind).program("faults")
        let folder = try temporaryFolder()
        // A listener of another user's puts its socket there.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let outcome = try await run([program.path, folder.path], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "every fault is known\n", "\(outcome.output)")
    }

    // Without the sanitizers, which have `mlock` do nothing.
    @Test("A secret's memory is locked, left out of core files, wiped in a child, and between two pages that nobody may touch")
    func memory() async throws {
        let program = try await BuiltLibrary.get(.plain).program("secrets")
        let outcome = try await run([program.path, "memory"], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "the memory is guarded\n", "\(outcome.output)")
    }

    @Test(
        "On a machine with the system's service only a socket that is root's alone counts",
        .enabled(if: getuid() == 0, "takes folders of root's"))
    func systemMode() async throws {
        let program = try await BuiltLibrary.get(.plain).program("places")
        let outcome = try await run(
            [
                "unshare", "-m", "sh", "-c",
                """
                set -e; mount -t tmpfs none /etc; mkdir /etc/thumbturn; : >/etc/thumbturn/system-mode
                mount -t tmpfs -o mode=755 none /run; exec "$1" system
                """, "sh", program.path,
            ], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "the right places\n", "\(outcome.output)")
    }

    @Test(
        "A program with more rights than its caller takes no socket and no program that the caller names",
        .enabled(if: getuid() == 0, "takes a program of root's"))
    func secure() async throws {
        let program = try await BuiltLibrary.get(.plain).program("places")
        let folder = try temporaryFolder()
        let copy = folder.appending(path: "places").path
        let caller = try temporaryFolder()
        let outcome = try await run(
            [
                "sh", "-c",
                """
                set -e; umask 022; chmod 755 "$2" "$4"; cp "$1" "$3"; chgrp nogroup "$3"; chmod 2755 "$3"
                printf '#!/bin/sh\\nexit 9\\n' >"$4/thumbturnd"; chmod 755 "$4/thumbturnd"
                printf '#!/bin/sh\\nexit 3\\n' >"$2/thumbturnd"; chmod 755 "$2/thumbturnd"
                THUMBTURN_SOCKET=/nowhere/socket THUMBTURN_LIBEXEC="$4" \\
                    setpriv --reuid=games --regid=games --clear-groups "$3" secure
                rm -rf /tmp/thumbturn-$(id -u games)
                """, "sh", program.path, folder.path, copy, caller.path,
            ], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output.contains("thumbturnd ended with status 3"), "\(outcome.output)")
    }
}
