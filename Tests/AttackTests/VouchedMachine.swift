import CThumbLinux
import Foundation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

/// A machine with the prompts installed and vouched for as an installation does it, and where the daemon listens, this test.
final class VouchedMachine {
    let system: SystemMachine
    /// The groups by which root vouches, by the prompts' names.
    let groups: [String: UInt32]
    private let listener: Int32

    static let folder = "/run/libexec/thumbturn"
    static let (launcher, window) = (folder + "/thumbturn-window-launcher", folder + "/thumbturn-window")
    static let prompt = folder + "/thumbturn-prompt"
    static let programs = ["thumbturn", "thumbturn-prompt", "thumbturn-window", "thumbturn-window-launcher"]
    /// Only where GTK was asked for, and there is a display without anybody.
    static var canBe: Bool {
        getuid() == 0 && access(builtPrograms.path + "/thumbturn-window", X_OK) == 0 && access("/usr/bin/Xvfb", X_OK) == 0
    }

    /// - Parameter listens: whether this test is where the daemon would be.
    init(listens: Bool = true) throws {
        system = try SystemMachine(Self.programs)
        let from = system.programs.path
        try system.inside(
            """
            umask 022; install -d /run/bin \(Self.folder) && install -d -o \(system.eve) -g \(system.eve) /run/eve
            install \(from)/thumbturn /run/bin
            install \(from)/thumbturn-prompt \(from)/thumbturn-window \(from)/thumbturn-window-launcher \(Self.folder)
            /run/bin/thumbturn protect --name window \(Self.launcher)
            /run/bin/thumbturn protect --name prompt \(Self.prompt)
            install -d -m 755 /run/thumbturn
            """)
        let registry = try String(contentsOfFile: system.outside("/etc/thumbturn/protected"), encoding: .utf8)
        let lines = registry.split(separator: "\n").map { $0.split(separator: " ") }
        groups = Dictionary(uniqueKeysWithValues: lines.compactMap { line in UInt32(line[0]).map { (String(line[1]), $0) } })
        guard groups.keys.sorted() == ["prompt", "window"] else { throw CannotStart(program: "vouched prompts") }
        let socket = system.outside("/run/thumbturn/socket")
        listener = listens ? try UnixSocket.listen(at: socket).get() : -1
        if listens { chmod(socket, 0o666) }
    }

    deinit { if listener >= 0 { close(listener) } }

    /// Who has come to the daemon's place: a program that waits there for its welcome.
    func visitor() throws -> Visitor {
        var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1, let fd = UnixSocket.accept(listener), let peer = UnixSocket.peer(of: fd) else {
            throw CannotStart(program: "one of ours")
        }
        return Visitor(fd: fd, gid: peer.gid, pid: peer.pid)
    }

    /// Its connection ends with it.
    final class Visitor {
        let (fd, gid, pid): (Int32, UInt32, Int32)

        init(fd: Int32, gid: UInt32, pid: Int32) { (self.fd, self.gid, self.pid) = (fd, gid, pid) }

        deinit { close(fd) }

        func file(_ name: String) throws -> String {
            let fd = open("/proc/\(pid)/\(name)", O_RDONLY)
            guard fd >= 0 else { throw CannotStart(program: "a look at \(name)") }
            defer { close(fd) }
            // The kernel gives a page at a time, and says no size.
            var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
            while case let count = read(fd, &part, part.count), count > 0 { bytes += part[..<count] }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Its group ids: real, effective, saved and that for files.
        var groups: [UInt32] {
            get throws {
                let line = try file("status").split(separator: "\n").first { $0.hasPrefix("Gid:") } ?? ""
                return line.split(separator: "\t").dropFirst().compactMap { UInt32($0) }
            }
        }

        /// Whether one of its descriptors leads to this file.
        func holds(_ path: String) -> Bool {
            var (wanted, status) = (stat(), stat())
            guard stat(path, &wanted) == 0 else { return false }
            return (0..<64).contains { fd in
                stat("/proc/\(pid)/fd/\(fd)", &status) == 0 && status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino
            }
        }
    }
}
