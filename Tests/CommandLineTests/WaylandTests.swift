import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// The clipboard of a real Wayland session, by the wl-copy that is installed. Some versions keep what they are given below /tmp.
@Suite("The clipboard of a Wayland session", .serialized)
struct WaylandTests {
    private static let program = "/usr/bin/wl-copy"

    /// A compositor without a screen. It refuses to run as root.
    private final class Compositor {
        let folder: URL
        private let child: Child

        init() throws {
            folder = URL(filePath: "/dev/shm/way-\(UInt32.random(in: 0 ... .max))")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let settings = folder.appending(path: "settings").path
            try "xwayland disable\n".write(toFile: settings, atomically: true, encoding: .utf8)
            var words = ["/usr/bin/sway", "--config", settings]
            if geteuid() == 0 {
                for path in [settings, folder.path] { try #require(chown(path, Self.nobody, Self.nobody) == 0) }
                words = ["/usr/bin/setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups"] + words
            }
            child = try Child(
                words,
                environment: [
                    "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "WLR_BACKENDS": "headless",
                    "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
                ])
            for _ in 0..<3000 where !FileManager.default.fileExists(atPath: socket) { usleep(20_000) }
            try #require(FileManager.default.fileExists(atPath: socket), "sway doesn't run")
        }

        deinit {
            child.end()
            try? FileManager.default.removeItem(at: folder)
        }

        private static let nobody: uid_t = 65534

        var socket: String { folder.appending(path: "wayland-1").path }
    }

    private static func isInMemory(_ path: String) -> Bool {
        var status = statfs()
        return statfs(path, &status) == 0 && status.f_type == 0x0102_1994
    }

    /// The folders in which a wl-copy keeps what it was given.
    private static func buffers(in folder: String) throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("wl-copy-buffer-") }.map {
                "\(folder)/\($0)"
            })
    }

    /// Whether one of them has the secret.
    private static func haveSecret(_ buffers: Set<String>) -> Bool {
        buffers.contains { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.contains { name in
                FileManager.default.contents(atPath: "\(folder)/\(name)")?.range(of: Data(ClipboardTests.secret.utf8)) != nil
            } ?? false
        }
    }

    private struct Found: Sendable {
        let output: String
        let status: Int32
        /// Whether what wl-copy is given stays in memory, as it showed itself.
        let staysInMemory: Bool
        let isOnDisk: Bool
        let pasted: [String]
    }

    /// Copies the secret where those tools are, and looks where it is then.
    private static func copy(_ tools: [String]) throws -> Found {
        let desk = try ClipboardTests.Desk(tools)
        let compositor = try Compositor()
        let session = "WAYLAND_DISPLAY=\(compositor.socket)"
        // What this wl-copy does with what isn't secret.
        let before = try buffers(in: "/tmp")
        let tried = try desk.stage.run(
            "printf harmless | \(session) TMPDIR=\(desk.memory.path) \(program) --type text/plain >/dev/null 2>&1")
        try #require(tried.status == 0, "wl-copy doesn't reach the compositor")
        let isBelowTMPDIR = try !buffers(in: desk.memory.path).isEmpty
        try #require(isBelowTMPDIR != !(try buffers(in: "/tmp").subtracting(before).isEmpty), "it isn't clear where its file is")
        let runtime = "THUMBTURN_SOCKET=\(desk.stage.folder.path)/run/thumbturn/socket XDG_RUNTIME_DIR=\(desk.memory.path)"
        let (output, status) = try desk.run("\(runtime) \(session) thumbturn secret get song --clipboard --clear-after 3600")
        let isOnDisk = try !isInMemory("/tmp") && haveSecret(buffers(in: "/tmp"))
        var pasted: [String] = []
        if status == 0 {
            pasted = [try desk.stage.run("\(session) /usr/bin/wl-paste --no-newline 2>/dev/null").output]
            if tools.contains("xclip"), let text = try desk.pasted() { pasted.append(text) }
        }
        // It ends when another takes the clipboard, and then removes its file.
        _ = try desk.stage.run("\(session) \(program) --clear >/dev/null 2>&1")
        return Found(
            output: output, status: status, staysInMemory: isBelowTMPDIR || isInMemory("/tmp"), isOnDisk: isOnDisk,
            pasted: pasted)
    }

    @Test("The real wl-copy gets a secret only if it keeps it in memory; otherwise that is said, and what to install")
    func alone() async throws {
        let found = try await onThread { try Self.copy(["wl-copy"]) }
        #expect(!found.isOnDisk)
        if found.staysInMemory {
            #expect(found.status == 0 && found.pasted == [ClipboardTests.secret], "\(found.output)")
        } else {
            #expect(found.status == 6)
            #expect(
                found.output == """
                    thumbturn: The wl-copy that is installed here would write the secret to the disk, into a file below /tmp.
                      Install the package xclip or xsel.

                    """)
        }
    }

    @Test("Where the real wl-copy would write to a disk, the X server's clipboard is taken instead")
    func beside() async throws {
        let found = try await onThread { try Self.copy(["wl-copy", "xclip"]) }
        #expect(found.status == 0 && !found.isOnDisk, "\(found.output)")
        #expect(found.pasted.contains(ClipboardTests.secret))
    }
}
