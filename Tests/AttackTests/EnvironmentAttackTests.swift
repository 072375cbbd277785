import CThumbLinux
import Foundation
import Testing
import ThumbLoop
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
            try writeScript("#!/bin/sh\n: > \(mark)\n", to: folder.path + "/bin/" + name)
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

/// A socket at which somebody listens as that user. It lies where a daemon's would, in a runtime folder of this user's.
private final class ForeignSocket: @unchecked Sendable {
    // @unchecked: the descriptor is written before the semaphore is signalled, and read after.
    private let runtime: Scratch
    private var listener: Int32 = -1
    private var folder: String { runtime.path + "/thumbturn" }
    private var path: String { folder + "/socket" }

    /// What sends a program there: the socket's own path, or the folder in which clients look for it.
    enum Way { case socket, runtimeFolder }

    init(as uid: Int) throws {
        runtime = try Scratch(inMemory: false)
        chmod(runtime.path, 0o755)
        mkdir(folder, 0o700)
        // So that the user can bind it. Nobody else can write there afterwards.
        chmod(folder, 0o777)
        defer { chmod(folder, 0o700) }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            // The bare call changes this thread alone, which ends afterwards.
            if thumb_syscall(Int(SYS_setresuid), uid, uid, uid, 0) == 0, case .success(let fd) = UnixSocket.listen(at: path) {
                listener = fd
            }
            done.signal()
        }
        done.wait()
        guard listener >= 0 else { throw CannotStart(program: "a socket of user \(uid)") }
    }

    /// How many bytes an app first says to whoever listens where its environment sends it. Nobody answers it.
    func bytesHeard(_ way: Way) throws -> Int {
        let (app, said) = (OwnProcess(), Pipe())
        app.executableURL = builtPrograms.appending(path: "thumbturn-test-app")
        app.arguments = ["group"]
        let sent = way == .socket ? ["THUMBTURN_SOCKET": path] : ["XDG_RUNTIME_DIR": runtime.path]
        app.environment = ["PATH": "/usr/bin:/bin"].merging(sent) { $1 }
        (app.standardInput, app.standardOutput) = (FileHandle.nullDevice, said)
        try app.run()
        defer { app.waitUntilExit() }
        var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1, let connection = UnixSocket.accept(listener) else {
            UnixSocket.close(listener)
            throw CannotStart(program: "thumbturn-test-app")
        }
        UnixSocket.limitReading(connection, seconds: 60)
        var room = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &room, room.count, 0)
        // Otherwise it might find nobody there, and start a daemon.
        app.terminate()
        UnixSocket.close(connection)
        UnixSocket.close(listener)
        return count
    }
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

    @Test("nothing is said to another user's program that listens at $THUMBTURN_SOCKET: the connection is closed at once")
    func foreignSocket() async throws {
        let (foreign, own) = try await onThread {
            (try ForeignSocket(as: 65534).bytesHeard(.socket), try ForeignSocket(as: Int(getuid())).bytesHeard(.socket))
        }
        #expect(foreign == 0)
        // The same of the user's own is believed, and asked.
        #expect(own > 0)
        Tally.check("another user's program at $THUMBTURN_SOCKET is taken for the daemon", succeeded: foreign != 0)
    }

    @Test("nor to one that listens in the user's own runtime folder, where the user's daemon would")
    func foreignListener() async throws {
        let (foreign, own) = try await onThread {
            (
                try ForeignSocket(as: 65534).bytesHeard(.runtimeFolder),
                try ForeignSocket(as: Int(getuid())).bytesHeard(.runtimeFolder)
            )
        }
        #expect(foreign == 0)
        #expect(own > 0)
    }
}
