import CThumbLinux
import Foundation
import ThumbClient
import ThumbLoop
import thumbturn_test_programs

/// A daemon of this build on a folder of its own.
public final class Daemon: Sendable {
    public let child: Child
    public let socket: String
    /// There for as long as the daemon is.
    private let accounts: TrustingAccounts?

    /// Starts it; it may not listen yet. The machine's own reader isn't asked, nor, with `accounts`, its passwords.
    public init(
        state: String, _ more: [String] = [], tpm: String = "none", accounts: TrustingAccounts? = nil, ready: Int32? = nil
    ) throws {
        // Where another socket is wished, the daemon is told of that one alone: it takes no option twice.
        socket = more.firstIndex(of: "--socket").map { more[$0 + 1] } ?? state + "/socket"
        self.accounts = accounts
        let words =
            ["--serve", "--state", state, "--idle", "0", "--tpm", tpm]
            + (more.contains("--socket") ? [] : ["--socket", socket])
            + (more.contains("--bus") ? more : more + ["--bus", "none"])
        let all = words + (ready == nil ? [] : ["--ready-fd", "3"])
        guard let accounts else {
            child = try Child("thumbturnd", all, passing: ready)
            return
        }
        let started = accounts.starting([builtPrograms.appending(path: "thumbturnd").path] + all)
        child = try Child(started[0], Array(started.dropFirst()), passing: ready)
    }

    /// Starts it and waits until it listens; nil if it ended instead.
    public static func listening(
        state: String, _ more: [String] = [], tpm: String = "none", accounts: TrustingAccounts? = nil
    ) throws -> Daemon? {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        let daemon = try Daemon(state: state, more, tpm: tpm, accounts: accounts, ready: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        return read(ends[0], &byte, 1) == 1 ? daemon : nil
    }

    /// A client with a connection of its own.
    public func client() -> DeviceClient {
        let socket = socket
        return DeviceClient { try? UnixSocket.connect(to: socket).get() }
    }
}
