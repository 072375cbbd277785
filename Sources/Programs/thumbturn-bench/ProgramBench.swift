import CThumbLinux
import Foundation
import ThumbSystem

/// One secret from the command line. Both programs run as whole processes, from start to end.
enum ProgramBench {
    private static let rounds = 150
    private static let name = "bench-program"

    static func run(_ report: Report, _ store: Population, _ peer: SecretServicePeer) throws {
        let (input, output) = (peer.folder + "/input", peer.folder + "/output")
        try Data(repeating: 0x39, count: Population.secretSize).write(to: URL(fileURLWithPath: input))
        let ours = Program(
            path: Daemon.program("thumbturn").path, environment: ["THUMBTURN_SOCKET=" + store.daemon.socket])
        try ours.run(["secret", "add", name, "--protect", "none"], from: input)
        let theirs = Program(path: "/usr/bin/secret-tool", environment: ["DBUS_SESSION_BUS_ADDRESS=" + peer.bus])

        let get = ["secret", "get", name]
        let lookUp = ["lookup", "service", "bench", "account", store.account(round: 1)]
        for (program, arguments) in [(ours, get), (theirs, lookUp)] {
            try program.run(arguments, to: output)
            guard try Data(contentsOf: URL(fileURLWithPath: output)).count >= Population.secretSize else {
                throw BenchError("\(program.path) printed no secret")
            }
        }
        var (our, their) = (Samples(), Samples())
        for _ in 0..<rounds {
            try their.time { try theirs.run(lookUp) }
            try our.time { try ours.run(get) }
        }
        report.bench("secret-tool-lookup", Samples(of: their, dividedBy: 1000), "ms", peer: PeerCase.secretTool)
        report.bench("thumbturn-secret-get", Samples(of: our, dividedBy: 1000), "ms")
        report.ratio("secret-get-over-secret-tool", our.median / their.median, .atMost(0.6))
    }
}

/// A program that is run again and again, in its own environment.
private struct Program {
    let path: String
    let environment: [String]

    /// Runs it to its end. Fails unless it did what it was told.
    func run(_ arguments: [String], from input: String = "/dev/null", to output: String = "/dev/null") throws {
        let input = try Descriptor(opening: input, O_RDONLY)
        let output = try Descriptor(opening: output, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
        let child = try Spawn(
            path, [path] + arguments, environment: .only(environment), descriptors: .only([input.number, output.number])
        ).start()
        guard child.wait() == 0 else { throw BenchError("\(path) failed") }
    }
}
