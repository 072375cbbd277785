import Foundation
import thumbturn_test_daemon
import thumbturn_test_programs

/// Who attacks: a program that isn't root, wherever these tests can make it so.
struct Attacker {
    enum Outcome: Equatable { case failed, succeeded, unclear(Int32) }

    /// Nobody's uid; another one than root's, and the same for a daemon and who attacks it.
    static let nobody: UInt32 = 65534
    /// Whether the kernel lets a program trace another of its user at all. Where it doesn't, an attack can't be shown to be a real one on
    /// another process, and the tally says so.
    static func canTrace(_ attack: String) -> Bool {
        let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
        if scope?.hasPrefix("0") ?? true { return true }
        Tally.skip("\(attack), shown to work on another process", because: "takes a kernel that lets programs trace each other")
        return false
    }

    /// Where the programs lie that nobody runs: the build folder may be closed to him.
    let folder: Scratch

    init() throws {
        folder = try Scratch()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    private func copied(_ program: String) throws -> String {
        let copy = folder.path + "/" + program
        if !FileManager.default.fileExists(atPath: copy) { try copyProgram(program, to: copy) }
        return copy
    }

    /// A program as nobody, where the tests are root; else as the user they run as.
    func start(
        _ program: String, _ words: [String], passing descriptor: Int32? = nil, as uid: UInt32 = Self.nobody
    ) throws -> Child {
        let path = try copied(program)
        guard getuid() == 0 else { return try Child(path, words, passing: descriptor) }
        let drop = ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", path]
        return try Child("/usr/bin/setpriv", drop + words, passing: descriptor)
    }

    func attack(_ words: String..., passing descriptor: Int32? = nil, as uid: UInt32 = Self.nobody) throws -> Outcome {
        switch try start("thumbturn-test-attacker", words, passing: descriptor, as: uid).end() {
        case 0: .succeeded
        case 1: .failed
        case let status: .unclear(status)
        }
    }
}
