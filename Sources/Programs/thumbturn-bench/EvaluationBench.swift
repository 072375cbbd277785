import Foundation
import ThumbClient
import ThumbLocalAuthenticationAPI
import ThumbSecrets
import ThumbturnSimulator

/// What an evaluation costs beside the person: a scripted match through the whole path, against a frame's echo on the same device.
enum EvaluationBench {
    private static let rounds = 3_000

    static func run(_ report: Report) throws {
        let device = SimulatedDevice().install()
        defer { device.uninstall() }
        device.answerAlways(.match)
        let bytes = try SecretBytes(copying: [UInt8](repeating: 7, count: EchoPeer.size))
        var frame = Samples()
        var evaluation = Samples()
        for round in 0..<rounds + 200 {
            var once = Samples()
            try once.time { _ = try DeviceClient.shared.echo(bytes) }
            var match = Samples()
            try match.time { try evaluate() }
            if round >= 200 {
                frame.add(once.median)
                evaluation.add(match.median)
            }
        }
        report.bench("simulated-frame-echo", frame, "us")
        report.bench("evaluation", evaluation, "us")
        report.ratio("evaluation-over-frame-echo", evaluation.median / frame.median, .atMost(3))
    }

    static func evaluate() throws {
        let context = LAContext()
        let done = DispatchSemaphore(value: 0)
        let outcome = Locked(false)
        context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "measure") { success, _ in
            outcome.withLock { $0 = success }
            done.signal()
        }
        done.wait()
        guard outcome.withLock({ $0 }) else { throw BenchError("a scripted match failed") }
    }
}
