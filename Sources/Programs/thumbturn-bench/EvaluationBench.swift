import Foundation
import ThumbClient
import ThumbLocalAuthenticationAPI
import ThumbSecrets
import ThumbturnSimulator

/// What an evaluation costs without the person: a scripted match through the whole path, compared with a frame's echo on the same device.
/// An evaluation answers a callback while its caller sleeps, so the echo does the same.
enum EvaluationBench {
    private static let rounds = 3_000

    static func run(_ report: Report) throws {
        let device = SimulatedDevice().install()
        defer { device.uninstall() }
        device.answerAlways(.match)
        let bytes = try SecretBytes(copying: [UInt8](repeating: 7, count: EchoPeer.size))
        var frame = Samples()
        var called = Samples()
        var evaluation = Samples()
        for round in 0..<rounds + 200 {
            var once = Samples()
            try once.time { _ = try DeviceClient.shared.echo(bytes) }
            var back = Samples()
            try back.time { try echoCalledBack(bytes) }
            var match = Samples()
            try match.time { try evaluate() }
            if round >= 200 {
                frame.add(once.median)
                called.add(back.median)
                evaluation.add(match.median)
            }
        }
        report.bench("simulated-frame-echo", frame, "us")
        report.bench("simulated-frame-echo-called-back", called, "us")
        report.bench("evaluation", evaluation, "us")
        report.bench("evaluation-over-frame-echo", evaluation.median / frame.median, "x")
        report.ratio("evaluation-over-echo-called-back", evaluation.median / called.median, .atMost(3))
    }

    private static func echoCalledBack(_ bytes: SecretBytes) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Locked<SecretBytes?>(nil)
        try DeviceClient.shared.echo(bytes) { answer in
            outcome.withLock { $0 = try? answer.get() }
            done.signal()
        }
        done.wait()
        guard outcome.withLock({ $0?.count == bytes.count }) else { throw BenchError("an echo that is called back failed") }
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
