import Foundation

// `make bench`: what things cost. Peers and our own code take turns within one run. It prints `bench NAME VALUE UNIT` and `ratio NAME VALUE
// (goal OP VALUE) ok|short`, writes the same as JSON, and exits with 1 if a ratio falls short. A peer's figure says in what case it was
// measured. Speed is measured nowhere else: a test that measures time fails on a busy machine
// and says nothing about the code. `make bench ONLY='calls store'` runs a part of it.

if CommandLine.arguments.dropFirst().first == EchoPeer.argument { EchoPeer.serve() }

private let benches: [(name: String, run: (Report) throws -> Void)] = [
    ("calls", CallBench.run), ("evaluations", EvaluationBench.run), ("counters", LedgerBench.run),
    ("libsecret", SecretServiceBench.run), ("secret-service", ProviderBench.run), ("store", StoreBench.run),
    ("start", StartBench.run), ("keys", KeyBench.run),
    ("ssh", SSHBench.run), ("fingers", FingerBench.run), ("logins", LoginBench.run), ("verifications", VerifyBench.run),
]
private let wanted = CommandLine.arguments.dropFirst()

do {
    if let unknown = wanted.first(where: { name in !benches.contains { $0.name == name } }) {
        throw BenchError("there is no bench '\(unknown)', only \(benches.map(\.name).joined(separator: ", "))")
    }
    let report = Report()
    for (name, run) in benches where wanted.isEmpty || wanted.contains(name) { try run(report) }
    try report.write()
    if !report.short.isEmpty { throw BenchError("short of their goals: \(report.short.joined(separator: ", "))") }
} catch {
    FileHandle.standardError.write(Data("thumbturn-bench: \(error)\n".utf8))
    exit(1)
}
