import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// Foreign code, in every place that a variable of the environment could name.
private struct ForeignCode {
    private let folder: Scratch
    private var library: String { folder.path + "/foreign.so" }
    private var mark: String { folder.path + "/mark/ran" }

    #if arch(arm64)
    private static let modules = "/usr/lib/aarch64-linux-gnu/ossl-modules"
    #else
    private static let modules = "/usr/lib/x86_64-linux-gnu/ossl-modules"
    #endif

    init() throws {
        folder = try Scratch(inMemory: false)
        for (name, mode) in [("", 0o755), ("/bin", 0o755), ("/mark", 0o777)] {
            try? FileManager.default.createDirectory(atPath: folder.path + name, withIntermediateDirectories: false)
            chmod(folder.path + name, mode_t(mode))
        }
        // A real one of OpenSSL's, under another name: a library as good as any, and a provider that is taken.
        guard try Child("/bin/cp", [Self.modules + "/legacy.so", library]).end() == 0 else {
            throw CannotStart(program: "foreign code")
        }
        let settings = """
            openssl_conf = init
            [init]
            providers = list
            [list]
            default = on
            foreign = foreign
            [on]
            activate = 1
            [foreign]
            module = \(library)
            activate = 1

            """
        try settings.write(toFile: folder.path + "/openssl.cnf", atomically: false, encoding: .utf8)
        for path in [library, folder.path + "/openssl.cnf"] { chmod(path, 0o644) }
        for name in ["thumbturnd", "thumbturn-prompt", "thumbturn-window", "thumbturn-passcode", "sh", "mount"] {
            let path = folder.path + "/bin/" + name
            try "#!/bin/sh\n: > \(mark)\n".write(toFile: path, atomically: false, encoding: .utf8)
            chmod(path, 0o755)
        }
    }

    /// What a user's program has around it; the library that is loaded before all others too, where `preloaded`.
    func environment(preloaded: Bool) -> [String: String] {
        let tcti = "cmd:/bin/sh -c ': > \(mark)'"
        return [
            "PATH": folder.path + "/bin", "OPENSSL_CONF": folder.path + "/openssl.cnf", "OPENSSL_MODULES": folder.path,
            "OPENSSL_ENGINES": folder.path, "TPM2OPENSSL_TCTI": tcti, "TPM2TOOLS_TCTI": tcti, "TCTI": tcti,
            "TSS2_TCTI": tcti,
        ].merging(preloaded ? ["LD_PRELOAD": library] : [:]) { $1 }
    }

    /// Whether it is in a process's memory.
    func isIn(_ pid: pid_t) throws -> Bool {
        try MemoryImage.map(of: pid).contains(library)
    }

    var hasRun: Bool { FileManager.default.fileExists(atPath: mark) }
    func forget() { unlink(mark) }
}

@Suite("Attacks through the environment", .enabled(if: getuid() == 0, "takes root and two users"), .timeLimit(.minutes(5)))
struct EnvironmentAttackTests {
    @Test("each way is a real one: a program that believes its environment runs foreign code")
    func control() async throws {
        let (preloaded, provider, searched) = try await onThread {
            let (machine, foreign) = (try SystemMachine(), try ForeignCode())
            let app = try machine.speaker(machine.eve, ["LD_PRELOAD": foreign.environment(preloaded: true)["LD_PRELOAD"] ?? ""])
            _ = try app.say("nothing")
            let preloaded = try foreign.isIn(app.pid)
            let environment = foreign.environment(preloaded: false)
            let listed = "/usr/bin/openssl list -providers | /bin/grep -q foreign"
            let provider = try Child("/bin/sh", ["-c", listed], environment: environment).end()
            _ = try Child("/bin/sh", ["-c", "thumbturnd"], environment: environment).end()
            return (preloaded, provider == 0, foreign.hasRun)
        }
        #expect(preloaded && provider && searched)
    }

    @Test("a user's own daemon, started by a program with all of it in its environment, runs none of it")
    func userMode() async throws {
        let (added, app, daemon, program, isOurs, ran) = try await onThread {
            let (machine, foreign) = (try SystemMachine(marked: false), try ForeignCode())
            try machine.inside("install -d -o \(machine.eve) -g \(machine.eve) -m 700 /run/eve")
            let state = ["THUMBTURN_STATE": "/run/eve/state"]
            let app = try machine.speaker(machine.eve, foreign.environment(preloaded: true).merging(state) { $1 })
            let added = try app.say("add bank eves-secret")
            guard let pid = pid_t(try app.say("pid").dropFirst(4)) else { throw CannotStart(program: "thumbturnd") }
            defer { kill(pid, SIGKILL) }
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
            // Has it look for a prompt.
            _ = try app.say("passcode")
            return (
                added, try foreign.isIn(app.pid), try foreign.isIn(pid), program,
                program == machine.programs.path + "/thumbturnd", foreign.hasRun
            )
        }
        #expect(added == "added bank" && app)
        #expect(!daemon && isOurs && !ran, "\(program)")
        Tally.attack("a library that the environment names is loaded into a user's daemon", succeeded: daemon)
        Tally.attack("a program of the PATH is started as a user's daemon", succeeded: !isOurs)
        Tally.attack("a program that the environment names is run by a user's daemon", succeeded: ran)
    }

    @Test("the system's daemon runs none of it, whoever started it and whoever asks it")
    func systemMode() async throws {
        let (added, app, daemon, ran) = try await onThread {
            let (machine, foreign) = (try SystemMachine(), try ForeignCode())
            // What root has around them is root's own affair but for what is loaded before all others.
            let daemon = try machine.serve(["--idle", "0"], foreign.environment(preloaded: false))
            let app = try machine.speaker(machine.eve, foreign.environment(preloaded: true))
            let added = try app.say("add bank eves-secret")
            _ = try app.say("passcode")
            let device = try #require(machine.device(of: machine.eve))
            let isIn = try [daemon.pid, device].map { try foreign.isIn($0) }
            return (added, try foreign.isIn(app.pid), isIn.contains(true), foreign.hasRun)
        }
        #expect(added == "added bank" && app)
        #expect(!daemon && !ran)
        Tally.attack("a library that the environment names is loaded into the system's daemon", succeeded: daemon)
        Tally.attack("a program that the environment names is run by the system's daemon", succeeded: ran)
    }
}
