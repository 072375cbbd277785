import CThumbLinux
import Foundation
import thumbturn_test_programs

/// System mode of this build on a bus of the test's own: the front, which has devices for children, and the reader's broker.
public final class SystemMode: Sendable {
    public let socket: String
    private let front: Child
    private let reader: Child
    /// There for as long as the processes are.
    private let accounts: TrustingAccounts

    /// Starts it and waits until it listens. Nobody's real password is asked for.
    ///
    /// - Parameter folder: stores lie below it, and sockets in `run`, which every user reaches.
    public init(
        in folder: String, bus: String, busOwner: UInt32, templates: String, _ more: [String] = [], accounts: TrustingAccounts
    ) throws {
        let run = folder + "/run"
        try? FileManager.default.createDirectory(
            atPath: run, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        chmod(folder, 0o755)
        chmod(run, 0o755)
        self.accounts = accounts
        socket = run + "/socket"
        reader = try Self.start(
            "thumbturn-reader",
            [
                "--socket", run + "/reader", "--bus", bus, "--bus-owner", "\(busOwner)", "--templates", templates, "--idle", "0",
            ])
        front = try Self.start(
            "thumbturn-front",
            [
                "--socket", socket, "--devices", folder + "/state", "--bus", bus, "--bus-owner", "\(busOwner)", "--seat", "open",
                "--idle", "0",
            ] + more, accounts)
    }

    /// Ends it, and waits until it is gone.
    public func end() {
        front.killed()
        reader.killed()
    }

    private static func start(_ program: String, _ words: [String], _ accounts: TrustingAccounts? = nil) throws -> Child {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        let all = [builtPrograms.appending(path: program).path] + words + ["--ready-fd", "3"]
        let started = accounts?.starting(all) ?? all
        let child = try Child(started[0], Array(started.dropFirst()), passing: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: program) }
        return child
    }
}
