import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

/// Programs of the user against the prompts that root vouches for: they start them, and they are in no hurry.
@Suite(
    "Attacks on the prompts that root vouches for", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: VouchedMachine.canBe, "takes root, GTK and Xvfb"))
struct LauncherAttackTests {
    /// What the user would have the window load or read.
    private static let foreign = [
        "LD_PRELOAD", "LD_LIBRARY_PATH", "GTK_MODULES", "GTK_PATH", "GTK_THEME", "GTK_DEBUG", "GIO_EXTRA_MODULES",
        "GDK_PIXBUF_MODULE_FILE", "VK_LAYER_PATH", "VK_INSTANCE_LAYERS", "VK_DRIVER_FILES", "LIBGL_DRIVERS_PATH",
        "GSETTINGS_SCHEMA_DIR", "FONTCONFIG_FILE", "XLOCALEDIR", "LOCPATH", "THUMBTURN_SOCKET",
    ]
    private static let folders = [
        "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS",
    ]
    private static let read = ["config/gtk-4.0/gtk.css", "config/gtk-4.0/settings.ini", "config/fontconfig/fonts.conf"]

    private static func environment(_ screen: Screen, _ library: String) -> [String: String] {
        var all = ["DISPLAY": screen.name, "XDG_RUNTIME_DIR": "/run/eve", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        for name in foreign { all[name] = "/run/eve/" + name.lowercased() }
        for name in folders { all[name] = "/run/eve/home" }
        (all["XDG_CONFIG_HOME"], all["LD_PRELOAD"], all["GTK_THEME"]) = ("/run/eve/home/config", library, "Adwaita")
        for name in ["LD_LIBRARY_PATH", "GTK_DEBUG", "FONTCONFIG_FILE"] { all[name] = "" }
        return all
    }

    private struct Look {
        var gid: UInt32 = 0
        var groups: [UInt32] = []
        var environment: [String: String] = [:]
        var hasLibrary = false
        var isMarkerOpen = false
        var read: [String] = []
    }

    /// Starts a program as the user's manager would, with all that the user could have prepared, and looks at what it became.
    private static func look(_ program: String, _ machine: VouchedMachine, _ environment: [String: String]) throws -> Look {
        let home = "/run/eve/home/"
        let contents = [".css": "/* hers */", ".ini": "[Settings]", "conf": "<fontconfig/>"]
        for file in read {
            let path = home + file
            // Read long ago and written just now: the kernel notes the next reading of such a file.
            try machine.system.inside(
                "install -D /dev/null \(path); echo '\(contents[String(file.suffix(4))] ?? "")' >\(path); touch -a -d '3 days ago' \(path)"
            )
        }
        try machine.system.inside("echo marker >/run/eve/marker; chown -R \(machine.system.eve) /run/eve")
        let script = "exec 7</run/eve/marker 9</run/eve/marker; exec \(program) --agent"
        let child = try machine.system.run(
            ["/bin/sh", "-c", script], as: machine.system.eve, environment)
        defer { child.killed() }
        let visitor = try machine.visitor()
        var look = Look(gid: visitor.gid, groups: try visitor.groups)
        for entry in try visitor.file("environ").split(separator: "\0") {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            look.environment[String(parts[0])] = String(parts.last ?? "")
        }
        look.hasLibrary = try visitor.file("maps").contains("preloaded")
        look.isMarkerOpen = visitor.holds(machine.system.outside("/run/eve/marker"))
        look.read = read.filter { file in
            var status = stat()
            return stat(machine.system.outside(home + file), &status) == 0 && status.st_atim.tv_sec > time(nil) - 86_400
        }
        return look
    }

    @Test("nothing that the user prepared gets into the window: no library, module, style, folder or descriptor")
    func prepared() async throws {
        let (group, eve, window, control) = try await onThread {
            let machine = try VouchedMachine()
            let screen = try Screen()
            let library = machine.system.programs.path + "/preloaded.so"
            let source = machine.system.programs.path + "/preloaded.c"
            try Data("int preloaded;\n".utf8).write(to: URL(filePath: source))
            guard try Child("/usr/bin/gcc", ["-shared", "-fPIC", "-o", library, source], path: "/usr/bin").end() == 0 else {
                throw CannotStart(program: "gcc")
            }
            chmod(library, 0o755)
            var environment = Self.environment(screen, library)
            let window = try Self.look(VouchedMachine.launcher, machine, environment)
            // Without the launcher it would go to the socket that is named.
            environment["THUMBTURN_SOCKET"] = nil
            let control = try Self.look(VouchedMachine.window, machine, environment)
            return (machine.groups["window"] ?? 0, machine.system.eve, window, control)
        }
        #expect(window.gid == group && window.groups == Array(repeating: group, count: 4))
        #expect(control.gid == eve)
        // Started without the launcher it takes all of it: the attempts are real ones.
        #expect(control.hasLibrary && control.isMarkerOpen && control.read.contains(Self.read[0]), "\(control)")
        #expect(!window.hasLibrary && !window.isMarkerOpen && window.read.isEmpty, "\(window)")
        Tally.attack("a preloaded library in the vouched window", succeeded: window.hasLibrary)
        Tally.attack("a descriptor of the starter's in the vouched window", succeeded: window.isMarkerOpen)
        for file in control.read {
            Tally.attack("\(file) of the user's in the vouched window", succeeded: window.read.contains(file))
        }
        for name in Self.foreign {
            #expect(window.environment[name] == nil, "\(name)")
            Tally.check("\(name) in the vouched window", succeeded: window.environment[name] != nil)
        }
        for name in Self.folders {
            let isTheirs = window.environment[name]?.hasPrefix("/run/eve") != false
            #expect(!isTheirs, "\(name)")
            Tally.check("\(name) of the user's in the vouched window", succeeded: isTheirs)
        }
        #expect(window.environment["DISPLAY"] == control.environment["DISPLAY"])
    }

    @Test("values that aren't plain don't go on: a bus that would be started, a path that leads up, a locale that is a path")
    func values() async throws {
        let wrong = [
            "AT_SPI_BUS_ADDRESS": "unixexec:path=/run/eve/mine", "LC_ALL": "/run/eve/locale", "GDK_BACKEND": "broadway,x11",
            "WAYLAND_DISPLAY": "../eve/wayland", "LANG": String(repeating: "a", count: 1025),
        ]
        let right = ["LC_MESSAGES": "ja_JP.UTF-8", "LC_CTYPE": String(repeating: "a", count: 1024)]
        let passed = try await onThread {
            let machine = try VouchedMachine()
            let screen = try Screen()
            let around = ["DISPLAY": screen.name, "XDG_RUNTIME_DIR": "/run/eve"].merging(wrong) { $1 }.merging(right) { $1 }
            let child = try machine.system.run([VouchedMachine.launcher, "--agent"], as: machine.system.eve, around)
            defer { child.killed() }
            return try machine.visitor().file("environ").split(separator: "\0").map(String.init)
        }
        for (name, value) in right { #expect(passed.contains("\(name)=\(value)"), "\(name)") }
        // No bus was named: a library would start one, in the window's group, by its program's name.
        let none = ["DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus", "PATH=/nonexistent"]
        let startsOne = !none.allSatisfy(passed.contains)
        #expect(!startsOne)
        Tally.check("a bus that the vouched window starts", succeeded: startsOne)
        for name in wrong.keys {
            let isPassed = passed.contains { $0.hasPrefix(name + "=") }
            #expect(!isPassed, "\(name)")
            Tally.check("a \(name) that isn't plain in the vouched window", succeeded: isPassed)
        }
    }

    @Test("the window can't be looked into from its first instruction on; traced from its start it has no group, and ends")
    func traced() async throws {
        let ways = ["attach", "memory", "maps", "environment", "read", "descriptor"]
        let (outcomes, caught, control, gained) = try await onThread {
            let machine = try VouchedMachine()
            let (system, screen) = (machine.system, try Screen())
            let around = ["DISPLAY": screen.name, "XDG_RUNTIME_DIR": "/run/eve"]
            let child = try system.run([VouchedMachine.launcher, "--agent"], as: system.eve, around)
            let visitor = try machine.visitor()
            let outcomes = try ways.map { try system.attack("\($0) \(visitor.pid)", as: system.eve) }
            child.killed()
            func attempt(_ words: String) throws -> Int32 {
                let display = "export DISPLAY=\(screen.name) XDG_RUNTIME_DIR=/run/eve DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere"
                return try system.attempt(
                    "\(display); exec \(system.programs.path)/thumbturn-test-attacker \(words)", as: system.eve)
            }
            return (
                outcomes, try attempt("catch \(VouchedMachine.launcher)"), try attempt("catch \(VouchedMachine.window)"),
                try attempt("traced \(VouchedMachine.launcher)")
            )
        }
        for (way, outcome) in zip(ways, outcomes) {
            #expect(outcome == .failed, "\(way)")
            Tally.check("\(way) of the vouched window", succeeded: outcome != .failed)
        }
        // The window alone is open until it closes itself.
        #expect(caught == 1 && control == 0 && gained == 1)
        Tally.attack("a look into the vouched window while it starts", succeeded: caught != 1)
        Tally.check("the launcher's group in a traced launcher", succeeded: gained != 1)
    }

    @Test("without its group the launcher starts nothing: a copy, no new privileges, another name for it, a daemon of the user's")
    func refusals() async throws {
        let (ends, isRun) = try await onThread {
            let machine = try VouchedMachine()
            let (system, launcher) = (machine.system, VouchedMachine.launcher)
            // What eve would have run with the group: it leaves a file behind. Root makes the hard link for her.
            try system.inside(
                """
                cp \(launcher) /run/eve/copy && chmod 755 /run/eve/copy && ln \(launcher) /run/eve/thumbturn-window-launcher
                ln -s \(launcher) /run/eve/link
                printf '#!/bin/sh\nid -g >/run/eve/run\n' >/run/eve/thumbturn-window && chmod 755 /run/eve/thumbturn-window
                # Of folders and files that are root's, these can be changed by others: in each she has her window instead of root's.
                install -d -m 1777 /run/open && install -d -m 775 -g \(system.eve) /run/shared && install -d -m 755 /run/loose
                for folder in open shared loose; do
                    ln \(launcher) /run/$folder/thumbturn-window-launcher
                    install -m 755 /run/eve/thumbturn-window /run/$folder
                done
                chmod 757 /run/loose/thumbturn-window
                """)
            let ways = [
                "a copy of the launcher": "exec /run/eve/copy --agent",
                "the launcher without new privileges": "exec setpriv --no-new-privs \(launcher) --agent",
                "a hard link to the launcher": "exec /run/eve/thumbturn-window-launcher --agent",
                "a hard link in a folder that everybody writes": "exec /run/open/thumbturn-window-launcher --agent",
                "a hard link in a folder that a group writes": "exec /run/shared/thumbturn-window-launcher --agent",
                "a hard link beside a window that everybody writes": "exec /run/loose/thumbturn-window-launcher --agent",
                "a symbolic link to the launcher": "exec /run/eve/link --agent",
                "the launcher by a relative name":
                    "cd /run/eve && exec bash -c 'exec -a ./thumbturn-window-launcher \(launcher) --agent'",
                "a socket of the user's": "exec \(launcher) --agent --socket /run/eve/socket",
            ]
            // There is no display: where it became the window, that ends with 3.
            let ends = try ways.mapValues { try system.attempt($0, as: system.eve) }
            return (ends, access(system.outside("/run/eve/run"), F_OK) == 0)
        }
        let right: [String: Int32] = [
            "a copy of the launcher": 77, "the launcher without new privileges": 77, "a hard link to the launcher": 78,
            "a hard link in a folder that everybody writes": 78, "a hard link in a folder that a group writes": 78,
            "a hard link beside a window that everybody writes": 78,
            "a symbolic link to the launcher": 3, "the launcher by a relative name": 3, "a socket of the user's": 64,
        ]
        for (way, end) in ends { #expect(end == right[way], "\(way)") }
        #expect(ends.count == right.count && !isRun)
        for (way, end) in ends { Tally.check("\(way) that starts the user's own window", succeeded: end != right[way] || isRun) }
    }

    @Test("the prompt on a terminal has its group too, and its copy hasn't")
    func terminal() async throws {
        let (group, vouched, plain, eve) = try await onThread {
            let machine = try VouchedMachine()
            let system = machine.system
            func group(_ program: String) throws -> UInt32 {
                var ends: [Int32] = [-1, -1]
                let bytes = [UInt8](repeating: 7, count: 32) + Array("/run/thumbturn/socket".utf8)
                guard thumb_pipe2(&ends, O_CLOEXEC) == 0, write(ends[1], bytes, bytes.count) == bytes.count else {
                    throw CannotStart(program: "a pipe")
                }
                close(ends[1])
                defer { close(ends[0]) }
                let child = try system.run([program], as: system.eve, [:], passing: ends[0])
                defer { child.killed() }
                return try machine.visitor().gid
            }
            return (machine.groups["prompt"], try group(VouchedMachine.prompt), try group("thumbturn-prompt"), system.eve)
        }
        #expect(vouched == group && plain == eve)
        Tally.check("a copy of the terminal's prompt that is vouched for", succeeded: plain == group)
    }

    @Test("an app has the window started with its group; where it may gain no privileges, it starts none and is told so")
    func app() async throws {
        let (isVouched, without) = try await onThread {
            let machine = try VouchedMachine(listens: false)
            let (system, screen) = (machine.system, try Screen())
            try system.serve()
            let around = [
                "DISPLAY": screen.name, "XDG_RUNTIME_DIR": "/run/eve", "THUMBTURN_PROMPT": "window",
                "THUMBTURN_LIBEXEC": VouchedMachine.folder, "HOME": "/run/eve",
            ]
            let app = try system.speaker(system.eve, around)
            try app.tell("passcode")
            let group = machine.groups["window"] ?? 0
            var window: Int32?
            for _ in 0..<600 where window == nil {
                window = Self.processes(of: "thumbturn-window", in: group).first
                usleep(100_000)
            }
            if let window { kill(window, SIGKILL) }
            _ = try app.answer()
            let kept = try Speaker(
                ["/usr/bin/setpriv", "--no-new-privs", system.programs.path + "/thumbturn-test-client"], as: system.eve, around,
                entering: system.entering)
            return (window != nil, try kept.say("passcode"))
        }
        #expect(isVouched)
        #expect(without == "failed interactionNotAllowed" || without.hasPrefix("failed notInteractive"), "\(without)")
    }

    /// Processes of that name whose group ids are all this one.
    private static func processes(of name: String, in group: UInt32) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap(Int32.init).filter { pid in
            guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return false }
            return status.contains("Gid:\t\(group)\t\(group)\t\(group)\t")
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe"))?.hasSuffix("/" + name) == true
        }
    }
}
