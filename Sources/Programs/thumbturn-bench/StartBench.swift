import CThumbLinux
import Foundation
import ThumbAccess
import ThumbClient

/// What the first call costs if no daemon runs: finding that out, starting a daemon, and the answer.
enum StartBench {
    private static let rounds = 15

    static func run(_ report: Report) throws {
        let folder = NSTemporaryDirectory() + "/thumbturn-start-" + UUID().uuidString
        for name in ["", "/run", "/state"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        unsafe setenv("XDG_RUNTIME_DIR", folder + "/run", 1)
        unsafe setenv("THUMBTURN_STATE", folder + "/state", 1)
        var start = Samples()
        for _ in 0..<rounds {
            var pid: Int32 = 0
            DeviceClient.shared.install(nil)
            try start.time { pid = try DeviceClient.shared.status().processID }
            kill(pid, SIGTERM)
            while kill(pid, 0) == 0 { usleep(1000) }
        }
        report.bench("first-call-with-daemon-down", Samples(of: start, dividedBy: 1000), "ms")
        report.ratio("first-call-ms", start.median / 1000, .atMost(60))
    }
}

extension Samples {
    /// The same in another unit.
    init(of other: Samples, dividedBy divisor: Double) {
        self.init()
        other.each { add($0 / divisor) }
    }
}
