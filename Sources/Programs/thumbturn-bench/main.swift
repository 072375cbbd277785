internal import Foundation

// `make bench`: what things cost, peers and ours in turn within one run. Prints `bench NAME VALUE UNIT` and
// `ratio NAME VALUE (goal OP VALUE) ok|short`, and writes the same as JSON. Speed is measured here and nowhere else: a test that
// times something fails on a busy machine and says nothing about the code.

if CommandLine.arguments.dropFirst().first == EchoPeer.argument { EchoPeer.serve() }

do {
    let report = Report()
    try CallBench.run(report)
    try EvaluationBench.run(report)
    try LedgerBench.run(report)
    try StoreBench.run(report)
    try StartBench.run(report)
    try report.write()
} catch {
    FileHandle.standardError.write(Data("thumbturn-bench: \(error)\n".utf8))
    exit(1)
}
