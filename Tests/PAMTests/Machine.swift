import CThumbLinux
import Foundation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

/// A machine of a test's own: the real programs, libpam and its modules, on an /etc with one account. It is root's, as far as its
/// number goes; who it is outside has nothing to do with it.
final class Machine: Sendable {
    static let password = "correct horse 7731"
    /// That password as a shadow file has it: `openssl passwd -6 -salt turnturn`.
    private static let hash =
        "$6$turnturn$PUVW6k8iqpIZQWIokc1HmtjAV39XgBlNpMhI/hNE4utLabUBWrwj9e3XOG8WB2ZTJzOA7bI4MJwR5WDiQ0MxK0"
    /// Accounts in a file of a test's own, judged by a real module of libpam-wrapper's.
    static let matrix = "/usr/lib/\(architecture)-linux-gnu/pam_wrapper/pam_matrix.so"
    /// What is shipped.
    static let unix = "auth required pam_unix.so\naccount required pam_unix.so\n"

    #if arch(arm64)
    private static let architecture = "aarch64"
    #else
    private static let architecture = "x86_64"
    #endif

    let root: URL
    var etc: URL { root.appending(path: "etc") }
    var socket: String { root.appending(path: "run/socket").path }
    var state: String { root.appending(path: "state").path }

    /// The days of a shadow file: when the password was changed, how long it is good, when the account ends.
    struct Days {
        var changed = "19000"
        var good = "99999"
        var end = ""
    }

    /// - Parameter services: their files' contents.
    init(_ services: [String: String] = ["thumbturn": unix], hash: String = hash, days: Days = Days()) throws {
        // Short: a socket's path has about a hundred bytes.
        root = URL(filePath: "/tmp/turn-\(UInt32.random(in: 0 ... .max))")
        for name in ["etc/pam.d", "run", "state"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for name in ["ld.so.cache", "nsswitch.conf", "login.defs"] {
            try FileManager.default.copyItem(atPath: "/etc/" + name, toPath: etc.path + "/" + name)
        }
        try write("passwd", "owner:x:0:0::/:/bin/sh\n")
        try write("group", "owner:x:0:\n")
        try write("shadow", "owner:\(hash):\(days.changed):0:\(days.good):7::\(days.end):\n")
        for (name, lines) in services { try write("pam.d/" + name, lines) }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: etc.appending(path: name)) }

    /// A file of accounts for `pam_matrix`, and its line for a service.
    func accounts(_ name: String, password: String, service: String = "thumbturn") throws {
        try write(name, "owner:\(password):\(service)\n")
    }

    static func matrix(_ kind: String, _ file: String, _ options: String = "") -> String {
        "\(kind) required \(matrix) passdb=/etc/\(file) \(options)\n"
    }

    func read(_ name: String) throws -> String { try String(contentsOf: etc.appending(path: name), encoding: .utf8) }

    /// A program of this machine's, or of one that has another's /etc and all else in common with it.
    func start(
        _ words: [String], input: Int32? = nil, passing: Int32? = nil, path: String? = nil, etc: URL? = nil
    ) throws -> Child {
        let inside =
            ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--bind", (etc ?? self.etc).path, "/etc"] + [
                "--tmpfs", "/run", "--bind", root.appending(path: "run").path, "/run/thumbturn", "--die-with-parent", "--",
            ] + words
        guard let input else { return try Child(inside[0], Array(inside.dropFirst()), passing: passing, path: path) }
        return try Child("/bin/sh", ["-c", "exec \"$@\" <&3 3<&-", "sh"] + inside, passing: input, path: path)
    }

    /// The account is nobody's from now on, and nobody can look around as far as a user can on any machine.
    func becomeNobodys() throws {
        try write("passwd", "owner:x:65534:65534::/:/bin/sh\n")
        for (path, mode) in [("", 0o755), ("/etc", 0o755), ("/etc/pam.d", 0o755), ("/etc/seen", 0o666), ("/etc/shadow", 0o640)] {
            // Not every machine has a file for what was seen.
            guard chmod(root.path + path, mode_t(mode)) == 0 || thumb_errno() == ENOENT else { throw Errno(thumb_errno()) }
        }
        // The group of those who may read passwords, under the number it has outside: the system's program is of that group.
        guard let shadow = getgrnam("shadow"), chown(etc.path + "/shadow", 0, shadow.pointee.gr_gid) == 0 else {
            throw Errno(thumb_errno())
        }
    }

    /// A program of this machine's that isn't kept from gaining privileges, as everything in bubblewrap's box is.
    func startOutside(_ words: [String], input: Int32) throws -> Child {
        let script = "mount --bind \"$1\" /etc && shift && exec \"$@\" <&3 3<&-"
        return try Child(
            "/usr/bin/unshare",
            ["--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh", etc.path] + words, passing: input,
            path: "/usr/bin:/bin")
    }

    static func program(_ name: String) -> String { builtPrograms.appending(path: name).path }
}
