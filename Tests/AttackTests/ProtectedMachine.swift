import CThumbLinux
import Foundation
import thumbturn_test_daemon
import thumbturn_test_programs

/// A system in a folder, with a program that `thumbturn protect` protected, and a daemon of an ordinary user who believes its
/// registry. Takes root.
final class ProtectedMachine {
    /// Where nobody else's daemon listens: the folder that a program without an environment looks into is the user's.
    let uid = FreshUser.next
    let root: Scratch
    private let state: Scratch
    private(set) var daemon: Child?

    init() throws {
        // Not in memory: that file system often takes no set-group-ID programs.
        (root, state) = (try Scratch(inMemory: false), try Scratch())
        chmod(root.path, 0o755)
        for name in ["/etc", "/usr", "/usr/bin"] { try make(name) }
        try Data().write(to: URL(filePath: root.path + "/etc/group"))
        for name in ["vault", "other"] { try install("thumbturn-test-client", as: name) }
        try command("/usr/bin/vault")
        chown(state.path, uid, uid)
        try start()
    }

    deinit {
        daemon?.killed()
        try? FileManager.default.removeItem(atPath: "/tmp/thumbturn-\(uid)")
    }

    var registry: String { root.path + "/etc/thumbturn/protected" }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: root.path + folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    func install(_ program: String, as name: String) throws {
        let path = root.path + "/usr/bin/" + name
        try copyProgram(program, to: path)
    }

    /// `thumbturn protect` with these words.
    func command(_ words: String...) throws {
        guard try Child("thumbturn", ["protect", "--root", root.path] + words).end() == 0 else {
            throw CannotStart(program: "thumbturn protect \(words)")
        }
    }

    /// The user's daemon, anew; it has no passcode and no sensor, so there is no owner who could be asked.
    func start() throws {
        daemon?.killed()
        daemon = try started("\(builtPrograms.path)/thumbturnd", state.path)
    }

    /// A daemon that listens where the user's programs look, or at another socket.
    func started(_ program: String, _ state: String, socket: String? = nil) throws -> Child {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        let words = ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", program, "--serve", "--state", state]
        let more =
            ["--protected", registry, "--idle", "0", "--bus", "none", "--ready-fd", "3"]
            + (socket.map { ["--socket", $0] } ?? [])
        let child = try Child("/usr/bin/setpriv", words + more, passing: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: program) }
        return child
    }

    /// A program of the system's, as the user.
    func speaker(_ name: String, _ environment: [String: String] = [:]) throws -> Speaker {
        try Speaker([root.path + "/usr/bin/" + name], as: uid, environment)
    }
}
