import ThumbSystem

/// A program of the system that does one thing.
enum Tool {
    /// Runs it without input or output. Returns its exit status, or nil if it can't be run.
    @Sendable static func run(_ program: String, _ arguments: [String]) -> Int32? { run(program, arguments, variables: []) }

    /// The same, with variables of its own, each as NAME=VALUE.
    static func run(_ program: String, _ arguments: [String], variables: [String]) -> Int32? {
        let tool = Spawn(
            program, arguments, environment: .only(["PATH=/usr/sbin:/usr/bin"] + variables), descriptors: .only([nil, nil, 2]),
            hasOwnSession: true)
        do throws(SystemError) { return try tool.start().wait() } catch { return nil }
    }
}
