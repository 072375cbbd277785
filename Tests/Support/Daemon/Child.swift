import Foundation
import thumbturn_test_programs

/// A program, of this build where it has no path, started without a terminal and with no descriptors of ours.
public final class Child: @unchecked Sendable {
    // @unchecked: used by one thread at a time.
    public let pid: pid_t
    private var status: Int32?

    /// `descriptor` becomes its number 3; `path`, where it is given, one of its variables.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], passing descriptor: Int32? = nil,
        path searched: String? = nil
    ) throws {
        let path = program.hasPrefix("/") ? program : builtPrograms.appending(path: program).path
        var variables = environment
        if let searched { variables["PATH"] = searched }
        pid = try spawn(
            [path] + arguments, variables,
            [.nothing, .nothing, .nothing] + (descriptor.map { [.descriptor($0)] } ?? []), inOwnSession: false)
    }

    deinit { killed() }

    /// Waits for its end; its exit status, or 128 and the signal that ended it.
    @discardableResult
    public func end() -> Int32 {
        if let status { return status }
        let end = waited(for: pid)
        self.status = end
        return end
    }

    /// Sends it a signal, unless its end has been waited for: its number may be another process's by then.
    public func send(_ signal: Int32) { if status == nil { kill(pid, signal) } }

    public func killed() {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        end()
    }
}
